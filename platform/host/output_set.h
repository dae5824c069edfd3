// SPDX-License-Identifier: Apache-2.0
// The output files of a command: all opened before the work, all given their names after it.
#pragma once

#include "platform/host/output_file.h"

#include <deque>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace pes {

/// A directory that is removed again unless it is kept; nothing is done to one that was there
/// before.
class OutputDirectory {
  public:
    /// Throws UserError if it cannot be made.
    explicit OutputDirectory(const std::filesystem::path& path);
    OutputDirectory(const OutputDirectory&) = delete;
    OutputDirectory& operator=(const OutputDirectory&) = delete;
    ~OutputDirectory();

    void keep();

  private:
    std::filesystem::path path_;
    bool made_ = false;
};

class OutputSet {
  public:
    /// `inputs`: files that the command reads, which no result may replace; empty names do not
    /// count.
    explicit OutputSet(std::vector<std::string> inputs = {}) : inputs_(std::move(inputs)) {}

    /// Null if `path` is empty: the option was not given. Throws UserError if the file cannot be
    /// written, is an input, or is named by two options.
    OutputFile* open(const std::string& path);

    /// The same for a file that belongs to the one opened last: both get their names, or neither.
    OutputFile* open_companion(const std::string& path);

    /// For files that are opened in it later, with its parents. Throws as open().
    void make_directory(const std::filesystem::path& path);

    /// For a file that somebody else may write before commit(): only the checks. Throws as open().
    void reserve(const std::string& path);

    /// Gives every file that is complete its name, then throws UserError if one is not.
    void commit();

  private:
    /// Files that get their names together.
    using Unit = std::vector<OutputFile*>;

    static void commit(const Unit& unit);
    static void require_writable_place(const std::string& path);
    void require_no_input(const std::string& path) const;
    void require_not_taken(const std::string& path);

    std::vector<std::string> inputs_;
    std::deque<OutputDirectory> directories_; ///< outlive the files in them
    std::deque<OutputFile> files_;            ///< addresses are handed out
    std::vector<Unit> units_;                 ///< in the same order
    std::set<std::filesystem::path> taken_;
};

} // namespace pes

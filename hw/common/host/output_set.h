// SPDX-License-Identifier: Apache-2.0
// The output files of a command: all opened before the work, all given their names after it.
#pragma once

#include "hw/common/host/output_file.h"

#include <deque>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace pes {

class OutputSet {
  public:
    /// `inputs`: files that the command reads, which no result may replace; empty names do not
    /// count.
    explicit OutputSet(std::vector<std::string> inputs = {}) : inputs_(std::move(inputs)) {}

    /// Null if `path` is empty: the option was not given. Throws UserError if the file cannot be
    /// written, is an input, or is named by two options.
    OutputFile* open(const std::string& path);

    /// For a file that somebody else may write before commit(): only the checks. Throws as open().
    void reserve(const std::string& path);

    /// Gives every file that is complete its name, then throws UserError if one is not.
    void commit();

  private:
    static void require_writable_place(const std::string& path);
    void require_no_input(const std::string& path) const;
    void require_not_taken(const std::string& path);

    std::vector<std::string> inputs_;
    std::deque<OutputFile> files_; ///< addresses are handed out
    std::set<std::filesystem::path> taken_;
};

} // namespace pes

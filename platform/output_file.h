// SPDX-License-Identifier: Apache-2.0
// An output file that exists whole or not at all: written under a temporary name beside the target
// and renamed by commit(). Opening it before a run finds an unwritable place before any work.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace pes {

class OutputFile {
  public:
    /// Throws UserError if a file cannot be created there.
    explicit OutputFile(std::filesystem::path target);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Removes the temporary file unless it was committed.
    ~OutputFile();

    void write(std::string_view text);
    void write(std::span<const std::byte> bytes);
    /// Flushes and gives the file its name. Throws UserError if anything could not be written.
    void commit();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::filesystem::path target_;
    std::filesystem::path temporary_; ///< empty when the target is written in place
    std::unique_ptr<std::FILE, Close> file_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Input files of the commands; "-" is the standard input. What is wrong with one is a UserError.
#pragma once

#include <fstream>
#include <istream>
#include <string>

namespace pes {

class InputFile {
  public:
    explicit InputFile(const std::string& path);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile() = default;

    std::istream& stream() { return *stream_; }

    /// To be called after the last read.
    void require_read() const;

  private:
    std::string path_;
    std::ifstream file_;
    std::istream* stream_;
};

} // namespace pes

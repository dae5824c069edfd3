// SPDX-License-Identifier: Apache-2.0
// A result file that is either complete or not there: it is written beside its final name and moved
// into place by commit().
#pragma once

#include <fstream>
#include <ostream>
#include <string>

namespace pes {

class OutputFile {
  public:
    /// "-" is the standard output. Something that exists and is not a plain file (a pipe, a device)
    /// is written directly. Throws UserError if the place cannot be written.
    explicit OutputFile(const std::string& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    std::ostream& stream() { return *stream_; }

    /// Everything is written: give the file its name. Throws UserError, for example on a full disk.
    void commit();

  private:
    void open_temporary();

    std::string path_;      ///< as the user wrote it
    std::string target_;    ///< with symbolic links followed
    std::string temporary_; ///< empty if written directly or already moved
    std::ofstream file_;
    std::ostream* stream_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// A result file that exists whole or not at all: written under a temporary name beside the target
// and renamed by commit(). Opening it before the work finds an unwritable place in time.
#pragma once

#include "platform/host/file_descriptor.h"
#include "platform/host/waiting_buffer.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace pes {

class OutputFile {
  public:
    /// "-" is the standard output. Symbolic links are followed. What exists and is not a plain file
    /// (a pipe, a device) is written directly, and so is the file that the standard output or the
    /// error stream already goes to. Throws UserError if the place cannot be written.
    explicit OutputFile(std::filesystem::path path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Removes the temporary file unless it was committed.
    ~OutputFile();

    void write(std::string_view text);
    void write(std::span<const std::byte> bytes);
    std::ostream& stream() { return *stream_; }
    void flush();
    /// What belongs into it could not be made, with this errno: commit() will fail.
    void fail(int error);
    /// That write() has been given.
    std::uint64_t bytes() const { return bytes_; }

    /// Everything is written: gives the file its name. Throws UserError if anything was not
    /// written, for example on a full disk.
    void commit();
    /// The two halves of commit(): all that may fail, then the name.
    void finish();
    void publish();

  private:
    /// Where it goes if it is written directly.
    struct Direct {
        Direct(int descriptor, bool close);
        Direct(const Direct&) = delete;
        Direct& operator=(const Direct&) = delete;
        ~Direct() { stream.flush(); }

        std::optional<FileDescriptor> own; ///< closed in the end
        WaitingBuffer buffer;
        std::ostream stream{&buffer};
    };

    void open();
    void open_stream(int descriptor);
    void open_temporary();
    void remove_temporary();
    void note_failure();

    std::filesystem::path path_;      ///< as the user wrote it
    std::filesystem::path target_;    ///< with symbolic links followed
    std::filesystem::path temporary_; ///< empty if written directly or already moved
    std::ofstream file_;
    std::unique_ptr<Direct> direct_;
    std::ostream* stream_;
    std::uint64_t bytes_ = 0;
    int error_ = 0; ///< errno of the first failed write
};

/// Writes to the standard output, all of it. Throws UserError if it does not take it.
void print(std::string_view text);

} // namespace pes

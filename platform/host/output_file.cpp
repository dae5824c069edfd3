// SPDX-License-Identifier: Apache-2.0
#include "platform/host/output_file.h"

#include "platform/host/special_file.h"
#include "platform/host/temporary_files.h"
#include "platform/host/user_error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

namespace pes {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, int error) {
    throw UserError(
        "cannot write " +
        (path == "-" ? std::string("to the standard output") : "'" + path.string() + "'") + ": " +
        (error == ETIMEDOUT ? "its reader takes nothing" : std::strerror(error)));
}

/// The place itself: links followed, also one whose target is yet to be made.
fs::path resolved(fs::path path) {
    constexpr int kMostLinks = 40; // as Linux
    std::error_code ignored;
    for (int links = 0; links < kMostLinks && fs::is_symlink(path, ignored); ++links) {
        if (fs::exists(path, ignored)) {
            break; // weakly_canonical follows it
        }
        path = path.parent_path() / fs::read_symlink(path, ignored);
    }
    return fs::weakly_canonical(fs::absolute(path), ignored);
}

/// True if the process already writes to this file through an open stream. To replace it would
/// take the name away from what that stream writes.
bool is_stream(const fs::path& file, int descriptor) {
    struct stat by_name {};
    struct stat by_stream {};
    return ::stat(file.c_str(), &by_name) == 0 && ::fstat(descriptor, &by_stream) == 0 &&
           by_name.st_dev == by_stream.st_dev && by_name.st_ino == by_stream.st_ino;
}

/// The rights of the file that is replaced, or what the user's umask gives to a new file.
mode_t wanted_mode(const fs::path& target) {
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0) {
        return status.st_mode & 0777;
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// Why a file cannot be renamed to this (errno), or 0.
int obstacle(const fs::path& target) {
    std::error_code ignored;
    if (fs::is_directory(target, ignored)) {
        return EISDIR;
    }
    return ::access(target.parent_path().c_str(), W_OK) == 0 ? 0 : errno;
}

} // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), stream_(&file_) {
    if (path_ == "-") {
        open_stream(STDOUT_FILENO);
    } else {
        open();
    }
}

void OutputFile::open() {
    target_ = resolved(path_);
    std::error_code ignored;
    const fs::file_status status = fs::status(path_, ignored);
    if (fs::is_directory(status)) {
        cannot_write(path_, EISDIR);
    }
    if (!fs::exists(status)) {
        open_temporary();
        return;
    }
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        if (is_stream(path_, descriptor)) {
            open_stream(descriptor);
            return;
        }
    }
    // Refused although its directory would allow the rename.
    if (::access(path_.c_str(), W_OK) != 0) {
        cannot_write(path_, errno);
    }
    if (fs::is_regular_file(status)) {
        open_temporary();
        return;
    }
    direct_ = std::make_unique<Direct>(open_special_output(path_), true);
    stream_ = &direct_->stream;
}

OutputFile::Direct::Direct(int descriptor, bool close) : buffer(descriptor) {
    if (close) {
        own.emplace(descriptor);
    }
}

/// Behind what others have written there.
void OutputFile::open_stream(int descriptor) {
    std::cout.flush();
    direct_ = std::make_unique<Direct>(descriptor, false);
    stream_ = &direct_->stream;
    if (descriptor == STDERR_FILENO) {
        *stream_ << std::unitbuf; // in line with the messages of others
    }
}

void OutputFile::open_temporary() {
    std::string name = target_.string() + ".tmpXXXXXX";
    const int descriptor = temporary_files::make(name);
    if (descriptor < 0) {
        cannot_write(path_, errno);
    }
    temporary_ = name;
    bool good = ::fchmod(descriptor, wanted_mode(target_)) == 0;
    if (good) {
        file_.open(temporary_, std::ios::binary);
        good = file_.is_open();
    }
    const int error = errno;
    ::close(descriptor);
    if (!good) {
        remove_temporary();
        cannot_write(path_, error);
    }
}

void OutputFile::remove_temporary() {
    std::error_code ignored; // nothing to be done about it on the way out
    fs::remove(temporary_, ignored);
    temporary_files::forget(temporary_);
}

OutputFile::~OutputFile() {
    if (!temporary_.empty()) {
        remove_temporary();
    }
}

void OutputFile::write(std::string_view text) {
    errno = 0;
    bytes_ += text.size();
    stream_->write(text.data(), static_cast<std::streamsize>(text.size()));
    note_failure();
}

void OutputFile::write(std::span<const std::byte> bytes) {
    write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void OutputFile::flush() {
    errno = 0;
    stream_->flush();
    note_failure();
}

void OutputFile::fail(int error) {
    error_ = error_ == 0 ? error : error_;
}

void OutputFile::note_failure() {
    if (error_ == 0 && !*stream_) {
        error_ = errno != 0 ? errno : EIO;
    }
}

void OutputFile::commit() {
    finish();
    publish();
}

void OutputFile::finish() {
    flush();
    if (stream_ == &file_) {
        file_.close();
        note_failure();
    } else if (direct_ != nullptr && direct_->own) {
        stream_ = &file_; // a reader is told that this was all
        direct_.reset();
    }
    if (error_ == 0 && !temporary_.empty()) {
        error_ = obstacle(target_);
    }
    if (error_ != 0) {
        cannot_write(path_, error_);
    }
}

void OutputFile::publish() {
    if (temporary_.empty()) {
        return;
    }
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) {
        cannot_write(path_, error.value());
    }
    temporary_files::forget(temporary_);
    temporary_.clear();
}

void print(std::string_view text) {
    OutputFile out("-");
    out.write(text);
    out.commit();
}

} // namespace pes

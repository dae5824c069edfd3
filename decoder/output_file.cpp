// SPDX-License-Identifier: Apache-2.0
#include "decoder/output_file.h"

#include "decoder/user_error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

namespace pes {
namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
    throw UserError("cannot write '" + path + "': " + std::strerror(error));
}

/// The rights of the file that is replaced, or what the user's umask gives to a new file.
mode_t wanted_mode(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) {
        return status.st_mode & 0777;
    }
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

} // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), stream_(&file_) {
    if (path == "-") {
        stream_ = &std::cout;
        return;
    }
    std::error_code error;
    target_ = std::filesystem::weakly_canonical(path, error).string();
    if (error) {
        cannot_write(path_, error.value());
    }
    const auto status = std::filesystem::status(target_, error);
    if (std::filesystem::is_directory(status)) {
        cannot_write(path_, EISDIR);
    }
    if (std::filesystem::exists(status)) {
        if (access(target_.c_str(), W_OK) != 0) {
            cannot_write(path_, errno);
        }
        if (!std::filesystem::is_regular_file(status)) {
            file_.open(target_, std::ios::binary);
            return;
        }
    }
    open_temporary();
}

void OutputFile::open_temporary() {
    std::string name = target_ + ".XXXXXX";
    const int fd = mkstemp(name.data());
    if (fd < 0) {
        cannot_write(path_, errno);
    }
    temporary_ = name;
    const bool has_mode = fchmod(fd, wanted_mode(target_)) == 0;
    const int error = errno;
    close(fd);
    file_.open(temporary_, std::ios::binary);
    if (!has_mode || !file_) {
        std::filesystem::remove(temporary_);
        cannot_write(path_, error);
    }
}

OutputFile::~OutputFile() {
    if (!temporary_.empty()) {
        std::error_code ignored; // nothing to be done about it on the way out
        std::filesystem::remove(temporary_, ignored);
    }
}

void OutputFile::commit() {
    errno = 0;
    stream_->flush();
    if (!*stream_) {
        cannot_write(path_ == "-" ? "standard output" : path_, errno != 0 ? errno : EIO);
    }
    if (temporary_.empty()) {
        return;
    }
    file_.close();
    std::error_code error;
    if (file_) {
        std::filesystem::rename(temporary_, target_, error);
    } else {
        error = std::make_error_code(std::errc::io_error);
    }
    if (error) {
        cannot_write(path_, error.value());
    }
    temporary_.clear();
}

} // namespace pes

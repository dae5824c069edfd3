// SPDX-License-Identifier: Apache-2.0
#include "platform/output_file.h"

#include "platform/user_error.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace pes {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& target, int error) {
    throw UserError("cannot write '" + target.string() + "': " + std::strerror(error));
}

} // namespace

OutputFile::OutputFile(fs::path target) : target_(std::move(target)) {
    std::error_code ignored;
    if (fs::is_directory(target_, ignored)) {
        fail(target_, EISDIR);
    }
    // A device or a pipe (/dev/null, /dev/stdout) cannot be replaced by a rename. A file that may
    // not be written is refused although its directory would allow the rename.
    if (fs::exists(target_, ignored) && ::access(target_.c_str(), W_OK) != 0) {
        fail(target_, errno);
    }
    const bool replaceable = !fs::exists(target_, ignored) || fs::is_regular_file(target_, ignored);
    if (replaceable) {
        temporary_ = target_;
        temporary_ += ".tmp" + std::to_string(::getpid());
    }
    file_.reset(std::fopen((replaceable ? temporary_ : target_).c_str(), "wb"));
    if (!file_) {
        fail(target_, errno);
    }
}

OutputFile::~OutputFile() {
    if (!temporary_.empty()) {
        std::error_code ignored;
        fs::remove(temporary_, ignored);
    }
}

void OutputFile::write(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), file_.get());
}

void OutputFile::write(std::span<const std::byte> bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), file_.get());
}

void OutputFile::commit() {
    if (std::ferror(file_.get()) != 0 || std::fflush(file_.get()) != 0) {
        fail(target_, errno);
    }
    file_.reset();
    if (temporary_.empty()) {
        return;
    }
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) {
        fail(target_, error.value());
    }
    temporary_.clear();
}

} // namespace pes

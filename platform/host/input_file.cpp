// SPDX-License-Identifier: Apache-2.0
#include "platform/host/input_file.h"

#include "platform/host/special_file.h"
#include "platform/host/user_error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace pes {

InputFile::InputFile(const std::string& path) : path_(path), stream_(&file_) {
    if (path == "-") {
        stream_ = &std::cin;
        return;
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw UserError("cannot read '" + path + "': it is a directory, expected a file");
    }
    if (is_special(path)) {
        open_special(file_, path);
        return;
    }
    file_.open(path, std::ios::binary);
    if (!file_) {
        throw UserError("cannot open '" + path + "': " + std::strerror(errno));
    }
}

void InputFile::require_read() const {
    if (stream_->bad()) {
        throw UserError("cannot read '" + path_ + "': " + std::strerror(errno));
    }
}

} // namespace pes

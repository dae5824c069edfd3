// SPDX-License-Identifier: Apache-2.0
#include "decoder/input_file.h"

#include "hw/common/host/user_error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace pes {

std::ifstream open_input(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw UserError("cannot read '" + path + "': it is a directory, expected a file");
    }
    std::ifstream input(path, std::ios::binary);
    if (!input) {
        throw UserError("cannot open '" + path + "': " + std::strerror(errno));
    }
    return input;
}

void require_read(const std::ifstream& input, const std::string& path) {
    if (input.bad()) {
        throw UserError("cannot read '" + path + "': " + std::strerror(errno));
    }
}

} // namespace pes

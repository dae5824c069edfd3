// SPDX-License-Identifier: Apache-2.0
// Names from files as JSON strings, for output that is written as it comes.
#pragma once

#include <spdlog/fmt/fmt.h>
#include <string>
#include <string_view>

namespace pes::trace {

/// Quoted. Bytes that are not ASCII are taken as Latin-1, so that the result is UTF-8 always.
inline std::string json_string(std::string_view text) {
    std::string quoted = "\"";
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            quoted += '\\';
            quoted += character;
        } else if (byte < 0x20 || byte >= 0x7F) {
            quoted += fmt::format("\\u{:04x}", byte);
        } else {
            quoted += character;
        }
    }
    return quoted + '"';
}

} // namespace pes::trace

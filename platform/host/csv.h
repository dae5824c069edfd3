// SPDX-License-Identifier: Apache-2.0
// One field of a CSV line as RFC 4180 quotes it.
#pragma once

#include <string>
#include <string_view>

namespace pes {

inline std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(text);
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += '"';
        }
    }
    return quoted + '"';
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/host/subcommand.h"

#include "platform/host/user_error.h"

#include <algorithm>

namespace pes {

void require_known_subcommand(int argc, const char* const* argv,
                              std::initializer_list<std::string_view> names) {
    if (argc < 2) {
        return;
    }
    const std::string_view word = argv[1];
    if (word.starts_with('-') || std::ranges::find(names, word) != names.end()) {
        return;
    }
    std::string expected;
    for (const std::string_view name : names) {
        expected.append(expected.empty() ? "" : " or ").append(name);
    }
    throw UserError("unknown subcommand '" + std::string(word) + "', expected " + expected);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

} // namespace pes

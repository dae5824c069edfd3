// SPDX-License-Identifier: Apache-2.0
#include "platform/toml_integer.h"

#include <charconv>
#include <string>
#include <system_error>
#include <utility>

namespace pes {

std::optional<std::uint64_t> parse_toml_integer(std::string_view text) {
    int base = 10;
    for (const auto& [prefix, of_prefix] : {std::pair{"0x", 16}, {"0o", 8}, {"0b", 2}}) {
        if (text.starts_with(prefix)) {
            base = of_prefix;
            text.remove_prefix(2);
        }
    }
    if (base == 10 && text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const bool leading_zero = base == 10 && text.size() > 1 && text.front() == '0';
    const bool stray_underscore =
        text.starts_with('_') || text.ends_with('_') || text.find("__") != std::string_view::npos;
    std::string digits(text);
    std::erase(digits, '_');
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value, base);
    if (error != std::errc{} || rest != end || leading_zero || stray_underscore) {
        return std::nullopt;
    }
    return value;
}

} // namespace pes

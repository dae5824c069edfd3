// SPDX-License-Identifier: Apache-2.0
#include "platform/host/numbers.h"

#include <sstream>
#include <utility>

namespace pes {

std::optional<std::uint64_t> parse_address(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    text.remove_prefix(hexadecimal ? 2 : 0);
    return parse_digits(text, hexadecimal ? 16 : 10);
}

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
    if (leading_zero || stray_underscore) {
        return std::nullopt;
    }
    std::string digits(text);
    std::erase(digits, '_');
    return parse_digits(digits, base);
}

std::string hex(std::uint64_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t place = text.size(); place > 3;) {
        place -= 3;
        text.insert(place, 1, ',');
    }
    return text;
}

} // namespace pes

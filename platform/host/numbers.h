// SPDX-License-Identifier: Apache-2.0
// Numbers as people write and read them: options, configuration files, reports.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace pes {

/// All of `text` as digits of `base`, without sign, prefix or blanks; nothing if it is not.
template <std::unsigned_integral Number = std::uint64_t>
std::optional<Number> parse_digits(std::string_view text, int base = 10) {
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, base);
    return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

/// Hexadecimal after 0x or 0X, otherwise decimal.
std::optional<std::uint64_t> parse_address(std::string_view text);

/// A non-negative integer as TOML 1.0 writes it: a prefix for the base, no leading zero without
/// one, underscores between digits only. Nothing if `text` is not one.
std::optional<std::uint64_t> parse_toml_integer(std::string_view text);

/// "0x80000000".
std::string hex(std::uint64_t value);

/// "27,311,018".
std::string grouped(std::uint64_t value);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Parts that many packets share.
#pragma once

#include "platform/gdb/packet.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace pes::gdb {

inline constexpr const char* kOk = "OK";
inline constexpr const char* kMalformed = "E16"; // errno of an invalid argument, in hexadecimal
inline constexpr const char* kFault = "E0e";     // likewise of a bad address

/// "ADDRESS,LENGTH" and the like.
inline std::optional<std::pair<std::uint64_t, std::uint64_t>> numbers_of(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) {
        return std::nullopt;
    }
    const auto first = number_of(text.substr(0, comma));
    const auto second = number_of(text.substr(comma + 1));
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

} // namespace pes::gdb

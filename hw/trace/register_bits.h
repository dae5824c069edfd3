// SPDX-License-Identifier: Apache-2.0
// Bits and halves of the 32-bit registers of trace blocks.
#pragma once

#include <cstdint>

namespace pes::trace {

inline constexpr unsigned kWordBits = 32;
inline constexpr unsigned kLowHalf = 0; ///< of a 64-bit value in two registers
inline constexpr unsigned kHighHalf = 1;

constexpr std::uint32_t bit_if(bool condition, std::uint32_t bit) {
    return condition ? bit : 0;
}

constexpr std::uint32_t half_of(std::uint64_t whole, unsigned half) {
    return static_cast<std::uint32_t>(whole >> (half * kWordBits));
}

constexpr std::uint64_t with_half(std::uint64_t whole, unsigned half, std::uint32_t value) {
    constexpr std::uint64_t kLowMask = 0xFFFF'FFFF;
    return half == kLowHalf ? (whole & ~kLowMask) | value
                            : std::uint64_t{value} << kWordBits | (whole & kLowMask);
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// The CC field of a control transfer record: cycles as a 12-bit mantissa and a 4-bit exponent
// ("Cycle Counting").
#pragma once

#include <bit>
#include <cstdint>

namespace pes {

namespace cycle_count_detail {
inline constexpr unsigned kMantissaBits = 12;
inline constexpr std::uint64_t kMantissa = (1U << kMantissaBits) - 1;
} // namespace cycle_count_detail

/// The largest value that can be encoded; larger counts saturate.
inline constexpr std::uint64_t kMostCounted = 134'201'344;

constexpr std::uint16_t encode_cycles(std::uint64_t cycles) {
    using namespace cycle_count_detail;
    if (cycles >= kMostCounted) {
        return 0xFFFF;
    }
    if (cycles <= kMantissa) {
        return static_cast<std::uint16_t>(cycles);
    }
    const unsigned exponent = static_cast<unsigned>(std::bit_width(cycles)) - kMantissaBits;
    const std::uint64_t mantissa = cycles >> (exponent - 1) & kMantissa;
    return static_cast<std::uint16_t>(exponent << kMantissaBits | mantissa);
}

constexpr std::uint64_t decode_cycles(std::uint16_t field) {
    using namespace cycle_count_detail;
    const std::uint64_t mantissa = field & kMantissa;
    const unsigned exponent = field >> kMantissaBits;
    return exponent == 0 ? mantissa : (kMantissa + 1 + mantissa) << (exponent - 1);
}

} // namespace pes

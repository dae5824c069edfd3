// SPDX-License-Identifier: Apache-2.0
// The bits of a single-precision quotient by integer arithmetic: the library must not touch
// floating-point registers, which may be off or in use where it is called.
#pragma once

#include <stdint.h>

namespace pes::papi {

__extension__ typedef unsigned __int128 Wide;

constexpr int bit_width(Wide number) {
    const auto high = static_cast<uint64_t>(number >> 64);
    const auto low = static_cast<uint64_t>(number);
    if (high != 0) {
        return 128 - __builtin_clzl(high);
    }
    return low != 0 ? 64 - __builtin_clzl(low) : 0;
}

/// IEEE 754 binary32 of numerator / denominator, rounded to nearest, ties up; 0 if either is 0.
/// Both are below 2^100.
constexpr uint32_t float_ratio(Wide numerator, Wide denominator) {
    constexpr int kFraction = 23;
    constexpr int kBias = 127;
    if (numerator == 0 || denominator == 0) {
        return 0;
    }
    // A quotient of 25 or 26 bits: at least one below the fraction decides how to round.
    const int shift = kFraction + 2 + bit_width(denominator) - bit_width(numerator);
    if (shift >= 0) {
        numerator <<= shift;
    } else {
        denominator <<= -shift;
    }
    auto quotient = static_cast<uint64_t>(numerator / denominator);
    const int surplus = bit_width(quotient) - (kFraction + 1);
    quotient = (quotient + (uint64_t{1} << (surplus - 1))) >> surplus;
    // A carry out of the fraction counts up the exponent, as it must.
    const int exponent = surplus - shift + kFraction + kBias;
    return (static_cast<uint32_t>(exponent) << kFraction) +
           (static_cast<uint32_t>(quotient) - (1U << kFraction));
}

} // namespace pes::papi

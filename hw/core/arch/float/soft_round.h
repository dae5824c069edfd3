// SPDX-License-Identifier: Apache-2.0
// Shared by all soft operations: unpacking a number, right shifts with a sticky bit, and rounding a
// significand to a format.
#pragma once

#include "hw/core/arch/float/format.h"

#include <bit>
#include <climits>

namespace pes::fp::soft {

__extension__ using Uint128 = unsigned __int128;

/// A finite number other than zero: significand * 2^(exponent - 63), bit 63 of significand set.
struct Unpacked {
    bool negative;
    int exponent;
    std::uint64_t significand;
};

inline constexpr std::uint64_t kLeadingBit = std::uint64_t{1} << 63;

template <FloatBits Bits>
constexpr Unpacked unpack(Bits a) {
    using F = Format<Bits>;
    const std::uint64_t fraction = std::uint64_t{a & F::kFraction} << (63 - F::kFractionBits);
    const int biased = biased_exponent(a);
    if (biased == 0) {
        const int shift = std::countl_zero(fraction);
        return {is_negative(a), F::kMinExponent - shift, fraction << shift};
    }
    return {is_negative(a), biased - F::kBias, fraction | kLeadingBit};
}

/// Right shift that ORs everything shifted out into the lowest bit. That bit stays below the
/// rounding position of every format, so "more than half", "half" and "less" remain distinct.
template <class Word>
constexpr Word shift_right_jam(Word value, int distance) {
    if (distance <= 0) {
        return value;
    }
    if (distance >= static_cast<int>(sizeof(Word) * CHAR_BIT)) {
        return value != 0 ? 1 : 0;
    }
    const Word lost = value & ((Word{1} << distance) - 1);
    return (value >> distance) | (lost != 0 ? 1 : 0);
}

/// The upper 64 bits, with the lower ones jammed into bit 0.
constexpr std::uint64_t high_half_jam(Uint128 value) {
    return static_cast<std::uint64_t>(value >> 64) |
           (static_cast<std::uint64_t>(value) != 0 ? 1 : 0);
}

/// True if a magnitude between two neighbours rounds away from zero. `rest` is the part below the
/// last kept digit, `half` the weight of half that digit.
constexpr bool rounds_away(bool negative, bool odd, std::uint64_t rest, std::uint64_t half,
                           Rounding rounding) {
    switch (rounding) {
    case Rounding::NearestEven:
        return rest > half || (rest == half && odd);
    case Rounding::TowardZero:
        return false;
    case Rounding::Down:
        return negative && rest != 0;
    case Rounding::Up:
        return !negative && rest != 0;
    case Rounding::NearestMaxMagnitude:
        return rest >= half;
    }
    __builtin_unreachable();
}

/// IEEE 754 section 7.4: the overflow result is infinity or the largest finite number.
template <FloatBits Bits>
constexpr Bits overflow(bool negative, Rounding rounding, Flags& flags) {
    flags |= kOverflow | kInexact;
    const bool to_infinity = rounds_away(negative, true, 2, 1, rounding);
    return signed_infinity<Bits>(negative) - (to_infinity ? 0 : 1);
}

/// Rounds to the format. `value.significand` has bit 63 set; bit 0 may be a jammed sticky bit.
template <FloatBits Bits>
constexpr Bits round_pack(Unpacked value, Rounding rounding, Flags& flags) {
    using F = Format<Bits>;
    constexpr int kDiscarded = 63 - F::kFractionBits;
    constexpr std::uint64_t kRest = (std::uint64_t{1} << kDiscarded) - 1;
    constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDiscarded - 1);
    const auto rounded = [&](std::uint64_t significand) {
        const std::uint64_t kept = significand >> kDiscarded;
        return kept +
               (rounds_away(value.negative, (kept & 1) != 0, significand & kRest, kHalf, rounding)
                    ? 1
                    : 0);
    };

    int biased = value.exponent + F::kBias;
    bool tiny = false;
    if (biased < 1) {
        // Tininess after rounding: the value rounded as if the exponent had no lower bound is
        // still below the smallest normal number.
        const bool reaches_normal = rounded(value.significand) >> (F::kFractionBits + 1) != 0;
        tiny = biased < 0 || !reaches_normal;
        value.significand = shift_right_jam(value.significand, 1 - biased);
        biased = 1;
    }
    // The leading bit is added to the exponent field: a subnormal lacks it, a carry makes it two.
    const std::uint64_t kept = rounded(value.significand);
    const std::uint64_t packed =
        (static_cast<std::uint64_t>(biased - 1) << F::kFractionBits) + kept;
    if (biased >= F::kMaxBiased || packed >= F::kInfinity) {
        return overflow<Bits>(value.negative, rounding, flags);
    }
    if ((value.significand & kRest) != 0) {
        flags |= tiny ? kUnderflow | kInexact : kInexact;
    }
    return static_cast<Bits>(packed) | signed_zero<Bits>(value.negative);
}

/// The result of an operation with at least one NaN operand.
template <FloatBits Bits, std::same_as<Bits>... Others>
constexpr Bits propagate_nan(Flags& flags, Bits a, Others... others) {
    flags |= (is_signaling(a) || ... || is_signaling(others)) ? kInvalid : Flags{0};
    return Format<Bits>::kCanonicalNan;
}

template <FloatBits Bits>
constexpr Bits invalid_operation(Flags& flags) {
    flags |= kInvalid;
    return Format<Bits>::kCanonicalNan;
}

} // namespace pes::fp::soft

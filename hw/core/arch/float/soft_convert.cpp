// SPDX-License-Identifier: Apache-2.0
// Conversions between the two formats and to and from the four integer types.
#include "hw/core/arch/float/soft.h"
#include "hw/core/arch/float/soft_round.h"

#include <limits>

namespace pes::fp::soft {
namespace {

/// NaN, infinity and zero keep their kind and sign in the other format.
template <FloatBits To, FloatBits From>
To convert(From a, Rounding rounding, Flags& flags) {
    if (is_nan(a)) {
        propagate_nan(flags, a);
        return Format<To>::kCanonicalNan;
    }
    if (is_infinity(a)) {
        return signed_infinity<To>(is_negative(a));
    }
    if (is_zero(a)) {
        return signed_zero<To>(is_negative(a));
    }
    return round_pack<To>(unpack(a), rounding, flags);
}

struct RoundedMagnitude {
    std::uint64_t value;
    bool inexact;
};

/// |a| to an integer, for |a| < 2^64.
RoundedMagnitude round_to_integer(const Unpacked& a, Rounding rounding) {
    // Fixed point with the integer in the upper 64 bits and the fraction, jammed, in the lower.
    const Uint128 fixed = shift_right_jam(Uint128{a.significand} << 64, 63 - a.exponent);
    const auto integer = static_cast<std::uint64_t>(fixed >> 64);
    const auto fraction = static_cast<std::uint64_t>(fixed);
    const bool away = rounds_away(a.negative, (integer & 1) != 0, fraction, kLeadingBit, rounding);
    return {integer + (away ? 1 : 0), fraction != 0};
}

} // namespace

std::uint32_t single_from_double(std::uint64_t a, Rounding rounding, Flags& flags) {
    return convert<std::uint32_t>(a, rounding, flags);
}

std::uint64_t double_from_single(std::uint32_t a, Flags& flags) {
    return convert<std::uint64_t>(a, Rounding::NearestEven, flags); // always exact
}

template <FloatBits Bits, ConvertibleInteger Integer>
Bits from_integer(Integer value, Rounding rounding, Flags& flags) {
    if (value == 0) {
        return 0;
    }
    const bool negative = value < 0;
    // Two's complement: 0 - x modulo 2^64 is the magnitude, also of the most negative value.
    const auto extended = static_cast<std::uint64_t>(value);
    const std::uint64_t size = negative ? 0 - extended : extended;
    const int shift = std::countl_zero(size);
    return round_pack<Bits>({negative, 63 - shift, size << shift}, rounding, flags);
}

template <ConvertibleInteger Integer, FloatBits Bits>
Integer to_integer(Bits a, Rounding rounding, Flags& flags) {
    using Limits = std::numeric_limits<Integer>;
    const auto saturated = [&](bool negative) {
        flags |= kInvalid;
        return negative ? Limits::min() : Limits::max();
    };
    if (is_nan(a)) {
        return saturated(false);
    }
    if (is_zero(a)) {
        return 0;
    }
    if (biased_exponent(a) >= Format<Bits>::kBias + 64) { // 2^64 and beyond, infinity
        return saturated(is_negative(a));
    }
    const Unpacked number = unpack(a);
    const RoundedMagnitude rounded = round_to_integer(number, rounding);
    const auto limit = number.negative ? 0 - static_cast<std::uint64_t>(Limits::min())
                                       : static_cast<std::uint64_t>(Limits::max());
    if (rounded.value > limit) {
        return saturated(number.negative);
    }
    flags |= rounded.inexact ? kInexact : Flags{0};
    return static_cast<Integer>(number.negative ? 0 - rounded.value : rounded.value);
}

template std::uint32_t from_integer(std::int32_t, Rounding, Flags&);
template std::uint32_t from_integer(std::uint32_t, Rounding, Flags&);
template std::uint32_t from_integer(std::int64_t, Rounding, Flags&);
template std::uint32_t from_integer(std::uint64_t, Rounding, Flags&);
template std::uint64_t from_integer(std::int32_t, Rounding, Flags&);
template std::uint64_t from_integer(std::uint32_t, Rounding, Flags&);
template std::uint64_t from_integer(std::int64_t, Rounding, Flags&);
template std::uint64_t from_integer(std::uint64_t, Rounding, Flags&);

template std::int32_t to_integer(std::uint32_t, Rounding, Flags&);
template std::uint32_t to_integer(std::uint32_t, Rounding, Flags&);
template std::int64_t to_integer(std::uint32_t, Rounding, Flags&);
template std::uint64_t to_integer(std::uint32_t, Rounding, Flags&);
template std::int32_t to_integer(std::uint64_t, Rounding, Flags&);
template std::uint32_t to_integer(std::uint64_t, Rounding, Flags&);
template std::int64_t to_integer(std::uint64_t, Rounding, Flags&);
template std::uint64_t to_integer(std::uint64_t, Rounding, Flags&);

} // namespace pes::fp::soft

// SPDX-License-Identifier: Apache-2.0
// Comparison, minimum, maximum and classification, on bit patterns, since none of them rounds.
#pragma once

#include "hw/core/arch/float/format.h"

namespace pes::fp {

namespace detail {

/// a < b for operands that are not NaN, with -0 below +0.
template <FloatBits Bits>
constexpr bool below_by_sign_and_magnitude(Bits a, Bits b) {
    if (is_negative(a) != is_negative(b)) {
        return is_negative(a);
    }
    return is_negative(a) ? b < a : a < b;
}

} // namespace detail

/// feq: quiet, only a signaling NaN raises NV.
template <FloatBits Bits>
constexpr bool equal(Bits a, Bits b, Flags& flags) {
    if (is_nan(a) || is_nan(b)) {
        flags |= is_signaling(a) || is_signaling(b) ? kInvalid : Flags{0};
        return false;
    }
    return a == b || (is_zero(a) && is_zero(b));
}

/// flt: signaling, every NaN raises NV.
template <FloatBits Bits>
constexpr bool less(Bits a, Bits b, Flags& flags) {
    if (is_nan(a) || is_nan(b)) {
        flags |= kInvalid;
        return false;
    }
    return detail::below_by_sign_and_magnitude(a, b) && !(is_zero(a) && is_zero(b));
}

/// fle: signaling.
template <FloatBits Bits>
constexpr bool less_equal(Bits a, Bits b, Flags& flags) {
    if (is_nan(a) || is_nan(b)) {
        flags |= kInvalid;
        return false;
    }
    return !detail::below_by_sign_and_magnitude(b, a) || (is_zero(a) && is_zero(b));
}

namespace detail {

enum class Extremum : std::uint8_t { Minimum, Maximum };

/// minimumNumber and maximumNumber of IEEE 754-2019: -0 < +0, and a number wins over a NaN.
template <Extremum Which, FloatBits Bits>
constexpr Bits extremum(Bits a, Bits b, Flags& flags) {
    if (is_nan(a) || is_nan(b)) {
        flags |= is_signaling(a) || is_signaling(b) ? kInvalid : Flags{0};
        if (!is_nan(a)) {
            return a;
        }
        return is_nan(b) ? Format<Bits>::kCanonicalNan : b;
    }
    return below_by_sign_and_magnitude(a, b) == (Which == Extremum::Minimum) ? a : b;
}

} // namespace detail

/// fmin of version 2.2 and later of the F and D extensions.
template <FloatBits Bits>
constexpr Bits min(Bits a, Bits b, Flags& flags) {
    return detail::extremum<detail::Extremum::Minimum>(a, b, flags);
}

/// fmax of version 2.2 and later of the F and D extensions.
template <FloatBits Bits>
constexpr Bits max(Bits a, Bits b, Flags& flags) {
    return detail::extremum<detail::Extremum::Maximum>(a, b, flags);
}

/// fclass: exactly one of ten bits, in the order of the specification's table.
template <FloatBits Bits>
constexpr std::uint32_t classify(Bits a) {
    if (is_nan(a)) {
        return is_signaling(a) ? 1u << 8 : 1u << 9;
    }
    // Distance from zero: 0 zero, 1 subnormal, 2 normal, 3 infinity.
    const int biased = biased_exponent(a);
    int distance = 2;
    if (is_zero(a)) {
        distance = 0;
    } else if (biased == 0) {
        distance = 1;
    } else if (biased == Format<Bits>::kMaxBiased) {
        distance = 3;
    }
    return 1u << (is_negative(a) ? 3 - distance : 4 + distance);
}

} // namespace pes::fp

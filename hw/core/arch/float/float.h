// SPDX-License-Identifier: Apache-2.0
// IEEE 754 arithmetic as the F and D extensions of the RISC-V unprivileged specification define it:
// results in raw bits, five rounding modes, tininess detected after rounding, canonical NaNs.
// Flags accumulate into the caller's fflags. Each operation first tries the host's arithmetic,
// which is correct for round-to-nearest-even with ordinary results, and falls back on soft.h; both
// give the same bits. Sign injection and fmv are bit operations of the caller.
#pragma once

#include "hw/core/arch/float/compare.h"
#include "hw/core/arch/float/format.h"
#include "hw/core/arch/float/host.h"
#include "hw/core/arch/float/soft.h"

#include <utility>

namespace pes::fp {

template <FloatBits Bits>
inline Bits add(Bits a, Bits b, Rounding rounding, Flags& flags) {
    const auto x = host::value(a);
    const auto y = host::value(b);
    const auto sum = x + y;
    const Bits result = host::bits(sum);
    // A sum below the normal range is always exact, so only overflow needs a test.
    if (rounding == Rounding::NearestEven && host::is_below_overflow(result)) [[likely]] {
        if ((flags & kInexact) == 0 && host::sum_error(x, y, sum) != 0) {
            flags |= kInexact;
        }
        return result;
    }
    return soft::add(a, b, rounding, flags);
}

/// a - b is always a + (-b), because the sign of a NaN never matters.
template <FloatBits Bits>
inline Bits sub(Bits a, Bits b, Rounding rounding, Flags& flags) {
    return add(a, negate(b), rounding, flags);
}

template <FloatBits Bits>
inline Bits mul(Bits a, Bits b, Rounding rounding, Flags& flags) {
    const auto x = host::value(a);
    const auto y = host::value(b);
    const auto product = x * y;
    const Bits result = host::bits(product);
    if (rounding == Rounding::NearestEven) [[likely]] {
        if ((flags & kInexact) != 0 && host::is_safely_normal(result)) [[likely]] {
            return result;
        }
        if (host::has_representable_error(result)) {
            flags |= host::product_error(x, y, product) != 0 ? kInexact : Flags{0};
            return result;
        }
    }
    return soft::mul(a, b, rounding, flags);
}

template <FloatBits Bits>
inline Bits div(Bits a, Bits b, Rounding rounding, Flags& flags) {
    const auto x = host::value(a);
    const auto y = host::value(b);
    const auto quotient = x / y;
    const Bits result = host::bits(quotient);
    if (rounding == Rounding::NearestEven && host::is_safely_normal(result)) [[likely]] {
        if ((flags & kInexact) != 0) [[likely]] {
            return result;
        }
        if (host::has_representable_error(a)) {
            flags |= std::fma(quotient, y, -x) != 0 ? kInexact : Flags{0};
            return result;
        }
    }
    return soft::div(a, b, rounding, flags);
}

template <FloatBits Bits>
inline Bits sqrt(Bits a, Rounding rounding, Flags& flags) {
    if (rounding == Rounding::NearestEven && !is_negative(a) && host::has_representable_error(a))
        [[likely]] {
        const auto x = host::value(a);
        const auto root = std::sqrt(x);
        if ((flags & kInexact) == 0 && std::fma(root, root, -x) != 0) {
            flags |= kInexact;
        }
        return host::bits(root);
    }
    return soft::sqrt(a, rounding, flags);
}

/// a * b + c with one rounding. fmsub, fnmsub and fnmadd negate a and c as they need.
template <FloatBits Bits>
inline Bits fma(Bits a, Bits b, Bits c, Rounding rounding, Flags& flags) {
    const auto x = host::value(a);
    const auto y = host::value(b);
    const auto z = host::value(c);
    if (rounding == Rounding::NearestEven) [[likely]] {
        if ((flags & kInexact) != 0) [[likely]] {
            const Bits result = host::bits(std::fma(x, y, z));
            if (host::is_safely_normal(result)) [[likely]] {
                return result;
            }
        } else {
            // Exact product and exact sum: typical of small integers held in floating point.
            const auto product = x * y;
            const auto sum = product + z;
            const Bits result = host::bits(sum);
            if (host::has_representable_error(host::bits(product)) &&
                host::is_below_overflow(result) && host::sum_error(product, z, sum) == 0 &&
                host::product_error(x, y, product) == 0) {
                return result;
            }
        }
    }
    return soft::fma(a, b, c, rounding, flags);
}

/// fcvt.s.d
inline std::uint32_t single_from_double(std::uint64_t a, Rounding rounding, Flags& flags) {
    const double wide = host::value(a);
    const auto narrow = static_cast<float>(wide);
    if (rounding == Rounding::NearestEven && host::is_safely_normal(host::bits(narrow)))
        [[likely]] {
        flags |= static_cast<double>(narrow) != wide ? kInexact : Flags{0};
        return host::bits(narrow);
    }
    return soft::single_from_double(a, rounding, flags);
}

/// fcvt.d.s: exact whatever the rounding mode.
inline std::uint64_t double_from_single(std::uint32_t a, Flags& flags) {
    if (is_nan(a)) [[unlikely]] {
        return soft::double_from_single(a, flags);
    }
    return host::bits(static_cast<double>(host::value(a)));
}

/// fcvt.{s,d}.{w,wu,l,lu}
template <FloatBits Bits, ConvertibleInteger Integer>
inline Bits from_integer(Integer value, Rounding rounding, Flags& flags) {
    const auto number = static_cast<host::Value<Bits>>(value);
    const auto extended = static_cast<std::uint64_t>(value);
    const std::uint64_t size = value < 0 ? 0 - extended : extended;
    const bool exact = value == 0 || std::bit_width(size) - std::countr_zero(size) <=
                                         Format<Bits>::kFractionBits + 1;
    if (exact) [[likely]] {
        return host::bits(number);
    }
    if (rounding == Rounding::NearestEven) {
        flags |= kInexact;
        return host::bits(number);
    }
    return soft::from_integer<Bits>(value, rounding, flags);
}

/// fcvt.{w,wu,l,lu}.{s,d}. The caller sign-extends 32-bit results, unsigned ones too.
template <ConvertibleInteger Integer, FloatBits Bits>
inline Integer to_integer(Bits a, Rounding rounding, Flags& flags) {
    // Below 2^63 the host's truncation to 64 bits, which a C cast performs, is exact.
    if (rounding == Rounding::TowardZero && host::exponent_within<0, Format<Bits>::kBias + 62>(a))
        [[likely]] {
        const auto number = host::value(a);
        const auto truncated = static_cast<std::int64_t>(number);
        if (std::in_range<Integer>(truncated)) [[likely]] {
            flags |= static_cast<host::Value<Bits>>(truncated) != number ? kInexact : Flags{0};
            return static_cast<Integer>(truncated);
        }
    }
    return soft::to_integer<Integer>(a, rounding, flags);
}

} // namespace pes::fp

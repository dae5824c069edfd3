// SPDX-License-Identifier: Apache-2.0
// Integer-only arithmetic: every rounding mode, every flag, any operand. This is the reference
// that the host paths of float.h fall back on. Instantiated for std::uint32_t and std::uint64_t.
#pragma once

#include "hw/core/arch/float/format.h"

namespace pes::fp::soft {

template <FloatBits Bits>
Bits add(Bits a, Bits b, Rounding rounding, Flags& flags);

template <FloatBits Bits>
Bits mul(Bits a, Bits b, Rounding rounding, Flags& flags);

template <FloatBits Bits>
Bits div(Bits a, Bits b, Rounding rounding, Flags& flags);

template <FloatBits Bits>
Bits sqrt(Bits a, Rounding rounding, Flags& flags);

/// a * b + c with one rounding. Infinity times zero raises NV even if c is a quiet NaN.
template <FloatBits Bits>
Bits fma(Bits a, Bits b, Bits c, Rounding rounding, Flags& flags);

std::uint32_t single_from_double(std::uint64_t a, Rounding rounding, Flags& flags);
std::uint64_t double_from_single(std::uint32_t a, Flags& flags);

template <FloatBits Bits, ConvertibleInteger Integer>
Bits from_integer(Integer value, Rounding rounding, Flags& flags);

/// Out of range: the nearest bound, and NV without NX. NaN: the upper bound and NV.
template <ConvertibleInteger Integer, FloatBits Bits>
Integer to_integer(Bits a, Rounding rounding, Flags& flags);

} // namespace pes::fp::soft

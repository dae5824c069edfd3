// SPDX-License-Identifier: Apache-2.0
// The same operations computed by the host's floating-point unit with its rounding mode set and its
// exception flags read: an implementation that shares nothing with the one under test.
// Round-to-nearest-max-magnitude, which no host has, is derived: the result differs from
// nearest-even only where the exact value is a tie, and extended precision tells whether it is.
#pragma once

#include "hw/core/arch/float/format.h"

namespace pes::fp::test {

template <class Result>
struct Outcome {
    Result result;
    Flags flags;
    bool operator==(const Outcome&) const = default;
};

enum class Operation : std::uint8_t { Add, Subtract, Multiply, Divide, SquareRoot, MultiplyAdd };

/// Unused operands are ignored. A NaN result is reported as the canonical one.
template <FloatBits Bits>
Outcome<Bits> host_arithmetic(Operation operation, Bits a, Bits b, Bits c, Rounding rounding);

Outcome<std::uint32_t> host_single_from_double(std::uint64_t a, Rounding rounding);

Outcome<std::uint64_t> host_double_from_single(std::uint32_t a);

template <FloatBits Bits, ConvertibleInteger Integer>
Outcome<Bits> host_from_integer(Integer value, Rounding rounding);

template <ConvertibleInteger Integer, FloatBits Bits>
Outcome<Integer> host_to_integer(Bits a, Rounding rounding);

} // namespace pes::fp::test

// SPDX-License-Identifier: Apache-2.0
// Conditions under which the host's floating-point result is the guest's. The host runs in its
// default state (round to nearest even, exceptions masked), which nothing here changes or reads. A
// host result is usable if no flag but NX can be raised; NX follows from the rounding error, which
// these functions compute exactly (error-free transformations).
#pragma once

#include "hw/core/arch/float/format.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <concepts>
#include <limits>

namespace pes::fp::host {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559 &&
                  FLT_EVAL_METHOD == 0,
              "host arithmetic must be IEEE 754 without excess precision");

template <FloatBits Bits>
using Value = typename Format<Bits>::Host;

template <FloatBits Bits>
Value<Bits> value(Bits bits) {
    return std::bit_cast<Value<Bits>>(bits);
}

inline std::uint32_t bits(float number) {
    return std::bit_cast<std::uint32_t>(number);
}

inline std::uint64_t bits(double number) {
    return std::bit_cast<std::uint64_t>(number);
}

/// True if the biased exponent lies in First..Last, with one comparison.
template <int First, int Last, FloatBits Bits>
bool exponent_within(Bits a) {
    constexpr int kShift = Format<Bits>::kFractionBits + 1; // after the sign is shifted out
    constexpr Bits kFirst = Bits{First} << kShift;
    constexpr Bits kSpan = Bits{Last - First + 1} << kShift;
    return static_cast<Bits>(static_cast<Bits>(a << 1) - kFirst) < kSpan;
}

/// Finite and far enough from overflow that no step of sum_error() overflows. Includes zero.
template <FloatBits Bits>
bool is_below_overflow(Bits a) {
    return exponent_within<0, Format<Bits>::kMaxBiased - 2>(a);
}

/// Normal, finite and certainly not tiny. The smallest normal number is excluded, because the
/// rounded value does not tell whether UF must be raised.
template <FloatBits Bits>
bool is_safely_normal(Bits a) {
    return exponent_within<2, Format<Bits>::kMaxBiased - 2>(a);
}

/// Large enough that the rounding error of a product, quotient or root of this size is a
/// representable number, so that a zero error means an exact result.
template <FloatBits Bits>
bool has_representable_error(Bits a) {
    return exponent_within<Format<Bits>::kFractionBits + 3, Format<Bits>::kMaxBiased - 2>(a);
}

/// (a + b) - sum without rounding (Knuth's two-sum), for sum = a + b as rounded.
template <std::floating_point T>
T sum_error(T a, T b, T sum) {
    const T b_part = sum - a;
    const T a_part = sum - b_part;
    return (a - a_part) + (b - b_part);
}

/// a * b - product without rounding, for product = a * b as rounded. std::fma is one instruction
/// behind an indirect call on hosts that have it, and correct in software on the others.
inline double product_error(double a, double b, double product) {
    return std::fma(a, b, -product);
}

/// A double holds the product of two singles exactly, and its distance to the rounded one.
inline float product_error(float a, float b, float product) {
    return static_cast<float>(double{a} * double{b} - double{product});
}

} // namespace pes::fp::host

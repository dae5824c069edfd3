// SPDX-License-Identifier: Apache-2.0
// The two IEEE 754 binary formats of the F and D extensions, as bit patterns: a single is a
// std::uint32_t, a double a std::uint64_t, and every function is a template over that type.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace pes::fp {

/// Rounding modes with the encoding of frm (unprivileged specification, "F" extension, frm table).
enum class Rounding : std::uint8_t {
    NearestEven = 0,
    TowardZero = 1,
    Down = 2,
    Up = 3,
    NearestMaxMagnitude = 4,
};

/// Accrued exceptions with the bit positions of fflags. Functions OR into the caller's copy.
using Flags = std::uint8_t;
inline constexpr Flags kInexact = 1;      // NX
inline constexpr Flags kUnderflow = 2;    // UF: tiny after rounding, and inexact
inline constexpr Flags kOverflow = 4;     // OF
inline constexpr Flags kDivideByZero = 8; // DZ
inline constexpr Flags kInvalid = 16;     // NV

template <class T>
concept FloatBits = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

template <class T>
concept ConvertibleInteger = std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t>;

template <FloatBits Bits>
struct Format {
    using Host = std::conditional_t<sizeof(Bits) == 4, float, double>;
    static constexpr int kFractionBits = sizeof(Bits) == 4 ? 23 : 52;
    static constexpr int kExponentBits = sizeof(Bits) == 4 ? 8 : 11;
    static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
    static constexpr int kMinExponent = 1 - kBias;              ///< of a normal number
    static constexpr int kMaxBiased = (1 << kExponentBits) - 1; ///< infinities and NaNs
    static constexpr Bits kSign = Bits{1} << (kFractionBits + kExponentBits);
    static constexpr Bits kFraction = (Bits{1} << kFractionBits) - 1;
    static constexpr Bits kInfinity = Bits{kMaxBiased} << kFractionBits;
    static constexpr Bits kQuiet = Bits{1} << (kFractionBits - 1);
    static constexpr Bits kCanonicalNan = kInfinity | kQuiet;
};

template <FloatBits Bits>
constexpr bool is_negative(Bits a) {
    return (a & Format<Bits>::kSign) != 0;
}

template <FloatBits Bits>
constexpr Bits negate(Bits a) {
    return a ^ Format<Bits>::kSign;
}

/// The value without its sign bit.
template <FloatBits Bits>
constexpr Bits magnitude(Bits a) {
    return a & static_cast<Bits>(~Format<Bits>::kSign);
}

template <FloatBits Bits>
constexpr int biased_exponent(Bits a) {
    return static_cast<int>(magnitude(a) >> Format<Bits>::kFractionBits);
}

template <FloatBits Bits>
constexpr bool is_nan(Bits a) {
    return magnitude(a) > Format<Bits>::kInfinity;
}

template <FloatBits Bits>
constexpr bool is_signaling(Bits a) {
    return is_nan(a) && (a & Format<Bits>::kQuiet) == 0;
}

template <FloatBits Bits>
constexpr bool is_infinity(Bits a) {
    return magnitude(a) == Format<Bits>::kInfinity;
}

template <FloatBits Bits>
constexpr bool is_zero(Bits a) {
    return magnitude(a) == 0;
}

template <FloatBits Bits>
constexpr Bits signed_infinity(bool negative) {
    return Format<Bits>::kInfinity | (negative ? Format<Bits>::kSign : Bits{0});
}

template <FloatBits Bits>
constexpr Bits signed_zero(bool negative) {
    return negative ? Format<Bits>::kSign : Bits{0};
}

/// A single in a 64-bit register: upper half all ones ("NaN boxing of narrower values").
constexpr std::uint64_t box32(std::uint32_t value) {
    return 0xffff'ffff'0000'0000u | value;
}

/// An improperly boxed single reads as the canonical NaN. Moves and stores do not use this.
constexpr std::uint32_t unbox32(std::uint64_t reg) {
    return (reg >> 32) == 0xffff'ffffu ? static_cast<std::uint32_t>(reg)
                                       : Format<std::uint32_t>::kCanonicalNan;
}

} // namespace pes::fp

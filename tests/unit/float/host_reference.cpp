// SPDX-License-Identifier: Apache-2.0
// Compiled with -frounding-math; operands and results pass through volatile objects so that no
// operation moves out of the section in which the rounding mode is set.
#include "tests/unit/float/host_reference.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace pes::fp::test {
namespace {

int host_mode(Rounding rounding) {
    switch (rounding) {
    case Rounding::TowardZero:
        return FE_TOWARDZERO;
    case Rounding::Down:
        return FE_DOWNWARD;
    case Rounding::Up:
        return FE_UPWARD;
    case Rounding::NearestEven:
    case Rounding::NearestMaxMagnitude:
        return FE_TONEAREST;
    }
    __builtin_unreachable();
}

/// Sets the rounding mode and clears the flags; puts the mode back when it goes out of scope.
class HostEnvironment {
  public:
    explicit HostEnvironment(Rounding rounding) : before_(std::fegetround()) {
        std::fesetround(host_mode(rounding));
        std::feclearexcept(FE_ALL_EXCEPT);
    }
    ~HostEnvironment() { std::fesetround(before_); }
    HostEnvironment(const HostEnvironment&) = delete;
    HostEnvironment& operator=(const HostEnvironment&) = delete;

    static Flags flags() {
        const int raised = std::fetestexcept(FE_ALL_EXCEPT);
        Flags flags = 0;
        flags |= (raised & FE_INEXACT) != 0 ? kInexact : Flags{0};
        flags |= (raised & FE_UNDERFLOW) != 0 ? kUnderflow : Flags{0};
        flags |= (raised & FE_OVERFLOW) != 0 ? kOverflow : Flags{0};
        flags |= (raised & FE_DIVBYZERO) != 0 ? kDivideByZero : Flags{0};
        flags |= (raised & FE_INVALID) != 0 ? kInvalid : Flags{0};
        return flags;
    }

  private:
    int before_;
};

template <FloatBits Bits>
using Host = typename Format<Bits>::Host;

template <class Value>
Value compute(Operation operation, Value a, Value b, Value c) {
    volatile Value x = a;
    volatile Value y = b;
    volatile Value z = c;
    volatile Value result = 0;
    switch (operation) {
    case Operation::Add:
        result = x + y;
        break;
    case Operation::Subtract:
        result = x - y;
        break;
    case Operation::Multiply:
        result = x * y;
        break;
    case Operation::Divide:
        result = x / y;
        break;
    case Operation::SquareRoot:
        result = std::sqrt(x);
        break;
    case Operation::MultiplyAdd:
        result = std::fma(x, y, z);
        break;
    }
    return result;
}

template <FloatBits Bits>
Bits canonical(Host<Bits> value) {
    const auto bits = std::bit_cast<Bits>(value);
    return is_nan(bits) ? Format<Bits>::kCanonicalNan : bits;
}

/// Runs `operation` in one rounding mode and collects result and flags.
template <FloatBits Bits, class Body>
Outcome<Bits> observe(Rounding rounding, const Body& operation) {
    const HostEnvironment environment(rounding);
    const volatile Host<Bits> value = operation();
    const Flags flags = HostEnvironment::flags();
    return {canonical<Bits>(value), flags};
}

/// `narrow` computes in the format, `wide` the same in extended precision (64-bit significand and a
/// larger exponent range): a tie lies one bit beyond the format, so there it is exact.
template <FloatBits Bits, class Narrow, class Wide>
Outcome<Bits> round_to_max_magnitude(const Narrow& narrow, const Wide& wide) {
    const Outcome<Bits> nearest = observe<Bits>(Rounding::NearestEven, narrow);
    if ((nearest.flags & kInexact) == 0 || (nearest.flags & kOverflow) != 0) {
        return nearest; // exact, or infinite in both modes: the limit is a tie that goes to even
    }
    const auto down = std::bit_cast<Host<Bits>>(observe<Bits>(Rounding::Down, narrow).result);
    const auto up = std::bit_cast<Host<Bits>>(observe<Bits>(Rounding::Up, narrow).result);
    if (std::isinf(down) || std::isinf(up)) {
        return nearest; // between the largest finite number and the overflow limit: no tie
    }
    const long double middle =
        (static_cast<long double>(down) + static_cast<long double>(up)) / 2.0L;
    const HostEnvironment environment(Rounding::NearestEven);
    const volatile long double extended = wide();
    const bool tie = (HostEnvironment::flags() & kInexact) == 0 && extended == middle;
    if (!tie) {
        return nearest;
    }
    const bool up_is_larger = std::fabs(up) > std::fabs(down);
    return {canonical<Bits>(up_is_larger ? up : down), nearest.flags};
}

template <FloatBits Bits, class Narrow, class Wide>
Outcome<Bits> in_every_mode(Rounding rounding, const Narrow& narrow, const Wide& wide) {
    return rounding == Rounding::NearestMaxMagnitude ? round_to_max_magnitude<Bits>(narrow, wide)
                                                     : observe<Bits>(rounding, narrow);
}

} // namespace

template <FloatBits Bits>
Outcome<Bits> host_arithmetic(Operation operation, Bits a, Bits b, Bits c, Rounding rounding) {
    const auto x = std::bit_cast<Host<Bits>>(a);
    const auto y = std::bit_cast<Host<Bits>>(b);
    const auto z = std::bit_cast<Host<Bits>>(c);
    return in_every_mode<Bits>(
        rounding, [&] { return compute<Host<Bits>>(operation, x, y, z); },
        [&] { return compute<long double>(operation, x, y, z); });
}

Outcome<std::uint32_t> host_single_from_double(std::uint64_t a, Rounding rounding) {
    const volatile auto wide = std::bit_cast<double>(a);
    return in_every_mode<std::uint32_t>(
        rounding, [&] { return static_cast<float>(wide); },
        [&] { return static_cast<long double>(wide); });
}

Outcome<std::uint64_t> host_double_from_single(std::uint32_t a) {
    const volatile auto narrow = std::bit_cast<float>(a);
    return observe<std::uint64_t>(Rounding::NearestEven,
                                  [&] { return static_cast<double>(narrow); });
}

template <FloatBits Bits, ConvertibleInteger Integer>
Outcome<Bits> host_from_integer(Integer value, Rounding rounding) {
    const volatile long double exact = value;
    return in_every_mode<Bits>(
        rounding, [&] { return static_cast<Host<Bits>>(exact); }, [&] { return exact; });
}

template <ConvertibleInteger Integer, FloatBits Bits>
Outcome<Integer> host_to_integer(Bits a, Rounding rounding) {
    using Limits = std::numeric_limits<Integer>;
    const HostEnvironment environment(rounding);
    const volatile long double value = std::bit_cast<Host<Bits>>(a); // exact
    if (std::isnan(value)) {
        return {Limits::max(), kInvalid};
    }
    // round() goes away from zero at ties whatever the mode; rint() follows the mode.
    const volatile long double rounded =
        rounding == Rounding::NearestMaxMagnitude ? std::round(value) : std::rint(value);
    if (rounded > static_cast<long double>(Limits::max())) {
        return {Limits::max(), kInvalid};
    }
    if (rounded < static_cast<long double>(Limits::min())) {
        return {Limits::min(), kInvalid};
    }
    return {static_cast<Integer>(rounded), rounded != value ? kInexact : Flags{0}};
}

using Single = std::uint32_t;
using Double = std::uint64_t;
template Outcome<Single> host_arithmetic(Operation, Single, Single, Single, Rounding);
template Outcome<Double> host_arithmetic(Operation, Double, Double, Double, Rounding);

template Outcome<Single> host_from_integer(std::int32_t, Rounding);
template Outcome<Single> host_from_integer(std::uint32_t, Rounding);
template Outcome<Single> host_from_integer(std::int64_t, Rounding);
template Outcome<Single> host_from_integer(std::uint64_t, Rounding);
template Outcome<Double> host_from_integer(std::int32_t, Rounding);
template Outcome<Double> host_from_integer(std::uint32_t, Rounding);
template Outcome<Double> host_from_integer(std::int64_t, Rounding);
template Outcome<Double> host_from_integer(std::uint64_t, Rounding);

template Outcome<std::int32_t> host_to_integer(Single, Rounding);
template Outcome<std::uint32_t> host_to_integer(Single, Rounding);
template Outcome<std::int64_t> host_to_integer(Single, Rounding);
template Outcome<std::uint64_t> host_to_integer(Single, Rounding);
template Outcome<std::int32_t> host_to_integer(Double, Rounding);
template Outcome<std::uint32_t> host_to_integer(Double, Rounding);
template Outcome<std::int64_t> host_to_integer(Double, Rounding);
template Outcome<std::uint64_t> host_to_integer(Double, Rounding);

} // namespace pes::fp::test

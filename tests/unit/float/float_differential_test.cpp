// SPDX-License-Identifier: Apache-2.0
// Random operands: the soft operations against the host's floating-point unit, and the operations
// with host paths against the soft ones, results and flags bit for bit.
#include "hw/core/arch/float/float.h"
#include "hw/core/arch/float/soft.h"
#include "tests/unit/float/host_reference.h"
#include "tests/unit/float/operand_source.h"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <sstream>
#include <type_traits>

namespace pes::fp::test {
namespace {

constexpr int kTrials = 60'000; // per operation, format and rounding mode
constexpr std::array kRoundings = {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down,
                                   Rounding::Up, Rounding::NearestMaxMagnitude};
constexpr std::array kArithmetic = {Operation::Add,        Operation::Subtract,
                                    Operation::Multiply,   Operation::Divide,
                                    Operation::SquareRoot, Operation::MultiplyAdd};

template <FloatBits Bits>
Bits soft_operation(Operation operation, Bits a, Bits b, Bits c, Rounding rounding, Flags& flags) {
    switch (operation) {
    case Operation::Add:
        return soft::add(a, b, rounding, flags);
    case Operation::Subtract:
        return soft::add(a, negate(b), rounding, flags);
    case Operation::Multiply:
        return soft::mul(a, b, rounding, flags);
    case Operation::Divide:
        return soft::div(a, b, rounding, flags);
    case Operation::SquareRoot:
        return soft::sqrt(a, rounding, flags);
    case Operation::MultiplyAdd:
        return soft::fma(a, b, c, rounding, flags);
    }
    __builtin_unreachable();
}

template <FloatBits Bits>
Bits fast_operation(Operation operation, Bits a, Bits b, Bits c, Rounding rounding, Flags& flags) {
    switch (operation) {
    case Operation::Add:
        return add(a, b, rounding, flags);
    case Operation::Subtract:
        return sub(a, b, rounding, flags);
    case Operation::Multiply:
        return mul(a, b, rounding, flags);
    case Operation::Divide:
        return div(a, b, rounding, flags);
    case Operation::SquareRoot:
        return sqrt(a, rounding, flags);
    case Operation::MultiplyAdd:
        return fma(a, b, c, rounding, flags);
    }
    __builtin_unreachable();
}

/// Runs `operation` with fflags holding `before`.
template <class Operation>
auto outcome(Flags before, const Operation& operation) {
    Flags flags = before;
    const auto result = operation(flags);
    return Outcome<std::remove_const_t<decltype(result)>>{result, flags};
}

/// One failed expectation with everything needed to repeat it.
template <class Result>
void expect_same(const Outcome<Result>& actual, const Outcome<Result>& expected, Rounding rounding,
                 std::initializer_list<std::uint64_t> operands) {
    if (actual == expected) [[likely]] {
        return;
    }
    std::ostringstream text;
    text << std::hex << "operands";
    for (const std::uint64_t operand : operands) {
        text << " 0x" << operand;
    }
    text << " rm " << static_cast<int>(rounding) << ": 0x" << +actual.result << " flags 0x"
         << +actual.flags << ", expected 0x" << +expected.result << " flags 0x" << +expected.flags;
    ADD_FAILURE() << text.str();
}

/// The one case in which the host's rules differ: infinity * 0 + quiet NaN raises nothing there.
template <FloatBits Bits>
bool host_may_differ(Operation operation, Bits a, Bits b, Bits c) {
    return operation == Operation::MultiplyAdd && is_nan(c) &&
           ((is_infinity(a) && is_zero(b)) || (is_zero(a) && is_infinity(b)));
}

template <class Bits>
class FloatFormat : public testing::Test {};

using Formats = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FloatFormat, Formats);

TYPED_TEST(FloatFormat, ArithmeticAgreesWithTheHostInEveryRoundingMode) {
    OperandSource<TypeParam> source(1);
    for (const Operation operation : kArithmetic) {
        for (const Rounding rounding : kRoundings) {
            for (int trial = 0; trial < kTrials && !this->HasFailure(); ++trial) {
                const TypeParam a = source.next();
                const TypeParam b = source.next();
                const TypeParam c = source.next();
                if (host_may_differ(operation, a, b, c)) {
                    continue;
                }
                const auto actual = outcome(0, [&](Flags& flags) {
                    return soft_operation(operation, a, b, c, rounding, flags);
                });
                SCOPED_TRACE(static_cast<int>(operation));
                expect_same(actual, host_arithmetic(operation, a, b, c, rounding), rounding,
                            {a, b, c});
            }
        }
    }
}

TYPED_TEST(FloatFormat, MultiplyAddNearCancellationAgreesWithTheHost) {
    OperandSource<TypeParam> source(2);
    for (const Rounding rounding : kRoundings) {
        for (int trial = 0; trial < kTrials && !this->HasFailure(); ++trial) {
            const TypeParam a = source.next();
            const TypeParam b = source.next();
            const auto product =
                host_arithmetic<TypeParam>(Operation::Multiply, a, b, 0, Rounding::NearestEven);
            // The rounded product or a neighbour, with the opposite sign.
            const auto c = static_cast<TypeParam>(negate(product.result) + trial % 5 - 2);
            if (host_may_differ(Operation::MultiplyAdd, a, b, c)) {
                continue;
            }
            const auto actual =
                outcome(0, [&](Flags& flags) { return soft::fma(a, b, c, rounding, flags); });
            expect_same(actual, host_arithmetic(Operation::MultiplyAdd, a, b, c, rounding),
                        rounding, {a, b, c});
        }
    }
}

TYPED_TEST(FloatFormat, HostPathsEqualTheSoftPath) {
    OperandSource<TypeParam> source(3);
    for (const Operation operation : kArithmetic) {
        for (const Rounding rounding : kRoundings) {
            const int trials = rounding == Rounding::NearestEven ? 10 * kTrials : kTrials / 10;
            for (int trial = 0; trial < trials && !this->HasFailure(); ++trial) {
                const TypeParam a = source.next();
                const TypeParam b = source.next();
                const TypeParam c = source.next();
                const Flags before = (trial & 1) != 0 ? kInexact : kDivideByZero;
                const auto fast = outcome(before, [&](Flags& flags) {
                    return fast_operation(operation, a, b, c, rounding, flags);
                });
                const auto reference = outcome(before, [&](Flags& flags) {
                    return soft_operation(operation, a, b, c, rounding, flags);
                });
                SCOPED_TRACE(static_cast<int>(operation));
                expect_same(fast, reference, rounding, {a, b, c});
            }
        }
    }
}

template <class Bits, class Integer>
void check_from_integer(OperandSource<Bits>& source, Rounding rounding) {
    const auto value = static_cast<Integer>(source.next_integer());
    const auto reference =
        outcome(0, [&](Flags& flags) { return soft::from_integer<Bits>(value, rounding, flags); });
    const auto fast =
        outcome(0, [&](Flags& flags) { return from_integer<Bits>(value, rounding, flags); });
    const auto operand = static_cast<std::uint64_t>(value);
    expect_same(reference, host_from_integer<Bits>(value, rounding), rounding, {operand});
    expect_same(fast, reference, rounding, {operand});
}

template <class Integer, class Bits>
void check_to_integer(Bits a, Rounding rounding) {
    const auto reference =
        outcome(0, [&](Flags& flags) { return soft::to_integer<Integer>(a, rounding, flags); });
    const auto fast =
        outcome(0, [&](Flags& flags) { return to_integer<Integer>(a, rounding, flags); });
    expect_same(reference, host_to_integer<Integer>(a, rounding), rounding, {a});
    expect_same(fast, reference, rounding, {a});
}

TYPED_TEST(FloatFormat, IntegersConvertAsOnTheHost) {
    OperandSource<TypeParam> source(4);
    for (const Rounding rounding : kRoundings) {
        for (int trial = 0; trial < kTrials && !this->HasFailure(); ++trial) {
            check_from_integer<TypeParam, std::int32_t>(source, rounding);
            check_from_integer<TypeParam, std::uint32_t>(source, rounding);
            check_from_integer<TypeParam, std::int64_t>(source, rounding);
            check_from_integer<TypeParam, std::uint64_t>(source, rounding);
        }
    }
}

TYPED_TEST(FloatFormat, ConversionToIntegersAgreesWithTheHost) {
    OperandSource<TypeParam> source(5);
    for (const Rounding rounding : kRoundings) {
        for (int trial = 0; trial < kTrials && !this->HasFailure(); ++trial) {
            const TypeParam a = source.next();
            check_to_integer<std::int32_t>(a, rounding);
            check_to_integer<std::uint32_t>(a, rounding);
            check_to_integer<std::int64_t>(a, rounding);
            check_to_integer<std::uint64_t>(a, rounding);
        }
    }
}

/// Halves and their neighbours around the limits of the integer types: a value just out of range
/// may round back into it.
TYPED_TEST(FloatFormat, ConversionNearTheLimitsOfTheIntegersAgreesWithTheHost) {
    OperandSource<TypeParam> source(6);
    for (int trial = 0; trial < kTrials && !this->HasFailure(); ++trial) {
        const int limit = std::array{0, 31, 32, 63, 64}[static_cast<std::size_t>(trial % 5)];
        const auto power = static_cast<TypeParam>(TypeParam(Format<TypeParam>::kBias + limit)
                                                  << Format<TypeParam>::kFractionBits);
        const auto distance = static_cast<TypeParam>(source.next() >> (trial % 32));
        const auto near =
            static_cast<TypeParam>(power + ((trial & 1) != 0 ? distance : 0 - distance));
        for (const Rounding rounding : kRoundings) {
            for (const TypeParam a : {magnitude(near), negate(magnitude(near))}) {
                check_to_integer<std::int32_t>(a, rounding);
                check_to_integer<std::uint32_t>(a, rounding);
                check_to_integer<std::int64_t>(a, rounding);
                check_to_integer<std::uint64_t>(a, rounding);
            }
        }
    }
}

/// A double near the range and precision of singles.
std::uint64_t double_near_a_single(OperandSource<std::uint32_t>& singles,
                                   OperandSource<std::uint64_t>& doubles) {
    const std::uint64_t base = host_double_from_single(singles.next()).result;
    const std::uint64_t half_step = std::uint64_t{1} << 28; // of a normal single
    return base + half_step * (doubles.next() & 3) + (doubles.next() & 1);
}

TEST(FloatConversion, NarrowingAgreesWithTheHost) {
    OperandSource<std::uint64_t> doubles(7);
    OperandSource<std::uint32_t> singles(8);
    for (const Rounding rounding : kRoundings) {
        for (int trial = 0; trial < 4 * kTrials && !testing::Test::HasFailure(); ++trial) {
            const std::uint64_t a =
                (trial & 3) == 0 ? doubles.next() : double_near_a_single(singles, doubles);
            const auto reference = outcome(
                0, [&](Flags& flags) { return soft::single_from_double(a, rounding, flags); });
            const auto fast =
                outcome(0, [&](Flags& flags) { return single_from_double(a, rounding, flags); });
            expect_same(reference, host_single_from_double(a, rounding), rounding, {a});
            expect_same(fast, reference, rounding, {a});
        }
    }
}

TEST(FloatConversion, WideningAgreesWithTheHost) {
    OperandSource<std::uint32_t> singles(9);
    for (int trial = 0; trial < 4 * kTrials && !testing::Test::HasFailure(); ++trial) {
        const std::uint32_t a = singles.next();
        const auto reference =
            outcome(0, [&](Flags& flags) { return soft::double_from_single(a, flags); });
        const auto fast = outcome(0, [&](Flags& flags) { return double_from_single(a, flags); });
        expect_same(reference, host_double_from_single(a), Rounding::NearestEven, {a});
        expect_same(fast, reference, Rounding::NearestEven, {a});
    }
}

} // namespace
} // namespace pes::fp::test

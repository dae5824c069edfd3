// SPDX-License-Identifier: Apache-2.0
// Directed cases of IEEE 754 and of the F and D extensions: special operands, rounding, tininess.
#include "hw/core/arch/float/float.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace pes::fp::test {
namespace {

template <FloatBits Bits>
constexpr Bits number(int sign, int biased_offset, Bits fraction = 0) {
    using F = Format<Bits>;
    return static_cast<Bits>((Bits(F::kBias + biased_offset) << F::kFractionBits) | fraction |
                             (sign < 0 ? F::kSign : Bits{0}));
}

template <FloatBits Bits>
struct Expected {
    Bits result;
    Flags flags;
};

/// Letters of the tables below. M, P: -inf, +inf. o, O: -0, +0. 1, m: +1, -1. 2, t: +2, -2.
/// N: canonical NaN. V: canonical NaN with NV. d, D: -inf, +inf with DZ.
template <FloatBits Bits>
Expected<Bits> decode(char letter) {
    using F = Format<Bits>;
    switch (letter) {
    case 'M':
        return {signed_infinity<Bits>(true), 0};
    case 'P':
        return {signed_infinity<Bits>(false), 0};
    case 'o':
        return {F::kSign, 0};
    case 'O':
        return {0, 0};
    case '1':
        return {number<Bits>(1, 0), 0};
    case 'm':
        return {number<Bits>(-1, 0), 0};
    case '2':
        return {number<Bits>(1, 1), 0};
    case 't':
        return {number<Bits>(-1, 1), 0};
    case 'N':
        return {F::kCanonicalNan, 0};
    case 'V':
        return {F::kCanonicalNan, kInvalid};
    case 'd':
        return {signed_infinity<Bits>(true), kDivideByZero};
    case 'D':
        return {signed_infinity<Bits>(false), kDivideByZero};
    default:
        ADD_FAILURE() << "no such letter: " << letter;
        return {0, 0};
    }
}

/// Rows are the first operand, columns the second, both in the order of operands().
using Table = std::array<std::string_view, 8>;

template <FloatBits Bits>
std::array<Bits, 8> operands() {
    using F = Format<Bits>;
    return {signed_infinity<Bits>(true),
            number<Bits>(-1, 0),
            F::kSign,
            0,
            number<Bits>(1, 0),
            F::kInfinity,
            F::kCanonicalNan | F::kSign | 5, // a quiet NaN whose payload must not survive
            F::kInfinity | 1};               // a signaling NaN
}

template <FloatBits Bits, class Operation>
void check_table(const Table& table, const Operation& operation) {
    const auto values = operands<Bits>();
    for (std::size_t row = 0; row < values.size(); ++row) {
        for (std::size_t column = 0; column < values.size(); ++column) {
            const auto expected = decode<Bits>(table[row][column]);
            Flags flags = 0;
            const Bits result = operation(values[row], values[column], flags);
            EXPECT_EQ(result, expected.result) << "row " << row << " column " << column;
            EXPECT_EQ(flags, expected.flags) << "row " << row << " column " << column;
        }
    }
}

constexpr Table kSum = {"MMMMMVNV", "MtmmOPNV", "MmoO1PNV", "MmOO1PNV",
                        "MO112PNV", "VPPPPPNV", "NNNNNNNV", "VVVVVVVV"};
// Rounding down only the zero sums of unlike signs differ.
constexpr Table kSumRoundedDown = {"MMMMMVNV", "MtmmoPNV", "Mmoo1PNV", "MmoO1PNV",
                                   "Mo112PNV", "VPPPPPNV", "NNNNNNNV", "VVVVVVVV"};
constexpr Table kDifference = {"VMMMMMNV", "POmmtMNV", "P1OomMNV", "P1OOmMNV",
                               "P211OMNV", "PPPPPVNV", "NNNNNNNV", "VVVVVVVV"};
constexpr Table kProduct = {"PPVVMMNV", "P1OomMNV", "VOOooVNV", "VooOOVNV",
                            "MmoO1PNV", "MMVVPPNV", "NNNNNNNV", "VVVVVVVV"};
constexpr Table kQuotient = {"VPPMMVNV", "O1DdmoNV", "OOVVooNV", "ooVVOONV",
                             "omdD1ONV", "VMMPPVNV", "NNNNNNNV", "VVVVVVVV"};

constexpr Rounding kNearest = Rounding::NearestEven;

template <class Bits>
class FloatArithmetic : public testing::Test {
  public:
    using F = Format<Bits>;
    static constexpr Bits kOne = number<Bits>(1, 0);
    static constexpr Bits kLargest = F::kInfinity - 1;
    static constexpr Bits kSmallestNormal = F::kFraction + 1;

    /// Expects `result` and `flags` from an operation that starts with no flag set.
    template <class Operation>
    static void expect(Bits result, Flags flags, const Operation& operation) {
        Flags actual = 0;
        EXPECT_EQ(operation(actual), result);
        EXPECT_EQ(actual, flags);
    }
};

using Formats = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FloatArithmetic, Formats);

TYPED_TEST(FloatArithmetic, SumsOfSpecialValues) {
    for (const Rounding rounding : {Rounding::NearestEven, Rounding::TowardZero, Rounding::Up,
                                    Rounding::NearestMaxMagnitude}) {
        check_table<TypeParam>(
            kSum, [rounding](auto a, auto b, Flags& flags) { return add(a, b, rounding, flags); });
    }
    check_table<TypeParam>(kSumRoundedDown, [](auto a, auto b, Flags& flags) {
        return add(a, b, Rounding::Down, flags);
    });
}

TYPED_TEST(FloatArithmetic, DifferencesOfSpecialValues) {
    check_table<TypeParam>(kDifference, [](auto a, auto b, Flags& flags) {
        return sub(a, b, Rounding::TowardZero, flags);
    });
}

TYPED_TEST(FloatArithmetic, ProductsAndQuotientsOfSpecialValuesInEveryMode) {
    for (const Rounding rounding : {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down,
                                    Rounding::Up, Rounding::NearestMaxMagnitude}) {
        check_table<TypeParam>(kProduct, [rounding](auto a, auto b, Flags& flags) {
            return mul(a, b, rounding, flags);
        });
        check_table<TypeParam>(kQuotient, [rounding](auto a, auto b, Flags& flags) {
            return div(a, b, rounding, flags);
        });
    }
}

TYPED_TEST(FloatArithmetic, MultiplyAddOfSpecialProductsWithZeroFollowsTheProduct) {
    // Adding -0 changes nothing: +0 + -0 is +0 and -0 + -0 is -0.
    check_table<TypeParam>(kProduct, [](auto a, auto b, Flags& flags) {
        return fma(a, b, Format<TypeParam>::kSign, kNearest, flags);
    });
}

TYPED_TEST(FloatArithmetic, MultiplyAddByOneIsTheSum) {
    check_table<TypeParam>(kSum, [](auto a, auto b, Flags& flags) {
        return fma(a, number<TypeParam>(1, 0), b, kNearest, flags);
    });
}

TYPED_TEST(FloatArithmetic, InfinityTimesZeroPlusQuietNanIsInvalid) {
    using F = Format<TypeParam>;
    for (const TypeParam c : {F::kCanonicalNan, F::kInfinity, TypeParam{0}}) {
        this->expect(F::kCanonicalNan, kInvalid, [&](Flags& flags) {
            return fma(F::kInfinity, TypeParam{0}, c, kNearest, flags);
        });
        this->expect(F::kCanonicalNan, kInvalid,
                     [&](Flags& flags) { return fma(F::kSign, F::kInfinity, c, kNearest, flags); });
    }
}

TYPED_TEST(FloatArithmetic, QuietNanAddendOfAFiniteProductRaisesNothing) {
    using F = Format<TypeParam>;
    this->expect(F::kCanonicalNan, 0, [&](Flags& flags) {
        return fma(this->kOne, this->kOne, static_cast<TypeParam>(F::kCanonicalNan | 3), kNearest,
                   flags);
    });
}

TYPED_TEST(FloatArithmetic, MultiplyAddRoundsOnce) {
    // (1 + e)(1 - e) - 1 = -e^2, which a rounded product would lose.
    using F = Format<TypeParam>;
    const TypeParam above = this->kOne + 2; // 1 + 2^(1-f)
    const TypeParam below = this->kOne - 4; // 1 - 2^(1-f)
    const TypeParam minus_one = negate(this->kOne);
    this->expect(number<TypeParam>(-1, 2 - 2 * F::kFractionBits), 0,
                 [&](Flags& flags) { return fma(above, below, minus_one, kNearest, flags); });
}

TYPED_TEST(FloatArithmetic, SquareRootOfSpecialValues) {
    using F = Format<TypeParam>;
    const auto root = [](TypeParam a) {
        return [a](Flags& flags) { return sqrt(a, kNearest, flags); };
    };
    this->expect(0, 0, root(0));
    this->expect(F::kSign, 0, root(F::kSign)); // the root of -0 is -0
    this->expect(F::kInfinity, 0, root(F::kInfinity));
    this->expect(F::kCanonicalNan, kInvalid, root(F::kInfinity | F::kSign));
    this->expect(F::kCanonicalNan, kInvalid, root(negate(this->kOne)));
    this->expect(F::kCanonicalNan, kInvalid, root(F::kSign | 1)); // negative subnormal
    this->expect(F::kCanonicalNan, 0, root(F::kCanonicalNan | F::kSign));
    this->expect(F::kCanonicalNan, kInvalid, root(F::kInfinity | 1));
    this->expect(number<TypeParam>(1, 1), 0, root(number<TypeParam>(1, 2)));
}

/// 1 plus a fraction of a unit in the last place, in eighths.
template <FloatBits Bits>
Bits one_plus_eighths_of_a_step(int eighths, int sign, Rounding rounding, Flags& flags) {
    const auto one = number<Bits>(sign, 0);
    Flags exact = 0;
    const auto step = number<Bits>(sign, -Format<Bits>::kFractionBits - 3);
    const Bits part = mul(from_integer<Bits>(eighths, kNearest, exact), step, kNearest, exact);
    EXPECT_EQ(exact, 0);
    return add(one, part, rounding, flags);
}

TYPED_TEST(FloatArithmetic, RoundingModesChooseTheNeighbourTheSpecificationNames) {
    struct Row {
        Rounding rounding;
        int positive[4]; // steps above 1 for 1 + 3/8, 4/8, 5/8, 12/8 of a step
        int negative[4]; // steps below -1
    };
    constexpr Row kRows[] = {
        {Rounding::NearestEven, {0, 0, 1, 2}, {0, 0, 1, 2}},
        {Rounding::TowardZero, {0, 0, 0, 1}, {0, 0, 0, 1}},
        {Rounding::Down, {0, 0, 0, 1}, {1, 1, 1, 2}},
        {Rounding::Up, {1, 1, 1, 2}, {0, 0, 0, 1}},
        {Rounding::NearestMaxMagnitude, {0, 1, 1, 2}, {0, 1, 1, 2}},
    };
    constexpr int kEighths[] = {3, 4, 5, 12};
    for (const Row& row : kRows) {
        for (int i = 0; i < 4; ++i) {
            this->expect(number<TypeParam>(1, 0) + row.positive[i], kInexact, [&](Flags& flags) {
                return one_plus_eighths_of_a_step<TypeParam>(kEighths[i], 1, row.rounding, flags);
            });
            this->expect(number<TypeParam>(-1, 0) + row.negative[i], kInexact, [&](Flags& flags) {
                return one_plus_eighths_of_a_step<TypeParam>(kEighths[i], -1, row.rounding, flags);
            });
        }
    }
}

TYPED_TEST(FloatArithmetic, OverflowGivesInfinityOrTheLargestNumberByMode) {
    constexpr TypeParam kInfinity = Format<TypeParam>::kInfinity;
    struct Row {
        Rounding rounding;
        TypeParam positive;
        TypeParam negative;
    };
    constexpr Row kRows[] = {
        {Rounding::NearestEven, kInfinity, kInfinity},
        {Rounding::TowardZero, kInfinity - 1, kInfinity - 1},
        {Rounding::Down, kInfinity - 1, kInfinity},
        {Rounding::Up, kInfinity, kInfinity - 1},
        {Rounding::NearestMaxMagnitude, kInfinity, kInfinity},
    };
    const TypeParam largest = this->kLargest;
    for (const Row& row : kRows) {
        this->expect(row.positive, kOverflow | kInexact,
                     [&](Flags& flags) { return add(largest, largest, row.rounding, flags); });
        this->expect(negate(row.negative), kOverflow | kInexact, [&](Flags& flags) {
            return mul(largest, negate(largest), row.rounding, flags);
        });
    }
}

TYPED_TEST(FloatArithmetic, TininessIsDetectedAfterRounding) {
    // Half a step below the smallest normal number, a tie that rounds up to it. With an unbounded
    // exponent the value needs no rounding and stays below: tiny.
    const TypeParam below_one = this->kOne - 1;
    this->expect(this->kSmallestNormal, kUnderflow | kInexact, [&](Flags& flags) {
        return mul(this->kSmallestNormal, below_one, kNearest, flags);
    });
    // A quarter of a step below the smallest normal number: with an unbounded exponent this is a
    // tie that rounds up to it. Tiny before rounding, not after.
    const auto part = number<TypeParam>(-1, -Format<TypeParam>::kFractionBits - 2);
    this->expect(this->kSmallestNormal, kInexact, [&](Flags& flags) {
        return fma(part, this->kSmallestNormal, this->kSmallestNormal, kNearest, flags);
    });
}

TYPED_TEST(FloatArithmetic, ExactSubnormalResultsRaiseNothing) {
    const auto half = number<TypeParam>(1, -1);
    this->expect(this->kSmallestNormal >> 1, 0,
                 [&](Flags& flags) { return mul(this->kSmallestNormal, half, kNearest, flags); });
    this->expect(1, 0, [&](Flags& flags) {
        return sub(static_cast<TypeParam>(this->kSmallestNormal + 1), this->kSmallestNormal,
                   kNearest, flags);
    });
}

TYPED_TEST(FloatArithmetic, ResultsBelowTheSmallestSubnormalRoundByMode) {
    const auto sixteenth = number<TypeParam>(1, -4);
    const Flags both = kUnderflow | kInexact;
    const auto tiny = [&](Rounding rounding) {
        return [=](Flags& flags) { return mul(TypeParam{1}, sixteenth, rounding, flags); };
    };
    this->expect(0, both, tiny(Rounding::NearestEven));
    this->expect(0, both, tiny(Rounding::TowardZero));
    this->expect(0, both, tiny(Rounding::Down));
    this->expect(1, both, tiny(Rounding::Up));
    this->expect(0, both, tiny(Rounding::NearestMaxMagnitude));
    // Exactly half of the smallest subnormal.
    const auto half = number<TypeParam>(1, -1);
    this->expect(0, both, [&](Flags& flags) {
        return mul(TypeParam{1}, half, Rounding::NearestEven, flags);
    });
    this->expect(1, both, [&](Flags& flags) {
        return mul(TypeParam{1}, half, Rounding::NearestMaxMagnitude, flags);
    });
}

TYPED_TEST(FloatArithmetic, FlagsAccumulate) {
    Flags flags = kDivideByZero;
    const auto three =
        number<TypeParam>(1, 1, TypeParam{1} << (Format<TypeParam>::kFractionBits - 1));
    div(this->kOne, three, kNearest, flags);
    EXPECT_EQ(flags, kDivideByZero | kInexact);
    mul(Format<TypeParam>::kInfinity, TypeParam{0}, kNearest, flags);
    EXPECT_EQ(flags, kDivideByZero | kInexact | kInvalid);
    add(this->kOne, this->kOne, kNearest, flags);
    EXPECT_EQ(flags, kDivideByZero | kInexact | kInvalid);
}

TEST(FloatKnownValues, SinglesAndDoublesOfCommonFractions) {
    Flags flags = 0;
    EXPECT_EQ(div<std::uint32_t>(0x3f800000, 0x40400000, kNearest, flags), 0x3eaaaaabu); // 1/3
    EXPECT_EQ(div<std::uint64_t>(0x3ff0000000000000, 0x4008000000000000, kNearest, flags),
              0x3fd5555555555555u);                                           // 1/3
    EXPECT_EQ(sqrt<std::uint32_t>(0x40000000, kNearest, flags), 0x3fb504f3u); // sqrt(2)
    EXPECT_EQ(sqrt<std::uint64_t>(0x4000000000000000, kNearest, flags), 0x3ff6a09e667f3bcdu);
    EXPECT_EQ(add<std::uint64_t>(0x3fb999999999999a, 0x3fc999999999999a, kNearest, flags),
              0x3fd3333333333334u); // 0.1 + 0.2
    EXPECT_EQ(flags, kInexact);
}

TEST(NanBoxing, BoxesAndRejectsImproperBoxes) {
    EXPECT_EQ(box32(0x3f800000), 0xffffffff3f800000u);
    EXPECT_EQ(unbox32(0xffffffff3f800000), 0x3f800000u);
    EXPECT_EQ(unbox32(0x000000003f800000), 0x7fc00000u);
    EXPECT_EQ(unbox32(0xfffffffe3f800000), 0x7fc00000u);
    EXPECT_EQ(unbox32(0xffffffffffffffff), 0xffffffffu);
}

} // namespace
} // namespace pes::fp::test

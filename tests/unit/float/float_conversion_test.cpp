// SPDX-License-Identifier: Apache-2.0
// fcvt: the specification's table "Domains of float-to-integer conversions and behavior for invalid
// inputs", rounding near the limits, and conversions between the formats.
#include "hw/core/arch/float/float.h"

#include <gtest/gtest.h>

#include <iterator>
#include <limits>

namespace pes::fp::test {
namespace {

template <FloatBits Bits>
Bits of(double value) {
    const auto number = static_cast<typename Format<Bits>::Host>(value);
    EXPECT_EQ(static_cast<double>(number), value) << "constant not representable";
    return std::bit_cast<Bits>(number);
}

template <class Integer, FloatBits Bits>
void expect_integer(Bits a, Rounding rounding, Integer result, Flags expected) {
    Flags flags = 0;
    EXPECT_EQ(to_integer<Integer>(a, rounding, flags), result)
        << std::hex << +a << " rm " << static_cast<int>(rounding);
    EXPECT_EQ(flags, expected) << std::hex << +a << " rm " << static_cast<int>(rounding);
}

constexpr Rounding kRoundings[] = {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down,
                                   Rounding::Up, Rounding::NearestMaxMagnitude};

template <class Bits>
class FloatConversionTable : public testing::Test {
  public:
    template <class Integer>
    static void expect_saturation(double just_above, double just_below) {
        using Limits = std::numeric_limits<Integer>;
        using F = Format<Bits>;
        for (const Rounding rounding : kRoundings) {
            const auto is = [rounding](Bits a, Integer result) {
                expect_integer<Integer>(a, rounding, result, kInvalid);
            };
            is(of<Bits>(just_above), Limits::max());
            is(F::kInfinity - 1, Limits::max());
            is(F::kInfinity, Limits::max());
            is(F::kCanonicalNan, Limits::max());
            is(negate(F::kCanonicalNan), Limits::max()); // the sign of a NaN does not count
            is(F::kInfinity | 1, Limits::max());
            is(of<Bits>(just_below), Limits::min());
            is(negate(F::kInfinity - 1), Limits::min());
            is(negate(F::kInfinity), Limits::min());
        }
    }
};

using Formats = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FloatConversionTable, Formats);

TYPED_TEST(FloatConversionTable, OutOfRangeSaturatesAndIsInvalid) {
    this->template expect_saturation<std::int32_t>(0x1p31, -0x1p31 - 0x1p8);
    this->template expect_saturation<std::uint32_t>(0x1p32, -1.0);
    this->template expect_saturation<std::int64_t>(0x1p63, -0x1p63 - 0x1p40);
    this->template expect_saturation<std::uint64_t>(0x1p64, -1.0);
}

TYPED_TEST(FloatConversionTable, LimitsThemselvesConvertExactly) {
    for (const Rounding rounding : kRoundings) {
        expect_integer<std::int32_t>(of<TypeParam>(-0x1p31), rounding, INT32_MIN, 0);
        expect_integer<std::int64_t>(of<TypeParam>(-0x1p63), rounding, INT64_MIN, 0);
        expect_integer<std::uint32_t>(of<TypeParam>(0x1p32 - 0x1p8), rounding, 0xffffff00u, 0);
        expect_integer<std::uint64_t>(of<TypeParam>(0x1p64 - 0x1p40), rounding,
                                      std::uint64_t{0xffffff0000000000}, 0);
        expect_integer<std::int32_t>(of<TypeParam>(-0.0), rounding, 0, 0);
        expect_integer<std::uint64_t>(of<TypeParam>(-0.0), rounding, std::uint64_t{0}, 0);
    }
}

TYPED_TEST(FloatConversionTable, HalvesFollowTheRoundingMode) {
    struct Row {
        double value;
        int result[5]; // in the order of kRoundings
    };
    constexpr Row kRows[] = {
        {0.5, {0, 0, 0, 1, 1}},        {1.5, {2, 1, 1, 2, 2}},       {2.5, {2, 2, 2, 3, 3}},
        {1.25, {1, 1, 1, 2, 1}},       {1.75, {2, 1, 1, 2, 2}},      {-0.5, {0, 0, -1, 0, -1}},
        {-1.5, {-2, -1, -2, -1, -2}},  {-2.5, {-2, -2, -3, -2, -3}}, {-1.25, {-1, -1, -2, -1, -1}},
        {-1.75, {-2, -1, -2, -1, -2}},
    };
    for (const Row& row : kRows) {
        for (std::size_t i = 0; i < std::size(kRoundings); ++i) {
            const auto a = of<TypeParam>(row.value);
            expect_integer<std::int32_t>(a, kRoundings[i], row.result[i], kInexact);
            expect_integer<std::int64_t>(a, kRoundings[i], row.result[i], kInexact);
        }
    }
}

TYPED_TEST(FloatConversionTable, NegativeFractionsToUnsignedAreInvalidOnlyIfTheyRoundBelowZero) {
    const auto minus_half = of<TypeParam>(-0.5);
    const auto minus_three_quarters = of<TypeParam>(-0.75);
    expect_integer<std::uint32_t>(minus_half, Rounding::NearestEven, 0u, kInexact);
    expect_integer<std::uint32_t>(minus_half, Rounding::TowardZero, 0u, kInexact);
    expect_integer<std::uint32_t>(minus_half, Rounding::Up, 0u, kInexact);
    expect_integer<std::uint32_t>(minus_half, Rounding::Down, 0u, kInvalid);
    expect_integer<std::uint32_t>(minus_half, Rounding::NearestMaxMagnitude, 0u, kInvalid);
    expect_integer<std::uint32_t>(minus_three_quarters, Rounding::NearestEven, 0u, kInvalid);
    expect_integer<std::uint32_t>(minus_three_quarters, Rounding::TowardZero, 0u, kInexact);
}

TYPED_TEST(FloatConversionTable, TheSmallestSubnormalRoundsToZeroOrOne) {
    expect_integer<std::int64_t>(TypeParam{1}, Rounding::Up, std::int64_t{1}, kInexact);
    expect_integer<std::int64_t>(TypeParam{1}, Rounding::NearestEven, std::int64_t{0}, kInexact);
}

TYPED_TEST(FloatConversionTable, ZeroConvertsToPlusZeroInEveryMode) {
    for (const Rounding rounding : kRoundings) {
        Flags flags = 0;
        EXPECT_EQ((from_integer<TypeParam>(std::int64_t{0}, rounding, flags)), TypeParam{0});
        EXPECT_EQ(flags, 0);
    }
}

TEST(FloatConversionLimits, RoundingMayReturnADoubleIntoTheRangeOfInt32) {
    const auto high = of<std::uint64_t>(2147483647.5);
    expect_integer<std::int32_t>(high, Rounding::TowardZero, INT32_MAX, kInexact);
    expect_integer<std::int32_t>(high, Rounding::Down, INT32_MAX, kInexact);
    expect_integer<std::int32_t>(high, Rounding::NearestEven, INT32_MAX, kInvalid);
    expect_integer<std::int32_t>(high, Rounding::Up, INT32_MAX, kInvalid);
    const auto low = of<std::uint64_t>(-2147483648.5);
    expect_integer<std::int32_t>(low, Rounding::TowardZero, INT32_MIN, kInexact);
    expect_integer<std::int32_t>(low, Rounding::NearestEven, INT32_MIN, kInexact);
    expect_integer<std::int32_t>(low, Rounding::Down, INT32_MIN, kInvalid);
    expect_integer<std::int32_t>(low, Rounding::NearestMaxMagnitude, INT32_MIN, kInvalid);
}

TEST(FloatConversionLimits, IntegersBeyondTheSignificandRoundByMode) {
    struct Row {
        Rounding rounding;
        std::uint32_t up_to, down_from; // singles of 2^24 + 1 and of -(2^24 + 1)
    };
    constexpr Row kRows[] = {
        {Rounding::NearestEven, 0x4b800000, 0xcb800000},
        {Rounding::TowardZero, 0x4b800000, 0xcb800000},
        {Rounding::Down, 0x4b800000, 0xcb800001},
        {Rounding::Up, 0x4b800001, 0xcb800000},
        {Rounding::NearestMaxMagnitude, 0x4b800001, 0xcb800001},
    };
    for (const Row& row : kRows) {
        Flags flags = 0;
        EXPECT_EQ((from_integer<std::uint32_t>(16777217, row.rounding, flags)), row.up_to);
        EXPECT_EQ((from_integer<std::uint32_t>(-16777217, row.rounding, flags)), row.down_from);
        EXPECT_EQ(flags, kInexact);
    }
}

TEST(FloatConversionLimits, ExtremeIntegersConvert) {
    Flags flags = 0;
    EXPECT_EQ((from_integer<std::uint64_t>(INT64_MIN, Rounding::NearestEven, flags)),
              0xc3e0000000000000u);
    EXPECT_EQ((from_integer<std::uint64_t>(INT32_MIN, Rounding::NearestEven, flags)),
              0xc1e0000000000000u);
    EXPECT_EQ((from_integer<std::uint64_t>(UINT32_MAX, Rounding::NearestEven, flags)),
              0x41efffffffe00000u);
    EXPECT_EQ(flags, 0);
    EXPECT_EQ((from_integer<std::uint64_t>(UINT64_MAX, Rounding::NearestEven, flags)),
              0x43f0000000000000u);
    EXPECT_EQ(flags, kInexact);
}

TEST(FloatFormats, NansBecomeCanonicalAndSignalingOnesRaiseInvalid) {
    Flags flags = 0;
    EXPECT_EQ(double_from_single(0xffc01234, flags), 0x7ff8000000000000u);
    EXPECT_EQ(single_from_double(0xfff8000000001234, Rounding::NearestEven, flags), 0x7fc00000u);
    EXPECT_EQ(flags, 0);
    EXPECT_EQ(double_from_single(0x7f800001, flags), 0x7ff8000000000000u);
    EXPECT_EQ(flags, kInvalid);
    flags = 0;
    EXPECT_EQ(single_from_double(0x7ff0000000000001, Rounding::NearestEven, flags), 0x7fc00000u);
    EXPECT_EQ(flags, kInvalid);
}

TEST(FloatFormats, SubnormalSinglesWidenExactly) {
    Flags flags = 0;
    EXPECT_EQ(double_from_single(0x00000001, flags), 0x36a0000000000000u); // 2^-149
    EXPECT_EQ(double_from_single(0x80000000, flags), 0x8000000000000000u);
    EXPECT_EQ(double_from_single(0xff800000, flags), 0xfff0000000000000u);
    EXPECT_EQ(flags, 0);
}

TEST(FloatFormats, NarrowingOverflowsUnderflowsAndRounds) {
    struct Row {
        std::uint64_t value;
        Rounding rounding;
        std::uint32_t result;
        Flags flags;
    };
    constexpr Row kRows[] = {
        {0x47f0000000000000, Rounding::NearestEven, 0x7f800000, kOverflow | kInexact}, // 2^128
        {0x47f0000000000000, Rounding::TowardZero, 0x7f7fffff, kOverflow | kInexact},
        {0x47efffffe0000000, Rounding::NearestEven, 0x7f7fffff, 0}, // largest single
        {0x36a0000000000000, Rounding::NearestEven, 0x00000001, 0}, // 2^-149
        {0x3690000000000000, Rounding::NearestEven, 0x00000000, kUnderflow | kInexact}, // 2^-150
        {0x3690000000000000, Rounding::NearestMaxMagnitude, 0x00000001, kUnderflow | kInexact},
        {0x8000000000000001, Rounding::Down, 0x80000001, kUnderflow | kInexact},
        {0x3ff0000010000000, Rounding::NearestEven, 0x3f800000, kInexact}, // 1 + half a step
        {0x3ff0000010000000, Rounding::NearestMaxMagnitude, 0x3f800001, kInexact},
        {0x3ff0000030000000, Rounding::NearestEven, 0x3f800002, kInexact}, // 1 + 1.5 steps
        // 2^-126 - 2^-151: rounds to 2^-126 even with an unbounded exponent, so it is not tiny.
        {0x380ffffff0000000, Rounding::NearestEven, 0x00800000, kInexact},
        // 2^-126 - 2^-150 needs no rounding with an unbounded exponent, so it is.
        {0x380fffffe0000000, Rounding::NearestEven, 0x00800000, kUnderflow | kInexact},
    };
    for (const Row& row : kRows) {
        Flags flags = 0;
        EXPECT_EQ(single_from_double(row.value, row.rounding, flags), row.result)
            << std::hex << row.value;
        EXPECT_EQ(flags, row.flags) << std::hex << row.value;
    }
}

} // namespace
} // namespace pes::fp::test

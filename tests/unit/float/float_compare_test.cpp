// SPDX-License-Identifier: Apache-2.0
// fmin, fmax, feq, flt, fle and fclass on every pair of special values.
#include "hw/core/arch/float/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pes::fp::test {
namespace {

/// Ascending as fmin and fmax order them; the zeros are equal for the comparisons.
template <FloatBits Bits>
constexpr auto ascending() {
    using F = Format<Bits>;
    const auto one = static_cast<Bits>(Bits{F::kBias} << F::kFractionBits);
    const Bits smallest_normal = F::kFraction + 1;
    return std::array<Bits, 14>{signed_infinity<Bits>(true),
                                negate(Bits{F::kInfinity - 1}),
                                negate(one),
                                negate(smallest_normal),
                                negate(F::kFraction),
                                negate(Bits{1}),
                                F::kSign,
                                Bits{0},
                                Bits{1},
                                F::kFraction,
                                smallest_normal,
                                one,
                                Bits{F::kInfinity - 1},
                                F::kInfinity};
}

constexpr std::size_t kMinusZero = 6;
constexpr std::size_t kPlusZero = 7;

template <class Bits>
class FloatCompare : public testing::Test {
  public:
    using F = Format<Bits>;
    static constexpr Bits kQuietNan = F::kCanonicalNan | F::kSign | 5;
    static constexpr Bits kSignalingNan = F::kInfinity | 1;
    static constexpr Bits kOne = static_cast<Bits>(Bits{F::kBias} << F::kFractionBits);
};

using Formats = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FloatCompare, Formats);

TYPED_TEST(FloatCompare, NumbersFollowTheirOrderAndZerosAreEqual) {
    const auto values = ascending<TypeParam>();
    Flags flags = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = 0; j < values.size(); ++j) {
            const bool zeros =
                (i == kMinusZero || i == kPlusZero) && (j == kMinusZero || j == kPlusZero);
            SCOPED_TRACE(testing::Message() << i << " with " << j);
            EXPECT_EQ(equal(values[i], values[j], flags), i == j || zeros);
            EXPECT_EQ(less(values[i], values[j], flags), i < j && !zeros);
            EXPECT_EQ(less_equal(values[i], values[j], flags), i <= j || zeros);
        }
    }
    EXPECT_EQ(flags, 0);
}

TYPED_TEST(FloatCompare, MinimumAndMaximumFollowTheOrderWithMinusZeroBelowPlusZero) {
    const auto values = ascending<TypeParam>();
    Flags flags = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = 0; j < values.size(); ++j) {
            EXPECT_EQ(min(values[i], values[j], flags), values[std::min(i, j)]) << i << " " << j;
            EXPECT_EQ(max(values[i], values[j], flags), values[std::max(i, j)]) << i << " " << j;
        }
    }
    EXPECT_EQ(flags, 0);
}

TYPED_TEST(FloatCompare, NothingEqualsANanAndOnlySignalingOnesRaiseInvalid) {
    const TypeParam one = this->kOne;
    const auto raised = [](TypeParam a, TypeParam b) {
        Flags flags = 0;
        EXPECT_FALSE(equal(a, b, flags));
        return flags;
    };
    EXPECT_EQ(raised(this->kQuietNan, one), 0);
    EXPECT_EQ(raised(one, this->kQuietNan), 0);
    EXPECT_EQ(raised(this->kQuietNan, this->kQuietNan), 0);
    EXPECT_EQ(raised(this->kSignalingNan, one), kInvalid);
    EXPECT_EQ(raised(one, this->kSignalingNan), kInvalid);
    EXPECT_EQ(raised(this->kQuietNan, this->kSignalingNan), kInvalid);
}

TYPED_TEST(FloatCompare, OrderingWithAnyNanIsFalseAndInvalid) {
    for (const TypeParam nan : {this->kQuietNan, this->kSignalingNan}) {
        for (const auto& [a, b] : {std::pair{nan, this->kOne}, std::pair{this->kOne, nan}}) {
            Flags flags = 0;
            EXPECT_FALSE(less(a, b, flags));
            EXPECT_EQ(flags, kInvalid);
            flags = 0;
            EXPECT_FALSE(less_equal(a, b, flags));
            EXPECT_EQ(flags, kInvalid);
        }
    }
}

TYPED_TEST(FloatCompare, MinimumAndMaximumPreferTheNumberOverANan) {
    constexpr TypeParam kCanonical = Format<TypeParam>::kCanonicalNan;
    struct Row {
        TypeParam a, b, result;
        Flags flags;
    };
    const TypeParam one = this->kOne;
    const TypeParam quiet = this->kQuietNan;
    const TypeParam signaling = this->kSignalingNan;
    const Row rows[] = {
        {quiet, one, one, 0},
        {one, quiet, one, 0},
        {signaling, one, one, kInvalid},
        {one, signaling, one, kInvalid},
        {quiet, quiet, kCanonical, 0},
        {quiet, signaling, kCanonical, kInvalid},
        {signaling, quiet, kCanonical, kInvalid},
        {signaling, signaling, kCanonical, kInvalid},
    };
    for (const Row& row : rows) {
        Flags flags = 0;
        EXPECT_EQ(min(row.a, row.b, flags), row.result);
        EXPECT_EQ(flags, row.flags);
        flags = 0;
        EXPECT_EQ(max(row.a, row.b, flags), row.result);
        EXPECT_EQ(flags, row.flags);
    }
}

TYPED_TEST(FloatCompare, ClassifySetsTheBitOfTheSpecificationsTable) {
    // Bits: 0 -inf, 1 -normal, 2 -subnormal, 3 -0, 4 +0, 5 +subnormal, 6 +normal, 7 +inf,
    // 8 signaling NaN, 9 quiet NaN.
    constexpr int kBit[] = {0, 1, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 6, 7};
    const auto values = ascending<TypeParam>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(classify(values[i]), 1u << kBit[i]) << i;
    }
    EXPECT_EQ(classify(this->kSignalingNan), 1u << 8);
    EXPECT_EQ(classify(negate(this->kSignalingNan)), 1u << 8);
    EXPECT_EQ(classify(this->kQuietNan), 1u << 9);
    EXPECT_EQ(classify(Format<TypeParam>::kCanonicalNan), 1u << 9);
}

} // namespace
} // namespace pes::fp::test

// SPDX-License-Identifier: Apache-2.0
// Quotients by integer arithmetic beside those of the host's floating point.
#include "firmware/papi/ratio.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace pes::papi {
namespace {

float ratio(Wide numerator, Wide denominator) {
    return std::bit_cast<float>(float_ratio(numerator, denominator));
}

TEST(Ratio, IsZeroWithoutNumeratorOrDenominator) {
    EXPECT_EQ(ratio(0, 5), 0.0F);
    EXPECT_EQ(ratio(5, 0), 0.0F);
}

TEST(Ratio, IsExactForPowersOfTwoAndSmallNumbers) {
    EXPECT_EQ(ratio(1, 1), 1.0F);
    EXPECT_EQ(ratio(3, 2), 1.5F);
    EXPECT_EQ(ratio(1, Wide{1} << 40), 0x1p-40F);
    EXPECT_EQ(ratio(Wide{1} << 90, 1), 0x1p90F);
    EXPECT_EQ(ratio((1U << 24) - 1, 1), 16777215.0F);
}

TEST(Ratio, CarriesOutOfTheFraction) {
    EXPECT_EQ(ratio((1U << 25) - 1, 1), 33554432.0F);
}

TEST(Ratio, IsTheNearestFloatOfRandomQuotients) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100'000; ++i) {
        const uint64_t numerator = (random() >> (random() % 63)) | 1;
        const uint64_t denominator = (random() >> (random() % 63)) | 1;
        const auto exact = static_cast<float>(static_cast<long double>(numerator) / denominator);
        // Ties go up here and to even there.
        EXPECT_LE(std::abs(static_cast<int64_t>(std::bit_cast<uint32_t>(exact)) -
                           static_cast<int64_t>(float_ratio(numerator, denominator))),
                  1)
            << numerator << " / " << denominator;
    }
}

} // namespace
} // namespace pes::papi

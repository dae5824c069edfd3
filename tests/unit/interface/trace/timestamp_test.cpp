// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/address.h"
#include "hw/interface/trace/timestamp.h"

#include <gtest/gtest.h>
#include <random>

namespace pes::trace {
namespace {

using enum TimestampKind;

constexpr TimestampFormat kSiFive{TimestampDialect::SiFive, 40};
constexpr TimestampFormat kNTrace{TimestampDialect::NTrace, 64};

TEST(TimestampCompressor, SendsTheExclusiveOrToSiFive) {
    TimestampCompressor clock(kSiFive);
    EXPECT_EQ(clock.compress(849, Absolute), 849U);
    EXPECT_EQ(clock.compress(850, Relative), 3U); // 0x351 ^ 0x352
    EXPECT_EQ(clock.compress(1040, Relative), 0x352U ^ 0x410U);
    EXPECT_EQ(clock.compress(2000, Absolute), 2000U);
}

TEST(TimestampCompressor, SendsTheDifferenceToNTrace) {
    TimestampCompressor clock(kNTrace);
    EXPECT_EQ(clock.compress(849, Absolute), 849U);
    EXPECT_EQ(clock.compress(850, Relative), 1U);
    EXPECT_EQ(clock.compress(1040, Relative), 190U);
}

TEST(TimestampExpander, KnowsNoTimeBeforeTheFirstAbsoluteOne) {
    TimestampExpander clock(kSiFive);
    EXPECT_FALSE(clock.expand(3, Relative));
    EXPECT_EQ(clock.expand(849, Absolute), 849U);
    EXPECT_EQ(clock.expand(3, Relative), 850U);
}

TEST(TimestampExpander, KnowsNoTimeAfterALossUntilTheNextAbsoluteOne) {
    TimestampExpander clock(kNTrace);
    clock.expand(100, Absolute);
    clock.lose();
    EXPECT_FALSE(clock.expand(1, Relative));
    EXPECT_EQ(clock.expand(200, Absolute), 200U);
    EXPECT_EQ(clock.expand(1, Relative), 201U);
}

TEST(TimestampExpander, GoesOnOverAWrapOfTheCounter) {
    TimestampExpander clock({TimestampDialect::SiFive, 8});
    EXPECT_EQ(clock.expand(0xF0, Absolute), 0xF0U);
    EXPECT_EQ(clock.expand(0xF0 ^ 0x10, Relative), 0x110U);
    EXPECT_EQ(clock.expand(0x20, Absolute), 0x120U) << "an absolute time inherits the upper bits";
    EXPECT_EQ(clock.expand(0x05, Absolute), 0x205U);
}

TEST(Timestamps, SurviveBothDialectsAndEveryWidth) {
    for (const TimestampDialect dialect : {TimestampDialect::SiFive, TimestampDialect::NTrace}) {
        for (unsigned bits = 8; bits <= kMostTimestampBits; ++bits) {
            const TimestampFormat format{dialect, bits};
            TimestampCompressor encoder(format);
            TimestampExpander decoder(format);
            std::mt19937_64 random(bits);
            std::uint64_t time = random() & format.mask() & 0xFFFF'FFFF;
            for (int count = 0; count < 500; ++count) {
                const TimestampKind kind = count == 0 || random() % 8 == 0 ? Absolute : Relative;
                const std::uint64_t field = encoder.compress(time, kind);
                EXPECT_LE(field, format.mask());
                ASSERT_EQ(decoder.expand(field, kind), time);
                time += random() % 200; // less than one period of the narrowest counter
            }
        }
    }
}

TEST(Timestamps, OfTheOtherDialectAreWrong) {
    TimestampCompressor encoder(kSiFive);
    TimestampExpander decoder(kNTrace);
    decoder.expand(encoder.compress(849, Absolute), Absolute);
    EXPECT_NE(decoder.expand(encoder.compress(850, Relative), Relative), 850U);
}

TEST(AddressReference, SendsFullAddressesAndDifferences) {
    AddressReference encoder;
    EXPECT_EQ(encoder.full(0x8000'0010), 0x4000'0008U);
    EXPECT_EQ(encoder.unique(0x8000'0016), 0x3U);
    AddressReference decoder;
    EXPECT_FALSE(decoder.from_unique(0x3));
    EXPECT_EQ(decoder.from_full(0x4000'0008), 0x8000'0010U);
    EXPECT_EQ(decoder.from_unique(0x3), 0x8000'0016U);
}

TEST(AddressReference, NeedsAFullAddressAfterALoss) {
    AddressReference decoder;
    decoder.from_full(0x100);
    decoder.lose();
    EXPECT_FALSE(decoder.known());
    EXPECT_FALSE(decoder.from_unique(0x1));
}

} // namespace
} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// Control transfer records by themselves: cycle counts and the emulation of a return-address stack,
// as the text (Smctr/Ssctr 1.0) has them.
#include "hw/core/ctr/cycle_count.h"
#include "tests/unit/core/transfer_records_bench.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace pes::ctr_test {
namespace {

// --- Cycle counts -------------------------------------------------------------------------------

/// As the text decodes it.
std::uint64_t decoded(std::uint64_t field) {
    const std::uint64_t mantissa = field & 0xFFF, exponent = field >> 12;
    return exponent == 0 ? mantissa : (4096 + mantissa) << (exponent - 1);
}

TEST(CycleCount, IsEncodedAsTheTextSays) {
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> values{0, 1, 4095, 4096, 8191, 8192, 8193, 32764, 524224, 524288};
    for (unsigned trial = 0; trial < 2000; ++trial) {
        values.push_back((random() & (bit(27) - 1)) >> random() % 27);
    }
    for (const std::uint64_t value : values) {
        const std::uint64_t field = encode_cycles(value);
        const auto most_significant =
            value == 0 ? 0
                       : static_cast<unsigned>(std::floor(std::log2(static_cast<double>(value))));
        const unsigned exponent = value < 4096 ? 0 : most_significant - 11;
        EXPECT_EQ(field >> 12, exponent) << value;
        EXPECT_LE(decoded(field), value);
        EXPECT_LT(value - decoded(field), exponent > 1 ? bit(exponent - 1) : 1) << value;
        EXPECT_EQ(decode_cycles(static_cast<std::uint16_t>(field)), decoded(field));
    }
    EXPECT_EQ(decoded(0xFFFF), 134'201'344U);
    for (const std::uint64_t value : {std::uint64_t{134'201'344}, bit(27) - 1, bit(27), bit(60)}) {
        EXPECT_EQ(encode_cycles(value), 0xFFFF) << "it saturates";
    }
    EXPECT_EQ(encode_cycles(134'201'343), 0xFFFE);
}

std::uint64_t count(const Bench& bench, std::uint64_t logical) {
    EXPECT_NE(bench.data(logical) & kCcv, 0U);
    return bench.data(logical) >> 16;
}

TEST(TransferRecords, CountsTheCyclesSinceTheRecordBefore) {
    Bench bench;
    bench.write(kMctrctl, kM);
    bench.jump(kDirectJump);
    EXPECT_EQ(bench.data(0), 11U) << "the first count does not hold";
    bench.now += 99;
    bench.jump(kBranch, 0x1000, 0x1004, false); // inhibited
    bench.jump(kDirectJump);
    EXPECT_EQ(count(bench, 0), 101U);
    bench.jump(kDirectJump);
    EXPECT_EQ(count(bench, 0), 1U);
    bench.now += 99'999;
    bench.jump(kDirectJump);
    EXPECT_EQ(decoded(count(bench, 0)), 100'000U / 16 * 16);
}

TEST(TransferRecords, CountsOnlyActiveCycles) {
    Bench bench;
    bench.write(kMctrctl, kU | kSte);
    bench.enter(Privilege::User);
    bench.jump(kDirectJump);
    bench.now += 9;
    bench.trap(kInterrupt | 9, Privilege::Supervisor); // 10 cycles, recorded
    EXPECT_EQ(count(bench, 0), 10U);
    bench.now += 1000;
    bench.xret(Privilege::User);
    bench.now += 19;
    bench.jump(kDirectJump);
    EXPECT_EQ(count(bench, 0), 20U);
    bench.now += 5;
    bench.write(kSctrstatus, 3 | kFrozen);
    bench.now += 1000;
    bench.write(kSctrstatus, 3);
    bench.now += 6;
    bench.jump(kDirectJump);
    EXPECT_EQ(count(bench, 0), 12U);
}

TEST(TransferRecords, WritesOfControlAndClearingStartANewCount) {
    for (const bool clears : {false, true}) {
        for (const std::uint16_t number : {kMctrctl, kSctrctl}) {
            Bench bench;
            bench.write(kMctrctl, kM);
            bench.jump(kDirectJump);
            bench.jump(kDirectJump);
            EXPECT_NE(bench.data(0) & kCcv, 0U);
            clears ? bench.records.clear(bench.now) : bench.write(number, bench.read(number));
            bench.jump(kDirectJump);
            EXPECT_EQ(bench.data(0) & kCcv, 0U);
            bench.now += 7;
            bench.jump(kDirectJump);
            EXPECT_EQ(count(bench, 0), 8U);
        }
    }
}

TEST(TransferRecords, ClearingZeroesTheEntriesOfEveryDepth) {
    Bench bench;
    bench.write(kMctrctl, kM);
    for (unsigned index = 0; index < 300; ++index) {
        bench.jump(kDirectJump);
    }
    const std::uint64_t pointer = bench.read(kSctrstatus);
    EXPECT_EQ(bench.recorded(), 256U);
    bench.write(kSctrdepth, 0);
    bench.records.clear(bench.now);
    EXPECT_EQ(bench.read(kMctrctl), kM) << "only entries and the cycle counter";
    EXPECT_EQ(bench.read(kSctrstatus), pointer % 16);
    bench.write(kSctrdepth, 4);
    for (std::uint64_t logical = 0; logical < 256; ++logical) {
        EXPECT_EQ(bench.source(logical) | bench.target(logical) | bench.data(logical), 0U);
    }
}

// --- RAS emulation ------------------------------------------------------------------------------

/// Type filters and external enables are ignored, other transfers inhibited.
TEST(TransferRecords, RasEmulationRecordsCallsOnly) {
    for (const std::uint64_t filters : {std::uint64_t{0}, std::uint64_t{0xFF3E} << 32}) {
        for (const Typed& transfer : kTransfers) {
            Bench bench;
            bench.write(kMctrctl, kM | kRasEmu | filters | kMte | kSte);
            transfer.happens(bench);
            const bool pushes = transfer.type == 8 || transfer.type == 9 || transfer.type == 12;
            EXPECT_EQ(bench.recorded(), pushes ? 1U : 0U) << transfer.type;
        }
        Bench external;
        external.write(kMctrctl, kU | kRasEmu | filters | kMte | kSte);
        external.enter(Privilege::User);
        external.trap(8, Privilege::Machine);
        EXPECT_EQ(external.recorded(), 0U);
    }
}

TEST(TransferRecords, AReturnTakesTheLastCallAway) {
    Bench bench;
    bench.write(kSctrdepth, 0);
    bench.write(kMctrctl, kM | kRasEmu);
    for (Address call = 1; call <= 3; ++call) {
        bench.jump(kDirectCall, 0x100 * call, 0x1000);
    }
    bench.jump(kReturn);
    EXPECT_EQ(bench.read(kSctrstatus), 2U);
    EXPECT_EQ(bench.source(0), 0x200U | kV);
    EXPECT_EQ(bench.source(1), 0x100U | kV);
    EXPECT_EQ(bench.source(15), 0x300U) << "logical entry depth-1, invalid";
    EXPECT_EQ(bench.target(15), 0x1000U);
    bench.jump(kIndirectCall, 0x400, 0x1000);
    EXPECT_EQ(bench.source(0), 0x400U | kV);
    EXPECT_EQ(bench.recorded(), 3U);
}

TEST(TransferRecords, ReturnsFromAnEmptyStackGoOnCountingDown) {
    Bench bench;
    bench.write(kSctrdepth, 0);
    bench.write(kMctrctl, kM | kRasEmu);
    for (unsigned index = 1; index <= 20; ++index) {
        bench.jump(kReturn);
        EXPECT_EQ(bench.read(kSctrstatus), (16U * 2 - index) % 16);
        EXPECT_EQ(bench.recorded(), 0U);
    }
    bench.jump(kDirectCall, 0x100, 0x1000);
    EXPECT_EQ(bench.recorded(), 1U);
    EXPECT_EQ(bench.data(0) & kCcv, 0U) << "there was no entry before it";
}

TEST(TransferRecords, ASwapOverwritesTheNewestEntry) {
    Bench bench;
    bench.write(kMctrctl, kM | kRasEmu);
    bench.jump(kDirectCall, 0x100, 0x1000);
    bench.jump(kDirectCall, 0x200, 0x2000);
    bench.jump(kSwap, 0x300, 0x3000, true, true);
    EXPECT_EQ(bench.read(kSctrstatus), 2U);
    EXPECT_EQ(bench.source(0), 0x300U | kV);
    EXPECT_EQ(bench.target(0), 0x3000U | kMisp);
    EXPECT_EQ(bench.data(0) & 0xF, 12U);
    EXPECT_EQ(bench.source(1), 0x100U | kV);
}

/// The count is of the cycles since the record below: a return adds the popped one's.
TEST(TransferRecords, APoppedCountGoesToTheNextRecord) {
    Bench bench;
    bench.write(kMctrctl, kM | kRasEmu);
    bench.jump(kDirectCall); // a: does not hold
    bench.now += 9;
    bench.jump(kDirectCall); // b: 10
    EXPECT_EQ(count(bench, 0), 10U);
    bench.now += 4;
    bench.jump(kReturn); // from b
    bench.now += 6;
    bench.jump(kDirectCall); // c: 10 + 5 + 7
    EXPECT_EQ(count(bench, 0), 22U);
    bench.now += 2;
    bench.jump(kSwap); // instead of c: 22 + 3
    EXPECT_EQ(count(bench, 0), 25U);
    bench.jump(kReturn);
    bench.jump(kReturn); // from a, whose count does not hold
    bench.jump(kDirectCall);
    EXPECT_EQ(bench.data(0) & kCcv, 0U);
}

} // namespace
} // namespace pes::ctr_test

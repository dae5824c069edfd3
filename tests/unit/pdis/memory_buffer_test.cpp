// SPDX-License-Identifier: Apache-2.0
// The memory buffer by the text of Ssamb: fields, wrap, thresholds, faults, what is dropped.
#include "hw/pdis/memory_buffer.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

namespace pes::pdis {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint64_t kEn = 1, kTf = 2, kBmi = 4;
constexpr std::uint64_t kBmien = std::uint64_t{1} << 34, kSof = std::uint64_t{1} << 35;
constexpr std::uint64_t kWrap = std::uint64_t{1} << 61, kEmpty = std::uint64_t{1} << 62;
constexpr std::uint64_t kTrv = std::uint64_t{1} << 63;
constexpr Address kBase = 0x4000'0000;
constexpr Address kPhysical = 0x8000'0000; ///< of the page at kBase; the others follow

std::uint64_t of_size(unsigned size) {
    return std::uint64_t{size} << 7;
}

class Memory : public BufferMemory {
  public:
    std::set<Address> missing;   ///< virtual pages
    std::set<Address> read_only; ///< physical pages
    std::map<Address, std::uint64_t> words;
    std::vector<Address> walked;
    std::vector<Cycle> interrupts;
    std::uint64_t fence_count = 0;

    std::optional<Address> translate(Address address) override {
        walked.push_back(address);
        return missing.contains(address) ? std::nullopt
                                         : std::optional(address - kBase + kPhysical);
    }
    bool store(Address physical, std::span<const std::uint64_t> values) override {
        if (read_only.contains(physical & ~Address{0xFFF})) {
            return false;
        }
        for (const std::uint64_t value : values) {
            words[physical] = value;
            physical += 8;
        }
        return true;
    }
    std::uint64_t fences() const override { return fence_count; }
    void interrupt(Cycle at) override { interrupts.push_back(at); }
};

class MemoryBufferTest : public testing::Test {
  protected:
    void start(std::uint64_t control, Address at = kBase) {
        buffer.write_address(at);
        buffer.write_control(control | kEn, 10);
    }
    /// Records numbered from 1; how many were kept.
    unsigned append(unsigned count) {
        unsigned kept = 0;
        for (unsigned n = 0; n < count; ++n) {
            Record record{};
            record[0] = ++number;
            kept += buffer.append(record, 100 + number) ? 1U : 0U;
        }
        return kept;
    }
    std::uint64_t control() const { return buffer.read_control(); }

    Memory memory;
    MemoryBuffer buffer{memory};
    unsigned number = 0;
};

TEST_F(MemoryBufferTest, KeepsItsFields) {
    EXPECT_EQ(control(), kEmpty);
    buffer.write_control(kAll & ~kEn, 1);
    EXPECT_EQ(control(), kTf | kBmi | of_size(20) | std::uint64_t{0xFFFFF} << 12 |
                             std::uint64_t{3} << 32 | kBmien | kSof | kWrap | kEmpty);
    buffer.write_control(0, 2);
    EXPECT_EQ(control(), kEmpty);
    buffer.write_address(kAll);
    EXPECT_EQ(buffer.address(), ~Address{63});
}

TEST_F(MemoryBufferTest, EverySizeUpToTheLargest) {
    for (unsigned size = 0; size < 32; ++size) {
        buffer.write_control(of_size(size), 1);
        EXPECT_EQ(control() >> 7 & 31, std::min(size, 20U));
    }
}

TEST_F(MemoryBufferTest, TranslatesTheCurrentAndTheNextPageWhenEnabled) {
    start(of_size(2), kBase + 0x1000);
    EXPECT_EQ(memory.walked, (std::vector<Address>{kBase + 0x1000, kBase + 0x2000}));
    EXPECT_NE(control() & kTrv, 0U);
    buffer.write_control(of_size(2), 20);
    EXPECT_EQ(control() & kTrv, 0U);
}

TEST_F(MemoryBufferTest, WritesWholeRecordsOneAfterTheOther) {
    start(of_size(0));
    EXPECT_EQ(append(3), 3U);
    EXPECT_EQ(buffer.address(), kBase + 3 * 64);
    EXPECT_EQ(memory.words[kPhysical], 1U);
    EXPECT_EQ(memory.words[kPhysical + 64], 2U);
    EXPECT_EQ(memory.words[kPhysical + 128], 3U);
    EXPECT_EQ(memory.words.size(), 3U * 8);
}

TEST_F(MemoryBufferTest, DropsWhileItIsOff) {
    EXPECT_EQ(append(2), 0U);
    EXPECT_TRUE(memory.words.empty());
}

TEST_F(MemoryBufferTest, WrapsAndOverwrites) {
    start(of_size(0));
    EXPECT_EQ(append(64), 64U);
    EXPECT_EQ(buffer.address(), kBase);
    EXPECT_NE(control() & kWrap, 0U);
    EXPECT_EQ(append(1), 1U);
    EXPECT_EQ(memory.words[kPhysical], 65U);
}

TEST_F(MemoryBufferTest, StopsWhenItIsFull) {
    start(of_size(1) | kSof);
    EXPECT_EQ(append(130), 128U);
    EXPECT_EQ(buffer.address(), kBase);
    EXPECT_EQ(memory.words[kPhysical], 1U);
    EXPECT_EQ(memory.words[kPhysical + 0x1FC0], 128U);
}

/// "a LAMBI is pended when a hardware increment of sambaddr causes the two most significant bits of
/// the write pointer offset portion to transition to match BMITH".
TEST_F(MemoryBufferTest, InterruptsAtTheThreshold) {
    for (unsigned threshold = 0; threshold < 4; ++threshold) {
        for (const bool enabled : {false, true}) {
            Memory own;
            MemoryBuffer one(own);
            one.write_address(kBase);
            one.write_control(
                kEn | of_size(1) | std::uint64_t{threshold} << 32 | (enabled ? kBmien : 0), 10);
            std::vector<Cycle> expected;
            for (unsigned n = 1; n <= 128; ++n) {
                EXPECT_TRUE(one.append({}, n));
                if (enabled && n % 128 == 32 * threshold) {
                    expected.push_back(n);
                }
                EXPECT_EQ(own.interrupts, expected);
                EXPECT_EQ((one.read_control() & kBmi) != 0, !expected.empty());
            }
        }
    }
}

TEST_F(MemoryBufferTest, AFaultNamesItsPageAndInterrupts) {
    memory.missing = {kBase + 0x2000};
    start(of_size(2), kBase);
    EXPECT_EQ(append(63), 63U);
    EXPECT_EQ(control() & kTf, 0U);
    EXPECT_EQ(append(1), 1U); // the last of page 0: page 2 is translated ahead
    EXPECT_NE(control() & kTf, 0U);
    EXPECT_EQ(control() >> 12 & 0xFFFFF, 2U);
    EXPECT_EQ(memory.interrupts.size(), 1U);
    EXPECT_EQ(append(64), 64U); // page 1 is there
    EXPECT_EQ(append(2), 0U);
    EXPECT_EQ(control() & kTrv, 0U);
    EXPECT_EQ(memory.interrupts.size(), 1U);
    memory.missing.clear();
    buffer.write_control(kEn | of_size(2), 20); // TF = 0: serviced
    EXPECT_NE(control() & kTrv, 0U);
    EXPECT_EQ(append(1), 1U);
    EXPECT_EQ(memory.words[kPhysical + 0x2000], number);
}

TEST_F(MemoryBufferTest, AFaultOfTheFirstPageComesWhenItIsEnabled) {
    memory.missing = {kBase + 0x3000};
    start(of_size(2), kBase + 0x3040);
    EXPECT_NE(control() & kTf, 0U);
    EXPECT_EQ(control() >> 12 & 0xFFFFF, 3U);
    EXPECT_EQ(memory.interrupts, std::vector<Cycle>{10});
    EXPECT_EQ(append(1), 0U);
}

TEST_F(MemoryBufferTest, WhatMemoryRefusesIsAFault) {
    memory.read_only = {kPhysical};
    start(of_size(0));
    EXPECT_EQ(append(1), 0U);
    EXPECT_NE(control() & kTf, 0U);
    EXPECT_EQ(buffer.address(), kBase);
}

TEST_F(MemoryBufferTest, LooksUpItsPagesAgainBehindAFence) {
    start(of_size(1));
    EXPECT_EQ(append(1), 1U);
    memory.walked.clear();
    memory.missing = {kBase};
    EXPECT_EQ(append(1), 1U); // still kept
    ++memory.fence_count;
    EXPECT_EQ(append(1), 0U);
    EXPECT_NE(control() & kTf, 0U);
}

} // namespace
} // namespace pes::pdis

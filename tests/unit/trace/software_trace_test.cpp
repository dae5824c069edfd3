// SPDX-License-Identifier: Apache-2.0
// The software trace module of Open SoC Debug. Expectations: its specification (registers, packets,
// ids), and the timing that hw/trace/software/software_trace.h promises: an event of a 64-bit value
// is a packet of ten words, which leave from the cycle after the event on, one in each cycle.
#include "hw/trace/software/software_trace.h"

#include "hw/interface/maps/software_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace pes::trace {
namespace {

namespace map = software_trace_map;
using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::uint16_t>;

constexpr Address kRegister = 2; ///< bytes of each
constexpr Cycle kPacketCycles = 10;
constexpr std::uint16_t kEvent = 2U << 14;               ///< FLAGS: type 2, sub-type 0
constexpr std::uint16_t kOverflow = 2U << 14 | 5U << 10; ///< sub-type 5

class PacketLog : public ProbeOutput {
  public:
    void send(std::span<const std::uint8_t> bytes) override {
        ASSERT_EQ(bytes.size() % 2, 0U);
        Words words;
        for (std::size_t at = 0; at < bytes.size(); at += 2) {
            words.push_back(static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]));
        }
        ASSERT_EQ(words.at(0), words.size() - 1); // the length
        packets.emplace_back(words.begin() + 1, words.end());
    }
    std::vector<Words> packets;
};

struct Bench {
    explicit Bench(const SoftwareTraceConfig& config = {}) : unit(config, link) {}

    void write(Address offset, std::uint16_t value, Cycle at = 0) {
        EXPECT_EQ(unit.registers().write(offset, 2, value, at), AccessStatus::Ok);
    }
    std::uint16_t read(Address offset) {
        std::uint64_t value = 0;
        EXPECT_EQ(unit.registers().read(offset, 2, value, 0), AccessStatus::Ok);
        return static_cast<std::uint16_t>(value);
    }
    void start() { write(map::kControl, map::kActive); }
    /// `count` events with the values 0, 1 ..., one in each cycle.
    void burst(unsigned count, Cycle at) {
        for (unsigned n = 0; n < count; ++n) {
            unit.written(0x10, n, at + n);
        }
    }
    /// The numbers in the overflow packets.
    std::vector<unsigned> overflows() const {
        std::vector<unsigned> list;
        for (const Words& packet : link.packets) {
            if (packet.at(2) == kOverflow) {
                EXPECT_EQ(packet.size(), 4U);
                list.push_back(packet.at(3));
            }
        }
        return list;
    }

    PacketLog link;
    SoftwareTrace unit;
};

TEST(SoftwareTrace, HasTheIdentityOfTheSpecification) {
    Bench bench;
    EXPECT_EQ(bench.read(kRegister * 0x0000), 1U);  // MOD_VENDOR
    EXPECT_EQ(bench.read(kRegister * 0x0001), 4U);  // MOD_TYPE
    EXPECT_EQ(bench.read(kRegister * 0x0002), 0U);  // MOD_VERSION
    EXPECT_EQ(bench.read(kRegister * 0x0003), 0U);  // MOD_CS: stalled
    EXPECT_EQ(bench.read(kRegister * 0x0004), 0U);  // MOD_EVENT_DEST
    EXPECT_EQ(bench.read(kRegister * 0x0200), 64U); // VALWIDTH
    EXPECT_EQ(Bench({.value_bits = 32}).read(kRegister * 0x0200), 32U);
}

TEST(SoftwareTrace, RegistersTakeAccessesOf16BitsOnly) {
    Bench bench;
    RegisterBlock& block = bench.unit.registers();
    std::uint64_t value = 0;
    EXPECT_EQ(block.read(map::kVendor, 4, value, 0), AccessStatus::SizeError);
    EXPECT_EQ(block.read(map::kVendor, 1, value, 0), AccessStatus::SizeError);
    EXPECT_EQ(block.read(kRegister * 0x0005, 2, value, 0), AccessStatus::AddressError);
    EXPECT_EQ(block.write(map::kValueWidth, 2, 16, 0), AccessStatus::RightsError);
}

TEST(SoftwareTrace, OnlyTheActiveBitOfTheControlRegisterExists) {
    Bench bench;
    bench.write(map::kControl, 0xFFFF);
    EXPECT_EQ(bench.read(map::kControl), 1U);
}

TEST(SoftwareTrace, AnEventIsOnePacketWithTheTimeTheIdAndTheValueLowestWordFirst) {
    Bench bench({.source = 7});
    bench.start();
    bench.write(map::kEventDestination, 0x0123);
    bench.unit.written(0x0004, 0x8877'6655'4433'2211, 0x1'CAFE'F00D);
    bench.unit.drain();
    EXPECT_THAT(bench.link.packets, ElementsAre(Words{0x0123, 7, kEvent, 0xF00D, 0xCAFE, 0x0004,
                                                      0x2211, 0x4433, 0x6655, 0x8877}));
}

TEST(SoftwareTrace, ANarrowValueLeavesItsUpperBitsOut) {
    for (const unsigned bits : {16U, 32U}) {
        Bench bench({.value_bits = bits});
        bench.start();
        bench.unit.written(1, 0x8877'6655'4433'2211, 5);
        bench.unit.drain();
        Words expected{0, 1, kEvent, 5, 0, 1, 0x2211, 0x4433};
        expected.resize(6 + bits / 16);
        EXPECT_THAT(bench.link.packets, ElementsAre(expected));
    }
}

TEST(SoftwareTrace, AnIdHas16Bits) {
    Bench bench;
    bench.start();
    bench.unit.written(0xFFFF'0009, 0, 1);
    bench.unit.drain();
    EXPECT_EQ(bench.link.packets.at(0).at(5), 9U);
}

TEST(SoftwareTrace, Id0IsNoEvent) {
    Bench bench;
    bench.start();
    bench.unit.written(0, 5, 1);
    bench.unit.written(0x1'0000, 5, 2);
    bench.unit.drain();
    EXPECT_TRUE(bench.link.packets.empty());
    EXPECT_EQ(bench.unit.counts(), SoftwareTraceCounts{});
}

TEST(SoftwareTrace, AStalledModuleDiscardsWithoutCounting) {
    Bench bench;
    bench.burst(20, 100);
    bench.start();
    bench.write(map::kControl, 0, 200);
    bench.burst(20, 300);
    bench.unit.drain();
    EXPECT_THAT(bench.link.packets, IsEmpty());
    EXPECT_EQ(bench.unit.counts(), SoftwareTraceCounts{});
}

TEST(SoftwareTrace, WhatWasAcceptedBeforeAStallStillLeaves) {
    Bench bench;
    bench.start();
    bench.burst(3, 100);
    bench.write(map::kControl, 0, 103);
    bench.unit.drain();
    EXPECT_EQ(bench.link.packets.size(), 3U);
}

TEST(SoftwareTrace, APacketHasTheDestinationOfTheMomentInWhichItBeginsToLeave) {
    Bench bench;
    bench.start();
    bench.burst(3, 100); // they begin at 101, 111 and 121
    bench.write(map::kEventDestination, 9, 111);
    bench.unit.drain();
    ASSERT_EQ(bench.link.packets.size(), 3U);
    EXPECT_EQ(bench.link.packets[0][0], 0U);
    EXPECT_EQ(bench.link.packets[1][0], 0U);
    EXPECT_EQ(bench.link.packets[2][0], 9U);
}

TEST(SoftwareTrace, TheFifoHoldsEightEvents) {
    Bench bench;
    bench.start();
    bench.burst(8, 100);
    bench.unit.drain();
    EXPECT_EQ(bench.link.packets.size(), 8U);
    EXPECT_THAT(bench.overflows(), IsEmpty());
}

TEST(SoftwareTrace, TheNinthEventOfABurstIsMissedAndReportedBehindTheEight) {
    Bench bench;
    bench.start();
    bench.burst(9, 100);
    bench.unit.drain();
    ASSERT_EQ(bench.link.packets.size(), 9U);
    EXPECT_EQ(bench.link.packets.back(), (Words{0, 1, kOverflow, 1}));
    EXPECT_EQ(bench.unit.counts(),
              (SoftwareTraceCounts{.events = 8, .missed = 1, .overflows = 1, .words = 84}));
}

TEST(SoftwareTrace, AnEventHasItsPlaceUntilItsLastWordHasGone) {
    // Eight events from 100 on: the first one's words leave in the cycles 101 to 110.
    for (const Cycle at : {110, 111}) {
        Bench bench;
        bench.start();
        bench.burst(8, 100);
        bench.unit.written(0x20, 0, at);
        EXPECT_EQ(bench.unit.counts().missed, at == 110 ? 1U : 0U);
    }
}

TEST(SoftwareTrace, BehindAMissEverythingIsMissedUntilHalfOfTheFifoIsFree) {
    // Places become free at 111, 121, 131 and 141.
    for (const Cycle at : {140, 141}) {
        Bench bench;
        bench.start();
        bench.burst(9, 100);
        bench.unit.written(0x20, 0, at);
        bench.unit.drain();
        EXPECT_THAT(bench.overflows(), ElementsAre(at == 140 ? 2U : 1U));
        EXPECT_EQ(bench.unit.counts().events, at == 140 ? 8U : 9U);
    }
}

TEST(SoftwareTrace, ALongBurstIsNoTrainOfOverflowPackets) {
    Bench bench;
    bench.start();
    constexpr unsigned kEvents = 10'000;
    bench.burst(kEvents, 100);
    bench.unit.drain();
    std::size_t events = 0;
    std::size_t since = 0;
    unsigned missed = 0;
    for (const Words& packet : bench.link.packets) {
        if (packet[2] == kOverflow) {
            EXPECT_GE(since, 3U); // as many as half of the FIFO and the report leave room for
            missed += packet[3];
            since = 0;
        } else {
            ++events;
            ++since;
        }
    }
    EXPECT_EQ(events + missed, kEvents);
    EXPECT_EQ(bench.unit.counts().missed, missed);
    EXPECT_LE(bench.overflows().size(), kEvents / (3 * kPacketCycles));
}

TEST(SoftwareTrace, OneMissIsOneReportHoweverLongNothingFollows) {
    Bench bench;
    bench.start();
    bench.burst(9, 100);
    bench.unit.written(0x20, 0, 1'000'000);
    bench.unit.drain();
    EXPECT_THAT(bench.overflows(), ElementsAre(1U));
    EXPECT_EQ(bench.link.packets.back().at(5), 0x20U);
}

TEST(SoftwareTrace, TheNumberOfMissedEventsSaturates) {
    Bench bench({.word_cycles = 100'000}); // nothing leaves meanwhile
    bench.start();
    bench.burst(8 + 70'000, 100);
    bench.unit.drain();
    EXPECT_THAT(bench.overflows(), ElementsAre(0xFFFFU));
    EXPECT_EQ(bench.unit.counts().missed, 70'000U);
}

TEST(SoftwareTrace, ASlowerLinkTakesLonger) {
    Bench bench({.word_cycles = 3}); // words of the first event in 101 .. 130
    bench.start();
    bench.burst(8, 100);
    bench.unit.written(0x20, 0, 130);
    EXPECT_EQ(bench.unit.counts().missed, 1U);
}

TEST(SoftwareTrace, ThreadSwitchesAreEventsWhileTheyAreAskedFor) {
    Bench bench;
    unsigned changes = 0;
    bench.unit.on_tracking([&changes] { ++changes; });
    bench.write(map::kThreadTracking, map::kTrackThreads);
    EXPECT_FALSE(bench.unit.tracks_threads()); // stalled
    bench.unit.thread_switched(0x1111, 10);
    bench.start();
    EXPECT_TRUE(bench.unit.tracks_threads());
    bench.unit.thread_switched(0x2222, 20);
    bench.write(map::kThreadTracking, 0);
    EXPECT_FALSE(bench.unit.tracks_threads());
    bench.unit.thread_switched(0x3333, 30);
    bench.unit.drain();
    EXPECT_EQ(changes, 2U);
    EXPECT_THAT(bench.link.packets,
                ElementsAre(Words{0, 1, kEvent, 20, 0, 0x8000, 0x2222, 0, 0, 0}));
}

TEST(SoftwareTrace, TimeDoesNotGoBackBehindARegisterAccess) {
    Bench bench;
    bench.write(map::kControl, map::kActive, 50); // on the bus after the next retirement
    bench.unit.written(1, 0, 48);
    bench.unit.drain();
    EXPECT_EQ(bench.link.packets.at(0).at(3), 50U);
}

} // namespace
} // namespace pes::trace

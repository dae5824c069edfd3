// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/issue/last_retirements.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

struct Core {
    explicit Core(unsigned ports = 2) : scoreboard(8, ports), last(ports) {}

    void retires(RetiredMask events, Cycle ready, RegisterIndex rd,
                 RetirePort port = RetirePort::Any) {
        last.add(events, scoreboard.retire(rd, ready, ready - 1, port), rd, port);
        pulses.retire(events, scoreboard.last_retirement());
    }
    void put_off(RegisterIndex rd, Cycle from, Cycle to) {
        last.put_off(rd, from, to, pulses, scoreboard);
    }
    std::uint64_t total(Event event) const { return pulses.total(static_cast<std::size_t>(event)); }

    PulseLog pulses;
    Scoreboard scoreboard;
    LastRetirements last;
};

constexpr RetiredMask kFloat(Event::FloatingPoint);
constexpr RetiredMask kInteger(Event::Integer);

TEST(LastRetirements, WhatRetiresWithAResultThatIsPutOffGoesWithIt) {
    Core core;
    core.retires(kFloat, 100, 40);
    core.retires(kInteger, 100, 5);
    core.retires(kInteger, 101, 6);
    core.put_off(40, 100, 101);
    EXPECT_EQ(core.pulses.at(100).retired, 0);
    EXPECT_EQ(core.pulses.at(101).retired, 2); // in order, and two in a cycle
    EXPECT_EQ(core.pulses.at(102).retired, 1);
    EXPECT_EQ(core.scoreboard.last_retirement(), 102u);
    EXPECT_EQ(core.pulses.retired(), 3u);
}

TEST(LastRetirements, WithOnePortEachHasACycleOfItsOwn) {
    Core core(1);
    core.retires(kFloat, 100, 40);
    core.retires(kInteger, 100, 5);
    EXPECT_EQ(core.scoreboard.last_retirement(), 101u);
    core.put_off(40, 100, 101);
    EXPECT_EQ(core.pulses.at(101).retired, 1);
    EXPECT_EQ(core.pulses.at(102).retired, 1);
    EXPECT_EQ(core.scoreboard.last_retirement(), 102u);
}

TEST(LastRetirements, TwoOfAClassThatNowRetireTogetherCountOnce) {
    Core core;
    core.retires(kFloat, 100, 40);
    core.retires(kFloat, 101, 41);
    EXPECT_EQ(core.total(Event::FloatingPoint), 2u);
    core.put_off(40, 100, 101);
    EXPECT_EQ(core.total(Event::FloatingPoint), 1u);
}

TEST(LastRetirements, WhatRetiredBeforeItStays) {
    Core core;
    core.retires(kInteger, 100, 5);
    core.retires(kFloat, 100, 40);
    core.put_off(40, 100, 102);
    EXPECT_EQ(core.pulses.at(100).events, kInteger);
    EXPECT_EQ(core.pulses.at(102).events, kFloat);
}

TEST(LastRetirements, AStoreIsNeverTheSecondInItsCycle) {
    Core core;
    core.retires(kFloat, 100, 40);
    core.retires(RetiredMask(Event::Store), 101, kSinkRegister, RetirePort::First);
    core.put_off(40, 100, 101);
    EXPECT_EQ(core.pulses.at(101).events, kFloat);
    EXPECT_EQ(core.pulses.at(102).events, event_bit(Event::Store));
}

TEST(LastRetirements, OneFarAheadOfTheCountersIsNotCountedTwice) {
    Core core;
    core.retires(kFloat, 2 * PulseLog::kSlots, 40);
    core.put_off(40, 2 * PulseLog::kSlots, 2 * PulseLog::kSlots + 1);
    EXPECT_EQ(core.pulses.retired(), 1u);
    EXPECT_EQ(core.total(Event::FloatingPoint), 1u);
    EXPECT_EQ(core.pulses.at(2 * PulseLog::kSlots + 1).retired, 1);
}

TEST(LastRetirements, AStoreIsNotTakenForAResultWithoutARegister) {
    Core core;
    core.retires(kFloat, 100, kSinkRegister); // feq to x0
    core.retires(RetiredMask(Event::Store), 101, kSinkRegister, RetirePort::First);
    core.put_off(kSinkRegister, 100, 101);
    EXPECT_EQ(core.pulses.at(100).retired, 0);
    EXPECT_EQ(core.pulses.at(101).events, kFloat);
    EXPECT_EQ(core.pulses.at(102).events, event_bit(Event::Store));
}

TEST(LastRetirements, WhatACounterReadHasSeenStays) {
    Core core;
    core.retires(kFloat, 100, 40);
    core.retires({}, 101, 5, RetirePort::Alone); // the read
    core.pulses.close(100);
    core.put_off(40, 100, 101);
    EXPECT_EQ(core.pulses.at(101).retired, 1);
    EXPECT_EQ(core.scoreboard.last_retirement(), 101u);
    EXPECT_EQ(core.pulses.retired(), 2u);
}

} // namespace
} // namespace pes

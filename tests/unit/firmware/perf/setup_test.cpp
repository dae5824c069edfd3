// SPDX-License-Identifier: Apache-2.0
// What the library makes of trace units, counters and timer, and what it refuses.
#include "firmware/perf/hart_state.h"
#include "tests/unit/firmware/perf/fake_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::perf {
namespace {

namespace map = trace_map;
using testing::ElementsAre;

constexpr std::uint32_t kSyncOff = 0x00FF'0000;
constexpr std::uint32_t kStopOnWrap = 0x4000;
constexpr std::uint32_t kItc = 0x80; // teInstrumentation = 1
constexpr std::uint32_t kActiveEnabledTracing = 7;
constexpr std::uint32_t kEncoderOn = kSyncOff | kStopOnWrap | kItc | kActiveEnabledTracing;

perfEvent event_of(int type, int code, unsigned long data = 0) {
    perfEvent event{};
    event.type = type;
    event.code = code;
    event.event_data = data;
    return event;
}
const perfEvent kCycles = event_of(perfEventHWGeneral, HW_CPU_CYCLES);
const perfEvent kTimestamp = event_of(perfEventHWGeneral, HW_TIMESTAMP);
const perfEvent kLoads = event_of(perfEventHWRaw, 0, 5);

struct Request {
    std::vector<perfEvent> events{kCycles};
    int channel = 6;
    int type = perfCount_Raw;
    std::uint32_t buffer = 0;
};

int manual(Request request = {}) {
    return perfManualInit(request.events.data(), static_cast<int>(request.events.size()),
                          request.channel, static_cast<perfCountType_t>(request.type),
                          request.buffer);
}

class PerfSetup : public testing::Test {
  protected:
    PerfSetup() { reset_machine(); }

    static FakeUnit& encoder(unsigned hart = 0) { return machine_state.encoders.at(hart); }
    static FakeUnit& funnel(unsigned index = 0) { return machine_state.funnels.at(index); }
    /// Encoders behind funnels: their sink is the funnel, their timestamp its.
    static void connect_funnels() {
        for (FakeUnit& unit : machine_state.encoders) {
            unit.sinks = 1U << map::sink::kFunnel;
            unit.timestamp_type = map::timestamp::kSlave;
        }
    }
};

TEST_F(PerfSetup, InitialisesOnceAndOnlyPossibleMachines) {
    EXPECT_EQ(perfInit(0, 0), 1);
    EXPECT_EQ(perfInit(1, -1), 1);
    EXPECT_EQ(perfInit(PERF_MAX_CORES + 1, 0), 1);
    EXPECT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(perfInit(1, 0), 1);
}

TEST_F(PerfSetup, NothingWorksBeforeInitialisation) {
    EXPECT_EQ(manual(), 1);
    EXPECT_EQ(perfTraceOn(), 1);
    EXPECT_EQ(perfTraceOff(), 1);
    EXPECT_EQ(perfWriteCntrs(), 1);
    EXPECT_EQ(perfWriteTrace(nullptr), 1);
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(perfTraceOn(), 1); // this hart has not been set up
    machine_state.hart = 1;
    EXPECT_EQ(manual(), 1); // perfInit was told of one hart
}

/// Branch instructions are selector 9 on CVA6, and conditional branches 0x4000 on the U74.
TEST_F(PerfSetup, EventsOfTheSbiHaveTheSelectorsOfTheHartsProfile) {
    const perfEvent branches = event_of(perfEventHWGeneral, 5);
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.events = {branches}}), 0);
    EXPECT_EQ(machine_state.events.at(3), 9U);

    reset_machine();
    machine_state.selector_mask = 0x00FF'FFFF'FFFF'FFFF;
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.events = {branches}}), 0);
    EXPECT_EQ(machine_state.events.at(3), 0x4000U);

    reset_machine(); // a profile that is not built in has raw events only
    machine_state.selector_mask = 0xFFF;
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.events = {branches}}), 1);
    EXPECT_EQ(manual({.events = {event_of(perfEventHWRaw, 0, 0x301)}}), 0);
    EXPECT_EQ(machine_state.events.at(3), 0x301U);
}

TEST_F(PerfSetup, SramTraceUsesTheEncodersOwnSink) {
    ASSERT_EQ(perfInit(1, 0), 0);
    ASSERT_EQ(manual(), 0);
    EXPECT_EQ(encoder().registers[map::kControl], kEncoderOn | 4U << 28);
    EXPECT_EQ(encoder().registers[map::kItcTraceEnable], 1U << 6);
    EXPECT_EQ(encoder().registers[map::kSinkWritePointer], 0U);
    // counting, on in all messages; the type is the hardware's
    EXPECT_EQ(encoder().read(map::kTimestampControl), 0x280F'8033U);
}

TEST_F(PerfSetup, MemoryTraceHasTheBufferUpToItsLastWord) {
    encoder().sinks |= 1U << map::implementation::kSinkBytesShift; // words of 64 bits
    ASSERT_EQ(perfInit(1, 0), 0);
    ASSERT_EQ(manual({.buffer = 1027}), 0);
    EXPECT_EQ(encoder().registers[map::kControl], kEncoderOn | 7U << 28);
    const std::uint32_t base = encoder().registers[map::kSinkBase];
    EXPECT_EQ(base % 8, 0U);
    EXPECT_EQ(encoder().registers[map::kSinkLimit], base + 1024 - 8);
    EXPECT_EQ(encoder().registers[map::kSinkWritePointer], base);
    const auto pool = library.sinks[0].buffer.base;
    EXPECT_EQ(encoder().registers[map::kSinkBaseHigh], pool >> 32);
}

TEST_F(PerfSetup, SecondInitialisationUsesTheSameBuffer) {
    ASSERT_EQ(perfInit(1, 0), 0);
    ASSERT_EQ(manual({.buffer = 1024}), 0);
    const std::uint32_t base = encoder().registers[map::kSinkBase];
    ASSERT_EQ(manual({.buffer = 512}), 0);
    EXPECT_EQ(encoder().registers[map::kSinkBase], base);
    EXPECT_EQ(encoder().registers[map::kSinkLimit], base + 512 - 4);
}

TEST_F(PerfSetup, FunnelTakesTheTraceOfAllItsHarts) {
    connect_funnels();
    ASSERT_EQ(perfInit(2, 1), 0);
    ASSERT_EQ(manual({.events = {kTimestamp}, .buffer = 1024}), 0);
    const unsigned resets = funnel().resets;
    funnel().registers[map::kSinkWritePointer] += 8; // hart 0 has traced something
    const std::uint32_t pointer = funnel().registers[map::kSinkWritePointer];
    machine_state.hart = 1;
    ASSERT_EQ(manual({.buffer = 1024}), 0);
    EXPECT_EQ(funnel().resets, resets); // and it is still there
    EXPECT_EQ(funnel().registers[map::kSinkWritePointer], pointer);
    EXPECT_EQ(funnel().registers[map::kControl], kStopOnWrap | 3 | 7U << 28);
    for (unsigned hart = 0; hart < 2; ++hart) {
        EXPECT_EQ(encoder(hart).registers[map::kControl], kEncoderOn | 8U << 28);
        EXPECT_EQ(encoder(hart).registers[map::kSinkLimit], 0U);
    }
    EXPECT_EQ(library.hart[0].clock.base(), library.hart[0].sink_unit.base());
}

TEST_F(PerfSetup, HartsOfOneFunnelMustWantTheSameBuffer) {
    connect_funnels();
    ASSERT_EQ(perfInit(2, 1), 0);
    ASSERT_EQ(manual({.buffer = 1024}), 0);
    machine_state.hart = 1;
    EXPECT_EQ(manual({.buffer = 2048}), 1);
    EXPECT_EQ(manual({.buffer = 0}), 1);
}

TEST_F(PerfSetup, SeveralFunnelsShareTheHartsEvenly) {
    connect_funnels();
    ASSERT_EQ(perfInit(4, 2), 0);
    for (unsigned hart = 0; hart < 4; ++hart) {
        machine_state.hart = hart;
        ASSERT_EQ(manual({.buffer = 1024}), 0);
        EXPECT_EQ(library.hart[hart].sink_unit.base(), 0x1101'8000 + hart / 2 * 0x1000);
    }
    EXPECT_NE(funnel(0).registers[map::kSinkBase], funnel(1).registers[map::kSinkBase]);
}

TEST_F(PerfSetup, TimeOfAllHartsIsThatOfTheFunnelThatTheOthersFollow) {
    connect_funnels();
    funnel(1).timestamp_type = map::timestamp::kSlave;
    ASSERT_EQ(perfInit(4, 2), 0);
    EXPECT_EQ(funnel(0).read(map::kTimestampControl) & 3, 3U); // runs from here on
    machine_state.hart = 3;
    ASSERT_EQ(manual({.events = {kTimestamp}}), 0);
    EXPECT_EQ(library.hart[3].clock.base(), 0x1101'8000U);
}

TEST_F(PerfSetup, SinkThatIsNotThereIsAnError) {
    encoder().sinks = 1U << map::sink::kSram;
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.buffer = 1024}), 1);
    EXPECT_EQ(manual({.buffer = 0}), 0);
}

TEST_F(PerfSetup, BufferLargerThanThePoolIsAnError) {
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.buffer = FakeMachine::kPool + 64}), 1);
    EXPECT_EQ(manual({.buffer = 3}), 1); // not one word
}

TEST_F(PerfSetup, WhatIsNotThereIsAnErrorAndASentence) {
    const auto error = [] { return std::string(perfLastError()); };
    EXPECT_EQ(error(), "");
    funnel().there = false;
    EXPECT_EQ(perfInit(1, 1), 1);
    EXPECT_EQ(error(), "nothing answers where the library expects funnel 0 at 0x11018000: the "
                       "machine has fewer units, or has them elsewhere");
    encoder(1).there = false;
    EXPECT_EQ(perfInit(2, 0), 1);
    EXPECT_THAT(error(), testing::HasSubstr("encoder 1 at 0x11001000"));
    EXPECT_EQ(perfTraceOn(), 1);
    EXPECT_THAT(error(), testing::HasSubstr("perfInit comes before"));
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(perfInit(1, 0), 1);
    EXPECT_EQ(error(), "perfInit has been called before");
    EXPECT_EQ(manual({.events = {kCycles, event_of(perfEventHWRaw, 0, 1000)}}), 1);
    EXPECT_EQ(error(), "event 1 of the list (type 2, 0x3e8) is none that this hart counts");
    EXPECT_EQ(manual({.events = std::vector<perfEvent>(7, kLoads)}), 1);
    EXPECT_EQ(error(),
              "event 6 of the list finds no counter: the hart has 6 that can be programmed");
    encoder().sinks = 1U << map::sink::kMemory;
    EXPECT_EQ(manual(), 1);
    EXPECT_EQ(error(), "encoder 0 at 0x11000000 has no SRAM (SBABufferSize 0)");
    machine_state.has_counters = false;
    EXPECT_EQ(manual({.buffer = 1024}), 1);
    EXPECT_THAT(error(), testing::HasSubstr("counter registers"));
}

TEST_F(PerfSetup, PoolAndTimerAreThePlatformsOrTheProgramsOwn) {
    machine_state.tells_facts = false;
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.buffer = 64}), 1);
    EXPECT_THAT(std::string(perfLastError()),
                testing::HasSubstr("64 bytes does not fit into the 0"));
    perfEvent cycles = kCycles;
    EXPECT_EQ(perfTimerISRInit(&cycles, 1, 6, perfCount_Raw, 0, 100), 1);
    EXPECT_THAT(std::string(perfLastError()), testing::HasSubstr("perfSetPlatform"));
    perfPlatform own{};
    EXPECT_EQ(perfSetPlatform(&own), 1); // too late

    reset_machine();
    alignas(64) static std::array<std::uint8_t, 256> pool;
    own = {.clock_hz = 1000, .timebase_hz = 20'000'000, .pool = pool.data(), .pool_size = 256};
    ASSERT_EQ(perfSetPlatform(&own), 0);
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.buffer = 260}), 1);
    ASSERT_EQ(manual({.buffer = 192}), 0);
    EXPECT_EQ(library.sinks[0].buffer.base, reinterpret_cast<std::uint64_t>(pool.data()) + 64);
    ASSERT_EQ(perfTimerISRInit(&cycles, 1, 6, perfCount_Raw, 0, 100), 0);
    EXPECT_EQ(machine_state.deadline, 2000U); // 20 ticks a microsecond
    machine_state.has_timer = false;
    EXPECT_EQ(perfTimerISRInit(&cycles, 1, 6, perfCount_Raw, 0, 100), 1);
    EXPECT_THAT(std::string(perfLastError()), testing::HasSubstr("no timer"));
}

TEST_F(PerfSetup, AllCountersUpTo31AreUsedAndMeasured) {
    machine_state.counter_limit = 32;
    machine_state.counter_width = 40;
    ASSERT_EQ(perfInit(1, 0), 0);
    ASSERT_EQ(manual({.events = std::vector<perfEvent>(29, kLoads)}), 0);
    const CounterSet& set = library.hart[0].counters;
    EXPECT_EQ(set.mask, 0xFFFF'FFF8);
    EXPECT_EQ(set.counters[28].info.csr, 0xC1FU);
    EXPECT_EQ(set.counters[28].info.width, 40U);
    EXPECT_EQ(machine_state.events[31], 5U);
    EXPECT_EQ(manual({.events = std::vector<perfEvent>(30, kLoads)}), 1);
}

TEST_F(PerfSetup, EventsThatTheHartDoesNotHaveAreErrors) {
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.events = {event_of(perfEventHWGeneral, HW_BUS_CYCLES)}}), 1);
    EXPECT_EQ(manual({.events = {event_of(perfEventHWGeneral, HW_NO_EVENT)}}), 1);
    EXPECT_EQ(manual({.events = {event_of(perfEventHWRaw, 0, 1000)}}), 1);
    EXPECT_EQ(manual({.events = {event_of(perfEventFW, 0)}}), 1);
    EXPECT_EQ(perfManualInit(nullptr, 1, 6, perfCount_Raw, 0), 1);
    EXPECT_EQ(perfManualInit(nullptr, 0, 6, perfCount_Raw, 0), 0);
}

TEST_F(PerfSetup, GeneralEventsAreTranslatedToTheHartsSelector) {
    ASSERT_EQ(perfInit(1, 0), 0);
    ASSERT_EQ(manual({.events = {event_of(perfEventHWGeneral, HW_BRANCH_INSTRUCTIONS),
                                 event_of(perfEventHWGeneral, HW_BRANCH_MISSES)}}),
              0);
    EXPECT_EQ(machine_state.events[3], 9U);
    EXPECT_EQ(machine_state.events[4], 10U);
}

TEST_F(PerfSetup, CountersOfTheListRunAndOthersStayAsTheyWere) {
    machine_state.held = 1U << 3 | 1U << 7;
    ASSERT_EQ(perfInit(1, 0), 0);
    ASSERT_EQ(manual({.events = {kCycles, kLoads}}), 0);
    EXPECT_EQ(machine_state.held, 1U << 7);
    EXPECT_EQ(machine_state.counters[3], 0U);
}

TEST_F(PerfSetup, TimestampNeedsAUnitThatHasOne) {
    encoder().timestamp_type = map::timestamp::kNone;
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.events = {kTimestamp}}), 1);
    EXPECT_EQ(manual({.events = {kCycles}}), 0);
}

TEST_F(PerfSetup, ChannelAndCountTypeAreChecked) {
    ASSERT_EQ(perfInit(1, 0), 0);
    EXPECT_EQ(manual({.channel = 32}), 1);
    EXPECT_EQ(manual({.channel = -1}), 1);
    EXPECT_EQ(manual({.type = 3}), 1);
    EXPECT_EQ(perfTraceOn(), 1); // a failed initialisation is none
    ASSERT_EQ(manual({.channel = 31}), 0);
    EXPECT_EQ(encoder().registers[map::kItcTraceEnable], 1U << 31);
}

class PerfTimer : public PerfSetup {
  protected:
    PerfTimer() { EXPECT_EQ(perfInit(1, 0), 0); }

    static int start(int interval) {
        perfEvent cycles = kCycles;
        return perfTimerISRInit(&cycles, 1, 6, perfCount_Raw, 0, interval);
    }
    static void interrupt(std::uint64_t time, std::uint64_t pc) {
        machine_state.time = time;
        machine_state.interrupts[0] = false; // as in a trap
        perfTimerInterrupt(pc);
        machine_state.interrupts[0] = true;
    }
};

TEST_F(PerfTimer, IntervalIsAtLeast100Microseconds) {
    ASSERT_EQ(start(99), 0);
    EXPECT_EQ(machine_state.deadline, 1000U); // 10 ticks a microsecond
    ASSERT_EQ(start(250), 0);
    EXPECT_EQ(machine_state.deadline, 2500U);
    EXPECT_EQ(machine_state.timer_starts, 2U);
}

TEST_F(PerfTimer, InterruptWritesARecordWithItsAddress) {
    ASSERT_EQ(start(100), 0);
    interrupt(1000, 0x8000'0040); // off: only the timer goes on
    EXPECT_TRUE(encoder().stimuli[6].empty());
    ASSERT_EQ(perfTraceOn(), 0);
    encoder().stimuli[6].clear();
    machine_state.counters[0] = 77;
    interrupt(2000, 0x8000'0044);
    EXPECT_THAT(encoder().stimuli[6], ElementsAre(byte(3), word(0x8000'0044), word(77)));
}

TEST_F(PerfTimer, InterruptsStayOnTheirGrid) {
    ASSERT_EQ(start(100), 0);
    interrupt(1003, 0);
    EXPECT_EQ(machine_state.deadline, 2000U);
    interrupt(4100, 0); // two are missed
    EXPECT_EQ(machine_state.deadline, 5000U);
}

TEST_F(PerfTimer, InterruptLeftOverFromAnEarlierInitialisationIsTheLast) {
    ASSERT_EQ(start(100), 0);
    ASSERT_EQ(manual(), 0);
    interrupt(1000, 0);
    EXPECT_EQ(machine_state.deadline, ~std::uint64_t{0});
}

} // namespace
} // namespace pes::perf

// SPDX-License-Identifier: Apache-2.0
// The funnel: arbitration, control register, what passes while it is off, funnels behind funnels.
#include <gtest/gtest.h>

#include "tests/unit/trace/funnel_bench.h"

namespace pes::trace {
namespace {

using test::Bytes;
using test::bytes_from;
using test::FakeSource;
using test::FunnelBench;
using test::sinks;

namespace control = trace_map::control;
namespace sink = trace_map::sink;
namespace ts = trace_map::timestamp;

constexpr std::uint32_t kOn = control::kActive | control::kEnable;

TEST(Funnel, InputsTakeTurnsMessageByMessage) {
    FunnelBench b(test::funnel_sinks({sink::kSram}), 3);
    b.write(trace_map::kControl, kOn);
    for (std::uint8_t i = 0; i < 3; ++i) {
        b.sources[0].send({i}, 0);
        b.sources[1].send({static_cast<std::uint8_t>(0x10 + i)}, 0);
    }
    b.sources[2].send({0x20}, 0);
    b.sources[0].flush(0);
    b.run_to(1000);
    EXPECT_EQ(b.stored(8), (Bytes{0x00, 0x10, 0x20, 0x01, 0x11, 0x02, 0x12, 0xFF}));
}

TEST(Funnel, AMessageIsNeverCutByAnotherInputs) {
    FunnelBench b;
    b.write(trace_map::kControl, kOn);
    b.sources[0].send(bytes_from(0x00, 7), 0);
    b.sources[1].send(bytes_from(0x40, 9), 0);
    b.run_to(1000);
    Bytes expected = bytes_from(0x00, 7);
    const Bytes second = bytes_from(0x40, 9);
    expected.insert(expected.end(), second.begin(), second.end());
    EXPECT_EQ(b.stored(16), expected);
}

TEST(Funnel, AnInputThatSendsToASinkOfItsOwnIsLeftAlone) {
    FunnelBench b;
    b.write(trace_map::kControl, kOn);
    MessageListener* const input = b.sources[0].told;
    b.sources[0].set_listener(nullptr);
    b.sources[0].send({0x55}, 0);
    b.sources[1].send(bytes_from(0x40, 8), 0);
    b.sources[1].flush(0);
    b.run_to(1000);
    EXPECT_EQ(b.stored(8), bytes_from(0x40, 8));
    EXPECT_FALSE(b.sources[0].empty());
    EXPECT_NE(b.read(trace_map::kControl) & control::kEmpty, 0U);
    b.sources[0].set_listener(input);
    EXPECT_EQ(b.read(trace_map::kControl) & control::kEmpty, 0U);
}

TEST(Funnel, ABurstOfAllInputsTogetherWakesItsSink) {
    FunnelBench b;
    b.write(trace_map::kControl, kOn);
    b.sources[0].send(bytes_from(0, 40), 10);
    b.sources[1].send(bytes_from(0, 24), 20);
    b.run_to(20);
    EXPECT_TRUE(b.sources[0].empty());
    EXPECT_TRUE(b.sources[1].empty());
}

TEST(Funnel, TheControlRegisterKeepsWhatAFunnelHas) {
    FunnelBench b;
    EXPECT_EQ(b.read(trace_map::kControl), control::kEmpty);
    b.write(trace_map::kControl, 0xFFFF'FFFF);
    EXPECT_EQ(b.read(trace_map::kControl), kOn | control::kEmpty | control::kStopOnWrap);
    b.write(trace_map::kControl, sink::kSram << control::kSinkShift | kOn);
    EXPECT_EQ(b.read(trace_map::kControl),
              kOn | control::kEmpty | sink::kSram << control::kSinkShift);
    b.write(trace_map::kControl, 0);
    EXPECT_EQ(b.read(trace_map::kControl), control::kEmpty);
}

TEST(Funnel, TheImplementationRegisterNamesSinksAndWordWidth) {
    FunnelBench b(test::funnel_sinks({sink::kMemory, sink::kSram}));
    EXPECT_EQ(b.read(trace_map::kImplementation), 0x0001'0090U); // SRAM, SBA, 64-bit words
}

TEST(Funnel, AtbControlMayBeProbedAndIsNotThere) {
    constexpr std::uint32_t kActiveAndEnabled = 3;
    FunnelBench b;
    b.write(trace_map::kAtbControl, kActiveAndEnabled);
    EXPECT_EQ(b.read(trace_map::kAtbControl), 0U);
}

TEST(Funnel, ItIsEmptyWhenInputsAndSinkAre) {
    FunnelBench b;
    b.write(trace_map::kControl, kOn);
    b.sources[1].send(bytes_from(0, 3), 0);
    EXPECT_EQ(b.read(trace_map::kControl) & control::kEmpty, 0U);
    b.run_to(1000);
    EXPECT_TRUE(b.sources[1].empty());
    EXPECT_EQ(b.read(trace_map::kControl) & control::kEmpty, 0U); // three bytes wait for a word
    b.write(trace_map::kControl, control::kActive);               // flushes
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kControl), control::kActive | control::kEmpty);
    EXPECT_EQ(b.stored(8), (Bytes{0, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}));
}

TEST(Funnel, MessagesThatWereReadyBeforeItWasTurnedOffStillPass) {
    FunnelBench b;
    b.write(trace_map::kControl, kOn);
    b.sources[0].send(bytes_from(0, 8), 90);
    b.sources[0].send(bytes_from(8, 8), 110);
    b.run_to(100);
    b.write(trace_map::kControl, control::kActive);
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 8U);
    EXPECT_EQ(b.funnel.dropped(), 1U);
}

TEST(Funnel, WhileOffItDropsAndCountsSoThatNobodyWaitsForIt) {
    FunnelBench b;
    b.sources[0].send(bytes_from(0, 8), 10);
    b.sources[1].send(bytes_from(0, 8), 10);
    b.run_to(1000);
    EXPECT_EQ(b.funnel.dropped(), 2U);
    EXPECT_TRUE(b.funnel.empty());
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0U);
}

TEST(Funnel, StopOnWrapTurnsItOff) {
    FunnelBench b;
    b.write(trace_map::kControl, kOn | control::kStopOnWrap);
    for (std::uint8_t i = 0; i < 5; ++i) { // 320 bytes into 256
        b.sources[i % 2].send(bytes_from(static_cast<std::uint8_t>(i * 50), 64), i);
    }
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kControl),
              control::kActive | control::kEmpty | control::kStopOnWrap);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), std::uint32_t{trace_map::kWrapped});
    EXPECT_EQ(b.unit.statistics().written, 256U);
    EXPECT_EQ(b.unit.statistics().discarded + 64 * b.funnel.dropped(), 64U);
}

/// Encoders behind the funnel do not know of the stop: they go on sending, and flush at their end.
TEST(Funnel, AfterAStopNothingIsWrittenUntilSoftwareEnablesItAgain) {
    for (const std::uint32_t to : {sink::kSram, sink::kMemory}) {
        FunnelBench b(test::funnel_sinks({to}));
        b.write(trace_map::kSinkLimit, 0xF8);
        b.write(trace_map::kControl, kOn | control::kStopOnWrap);
        b.sources[0].send(bytes_from(0, 64), 0);
        b.sources[0].send(bytes_from(64, 64), 1);
        b.sources[0].send(bytes_from(128, 64), 2);
        b.sources[1].send(bytes_from(192, 64), 1000);
        while ((b.read(trace_map::kControl) & control::kEnable) != 0 && b.now < 2000) {
            b.run_to(b.now + 1);
        }
        ASSERT_LT(b.now, 2000U);
        b.sources[1].send(bytes_from(0xF0, 4), b.now); // in the cycle of the stop
        b.sources[0].send(bytes_from(0xE0, 4), b.now + 50);
        b.sources[0].flush(b.now + 60);
        b.run_to(5000);
        EXPECT_EQ(b.read(trace_map::kSinkWritePointer), std::uint32_t{trace_map::kWrapped});
        EXPECT_EQ(b.read(trace_map::kWordCount), 32U);
        EXPECT_EQ(b.unit.statistics().written, 256U);
        EXPECT_EQ(b.unit.statistics().discarded + 4 * b.funnel.dropped(), 8U);

        b.write(trace_map::kControl, kOn | control::kStopOnWrap);
        b.sources[0].send(bytes_from(0, 8), b.now);
        b.sources[0].flush(b.now);
        b.run_to(6000);
        EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 8U | trace_map::kWrapped);
    }
}

TEST(Funnel, ASinkErrorShowsUntilOneIsWrittenToIt) {
    FunnelBench b(test::funnel_sinks({sink::kMemory}));
    b.write(trace_map::kSinkLimit, 0xFF8);
    b.write(trace_map::kControl, kOn);
    b.memory.accepts = false;
    b.sources[0].send(bytes_from(0, 8), 0);
    b.run_to(1000);
    EXPECT_NE(b.read(trace_map::kControl) & control::kSinkError, 0U);
    b.write(trace_map::kControl, kOn);
    EXPECT_NE(b.read(trace_map::kControl) & control::kSinkError, 0U);
    b.write(trace_map::kControl, kOn | control::kSinkError);
    EXPECT_EQ(b.read(trace_map::kControl) & control::kSinkError, 0U);
}

TEST(Funnel, ItsTimestampTypeSurvivesFirmwareThatWritesZeroIntoIt) {
    FunnelBench b;
    b.write(trace_map::kTimestampControl, 1U << ts::kPrescaleShift | ts::kActive);
    const std::uint32_t value = b.read(trace_map::kTimestampControl);
    EXPECT_EQ(value >> ts::kTypeShift & ts::kTypeMask, ts::kInternalBus);
    EXPECT_EQ(value >> ts::kWidthShift, 40U);
}

TEST(Funnel, AFunnelMayBeAnInputOfAnother) {
    FunnelBench first;
    FunnelBench second(test::funnel_sinks({sink::kSram, sink::kFunnel}), 1);
    second.unit.set_funnel(first.funnel.add_input(second.funnel));
    first.write(trace_map::kControl, kOn);
    second.write(trace_map::kControl, kOn | sink::kFunnel << control::kSinkShift);
    first.sources[0].send(bytes_from(0x00, 8), 0);
    second.sources[0].send(bytes_from(0x80, 8), 0);
    first.run_to(1000);
    Bytes expected = bytes_from(0x00, 8);
    const Bytes behind = bytes_from(0x80, 8);
    expected.insert(expected.end(), behind.begin(), behind.end());
    EXPECT_EQ(first.stored(16), expected);
    second.now = 1000;
    second.sources[0].send(bytes_from(0x40, 3), 1000);
    second.write(trace_map::kControl, control::kActive | sink::kFunnel << control::kSinkShift);
    first.run_to(2000); // the flush passes through
    EXPECT_EQ(first.read(trace_map::kSinkWritePointer), 24U);
}

} // namespace
} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// The sinks: rules of the buffer registers, words and padding, wrap, time, loss.
#include <gtest/gtest.h>

#include "tests/unit/trace/sink_bench.h"

namespace pes::trace {
namespace {

using test::Bytes;
using test::bytes_from;
using test::SinkBench;
using test::sinks;

namespace sink = trace_map::sink;
namespace probe = trace_map::probe;

constexpr std::uint32_t kOnes = 0xFFFF'FFFF;

SinkConfig sram(std::uint32_t size = 256) {
    return {.sinks = sinks({sink::kSram}), .sram_bytes = size};
}
SinkConfig system_memory() {
    return {.sinks = sinks({sink::kMemory})};
}
SinkConfig all() {
    return {.sinks = sinks({sink::kSram, sink::kProbe, sink::kMemory})};
}

void set_buffer(SinkBench& b, std::uint32_t base, std::uint32_t limit) {
    b.write(trace_map::kSinkBase, base);
    b.write(trace_map::kSinkLimit, limit);
    b.write(trace_map::kSinkWritePointer, base);
}

// --- Registers -----------------------------------------------------------------------------------

TEST(SinkRegisters, AllOnesInTheBaseReadBackTheAlignment) {
    SinkBench b(system_memory());
    b.write(trace_map::kSinkBase, kOnes);
    EXPECT_EQ(b.read(trace_map::kSinkBase), 0xFFFF'FFF8U); // 64-bit words
}

TEST(SinkRegisters, TheBaseHasTheAlignmentOfTheConfiguredWord) {
    SinkConfig config = system_memory();
    config.word_bytes = 32;
    SinkBench b(config);
    b.write(trace_map::kSinkBase, kOnes);
    EXPECT_EQ(b.read(trace_map::kSinkBase), 0xFFFF'FFE0U);
}

TEST(SinkRegisters, OfTheUpperHalfOnlyImplementedAddressBitsStick) {
    SinkConfig config = system_memory();
    config.address_bits = 41;
    SinkBench b(config);
    b.write(trace_map::kSinkBaseHigh, kOnes);
    EXPECT_EQ(b.read(trace_map::kSinkBaseHigh), 0x1FFU);
}

TEST(SinkRegisters, TheLimitDropsLowBitsToLandOnTheLastWord) {
    SinkBench b(system_memory());
    constexpr std::uint32_t base = 0x8000'1000;
    constexpr std::uint32_t size = 0x100;
    b.write(trace_map::kSinkLimit, base + size - 2); // as SiFive's library computes it
    EXPECT_EQ(b.read(trace_map::kSinkLimit), base + size - 8);
}

TEST(SinkRegisters, TheSizeOfAnSramIsFoundThroughTheWritePointer) {
    SinkBench b(sram(4096));
    for (const std::uint32_t ones : {kOnes, 0xFFFF'FFFCU}) {
        b.write(trace_map::kSinkWritePointer, ones);
        EXPECT_EQ(b.read(trace_map::kSinkWritePointer) + 8, 4096U);
    }
}

TEST(SinkRegisters, AnSramHasBaseZeroAndItsLastWordAsLimit) {
    SinkBench b(sram(4096));
    b.write(trace_map::kSinkBase, 0x8000'0000);
    b.write(trace_map::kSinkLimit, 0x100);
    EXPECT_EQ(b.read(trace_map::kSinkBase), 0U);
    EXPECT_EQ(b.read(trace_map::kSinkLimit), 4096U - 8);
}

TEST(SinkRegisters, ADataAccessMovesTheReadPointerByFourAndWrapsAtTheEnd) {
    SinkBench b(sram(256));
    EXPECT_EQ(b.read(trace_map::kSinkReadPointer), 0U);
    b.write(trace_map::kSinkReadPointer, 248);
    b.write(trace_map::kSinkData, 0x1111'1111);
    b.write(trace_map::kSinkData, 0x2222'2222);
    EXPECT_EQ(b.read(trace_map::kSinkReadPointer), 0U);
    b.write(trace_map::kSinkData, 0x3333'3333);
    b.write(trace_map::kSinkReadPointer, 248);
    EXPECT_EQ(b.read(trace_map::kSinkData), 0x1111'1111U);
    EXPECT_EQ(b.read(trace_map::kSinkReadPointer), 252U);
    EXPECT_EQ(b.read(trace_map::kSinkData), 0x2222'2222U);
    EXPECT_EQ(b.read(trace_map::kSinkData), 0x3333'3333U);
    EXPECT_EQ(b.read(trace_map::kSinkReadPointer), 4U);
}

TEST(SinkRegisters, ADebuggersLookAtTheDataMovesNothing) {
    SinkBench b(sram(256));
    b.write(trace_map::kSinkData, 0xAB);
    b.write(trace_map::kSinkReadPointer, 0);
    std::uint64_t value = 0;
    ASSERT_EQ(b.registers.peek(trace_map::kSinkData, 4, value, 0), AccessStatus::Ok);
    EXPECT_EQ(value, 0xABU);
    EXPECT_EQ(b.read(trace_map::kSinkReadPointer), 0U);
}

TEST(SinkRegisters, AWriteToTheWritePointerClearsTheWrapFlagWhateverItsBitZeroIs) {
    SinkBench b(sram(64));
    b.source.send(bytes_from(0, 64), 0);
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 1U);
    b.write(trace_map::kSinkWritePointer, 9);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 8U);
}

TEST(SinkRegisters, ResetClearsPointersAndTurnsTheProbeOff) {
    SinkBench b(all());
    b.unit.select(sink::kMemory, 0);
    set_buffer(b, 0x8000'0000, 0x8000'0FF8);
    b.write(trace_map::kProbeControl, probe::kActive | probe::kEnable | 11U << 4);
    b.unit.reset(0);
    b.unit.select(sink::kMemory, 0);
    for (const Address offset : {trace_map::kSinkBase, trace_map::kSinkLimit,
                                 trace_map::kSinkWritePointer, trace_map::kSinkReadPointer}) {
        EXPECT_EQ(b.read(offset), 0U) << offset;
    }
    EXPECT_EQ(b.read(trace_map::kProbeControl), probe::kEmpty);
}

TEST(SinkRegisters, TheBufferMayBeSetUpBeforeItsSinkIsSelected) {
    SinkConfig config = all();
    config.sinks = sinks({sink::kProbe, sink::kMemory});
    SinkBench b(config);
    b.unit.select(sink::kProbe, 0);
    set_buffer(b, 0x8000'0000, 0x8000'0FF8);
    b.unit.select(sink::kMemory, 0);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0x8000'0000U);
}

TEST(SinkSelection, ZeroStaysZeroIfOnlyOneSinkIsConnected) {
    SinkBench b(system_memory());
    EXPECT_EQ(b.unit.select(sink::kOnly, 0), sink::kOnly);
    EXPECT_EQ(b.unit.select(sink::kMemory, 0), sink::kMemory);
}

TEST(SinkSelection, ZeroBecomesACodeIfThereAreSeveral) {
    SinkBench b(all());
    EXPECT_EQ(b.unit.select(sink::kOnly, 0), sink::kSram);
}

TEST(SinkSelection, ACodeWithoutASinkLeavesTheOneInForce) {
    SinkBench b(all());
    b.unit.select(sink::kMemory, 0);
    for (const std::uint32_t code : {1U, 5U, sink::kFunnel, 15U}) {
        EXPECT_EQ(b.unit.select(code, 0), sink::kMemory) << code;
    }
}

TEST(SinkSelection, WithTheFunnelSelectedItIsTheFunnelThatListens) {
    class Listener : public MessageListener {
      public:
        void message_ready(std::size_t bytes, Cycle) override { seen += bytes; }
        void flush(Cycle) override {}
        std::size_t seen = 0;
    } funnel;
    SinkConfig config = all();
    config.sinks |= sinks({sink::kFunnel});
    SinkBench b(config);
    b.unit.set_funnel(funnel);
    EXPECT_NE(b.source.listener(), &funnel);
    b.unit.select(sink::kFunnel, 0);
    b.source.send(bytes_from(0, 5), 0);
    EXPECT_EQ(funnel.seen, 5U);
    EXPECT_FALSE(b.clock.pending); // and this unit stays asleep
}

TEST(SinkConfiguration, WhatCannotBeBuiltIsRefused) {
    SinkConfig odd_word = sram();
    odd_word.word_bytes = 12;
    SinkConfig odd_sram = sram(100);
    SinkConfig odd_burst = sram();
    odd_burst.burst_bytes = 60;
    SinkConfig no_sink = sram();
    no_sink.sinks = 0;
    for (const SinkConfig& config : {odd_word, odd_sram, odd_burst, no_sink}) {
        EXPECT_THROW(SinkBench{config}, std::invalid_argument);
    }
}

// --- Words ---------------------------------------------------------------------------------------

TEST(SinkWords, OnlyWholeWordsAreWrittenUntilTheFlushPadsTheRestWithIdleBytes) {
    SinkBench b(sram());
    b.source.send(bytes_from(1, 11), 0);
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 8U);
    EXPECT_FALSE(b.unit.empty());
    b.source.flush(1000);
    EXPECT_FALSE(b.unit.empty());
    b.run_to(1000);
    EXPECT_TRUE(b.unit.empty());
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 16U);
    Bytes expected = bytes_from(1, 11);
    expected.insert(expected.end(), 5, 0xFF);
    EXPECT_TRUE(std::ranges::equal(b.unit.sram().first(16), expected));
}

TEST(SinkWords, AFlushWithNothingInHandWritesNothing) {
    SinkBench b(sram());
    b.source.send(bytes_from(1, 16), 0);
    b.run_to(1000);
    b.source.flush(1000);
    b.run_to(2000);
    EXPECT_TRUE(b.unit.empty());
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 16U);
}

TEST(SinkWords, AFlushWaitsForMessagesThatWereReadyBeforeIt) {
    SinkBench b(sram());
    b.source.send(bytes_from(1, 3), 40); // the hart has run ahead of the kernel
    b.source.flush(50);
    b.run_to(45);
    EXPECT_FALSE(b.unit.empty());
    b.run_to(50);
    EXPECT_TRUE(b.unit.empty());
    EXPECT_EQ(b.unit.sram()[2], 3);
    EXPECT_EQ(b.unit.sram()[3], 0xFF);
}

TEST(SinkWords, TheWordCounterCountsWhatWentToTheSink) {
    SinkBench b(sram());
    b.source.send(bytes_from(0, 60), 0);
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kWordCount), 7U);
}

TEST(SinkWords, MemoryGetsTheBytesOfTheMessagesInTheirOrder) {
    SinkBench b(system_memory());
    b.write(trace_map::kSinkBaseHigh, 1);
    set_buffer(b, 0x2000, 0x2FF8);
    b.source.send(bytes_from(0, 20), 0);
    b.source.send(bytes_from(20, 20), 1);
    b.run_to(1000);
    EXPECT_EQ(b.memory.at(0x1'0000'2000, 40), bytes_from(0, 40));
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0x2028U);
}

// --- Wrap ----------------------------------------------------------------------------------------

TEST(SinkWrap, TheWordAtTheLimitIsTheLastAndTheWritePointerGoesBackToTheBase) {
    SinkBench b(system_memory());
    set_buffer(b, 0x1000, 0x1018); // four words
    b.source.send(bytes_from(0, 24), 0);
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0x1018U);
    b.source.send(bytes_from(24, 8), 1000);
    b.run_to(2000);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0x1000U | trace_map::kWrapped);
    EXPECT_EQ(b.unit.statistics().overwritten, 0U);
    b.source.send(bytes_from(32, 8), 2000);
    b.run_to(3000);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0x1008U | trace_map::kWrapped);
    EXPECT_EQ(b.memory.at(0x1000, 8), bytes_from(32, 8));
    EXPECT_EQ(b.memory.at(0x1008, 24), bytes_from(8, 24));
    EXPECT_EQ(b.unit.statistics().overwritten, 8U);
    EXPECT_TRUE(b.owner.stops.empty());
}

TEST(SinkWrap, AWritePointerAtTheLimitWrapsWithTheNextWord) {
    SinkBench b(system_memory()); // SiFive's library clears a buffer by WP = limit
    set_buffer(b, 0x1000, 0x1018);
    b.write(trace_map::kSinkWritePointer, 0x1018);
    b.source.send(bytes_from(0, 16), 0);
    b.run_to(1000);
    EXPECT_EQ(b.memory.at(0x1018, 8), bytes_from(0, 8));
    EXPECT_EQ(b.memory.at(0x1000, 8), bytes_from(8, 8));
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0x1008U | trace_map::kWrapped);
}

TEST(SinkWrap, ABurstIsCutAtTheLimit) {
    SinkBench b(system_memory());
    set_buffer(b, 0x1000, 0x1018);
    b.write(trace_map::kSinkWritePointer, 0x1010);
    b.source.send(bytes_from(0, 32), 0);
    b.run_to(1000);
    EXPECT_EQ(b.memory.bursts,
              (std::vector<std::pair<Address, std::size_t>>{{0x1010, 16}, {0x1000, 16}}));
}

TEST(SinkWrap, StopOnWrapStopsTheBlockAndOverwritesNothing) {
    SinkBench b(sram(64));
    b.unit.on_wrap(SinkUnit::OnWrap::Stop);
    b.source.send(bytes_from(0, 60), 0);
    b.source.send(bytes_from(60, 30), 1);
    b.source.send(bytes_from(90, 30), 500); // made before the block knew of the stop
    b.run_to(400);
    EXPECT_EQ(b.owner.stops, std::vector<Cycle>{1});
    b.run_to(2000);
    EXPECT_EQ(b.owner.stops.size(), 1U);
    EXPECT_TRUE(std::ranges::equal(b.unit.sram(), bytes_from(0, 64)));
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0U | trace_map::kWrapped);
    EXPECT_TRUE(b.unit.empty());
    EXPECT_EQ(b.unit.statistics().written, 64U);
    EXPECT_EQ(b.unit.statistics().discarded, 60U + 30 + 30 - 64);
}

TEST(SinkWrap, AfterSoftwareHasSetTheWritePointerABufferFillsAndStopsAgain) {
    SinkBench b(sram(64));
    b.unit.on_wrap(SinkUnit::OnWrap::Stop);
    b.source.send(bytes_from(0, 64), 0);
    b.run_to(100);
    b.write(trace_map::kSinkWritePointer, 0);
    b.source.send(bytes_from(100, 64), 100);
    b.run_to(200);
    EXPECT_EQ(b.owner.stops, (std::vector<Cycle>{0, 100}));
    EXPECT_TRUE(std::ranges::equal(b.unit.sram(), bytes_from(100, 64)));
}

/// Whatever comes after the stop, and whenever: the sink of a shared block hears of messages whose
/// senders do not know of the stop.
TEST(SinkWrap, AfterAStopTheSinkStaysClosedAndCountsWhatItThrowsAway) {
    SinkBench b(sram(64));
    b.unit.on_wrap(SinkUnit::OnWrap::Stop);
    b.source.send(bytes_from(0, 64), 10);
    b.run_to(10);
    ASSERT_EQ(b.owner.stops, std::vector<Cycle>{10});
    b.source.send(bytes_from(100, 5), 10); // in the same cycle
    b.source.flush(10);
    EXPECT_TRUE(b.unit.empty());
    b.source.send(bytes_from(100, 40), 5000);
    b.source.flush(6000);
    b.run_to(10'000);
    b.unit.drain(10'000);
    EXPECT_TRUE(std::ranges::equal(b.unit.sram(), bytes_from(0, 64)));
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0U | trace_map::kWrapped);
    EXPECT_EQ(b.read(trace_map::kWordCount), 8U);
    EXPECT_EQ(b.unit.statistics().discarded, 45U);
    EXPECT_TRUE(b.source.empty());
}

TEST(SinkWrap, WhatWasOnItsWayBeforeSoftwareOpensTheSinkIsNotInTheNewBuffer) {
    for (const bool by_pointer : {false, true}) {
        SinkBench b(sram(64));
        b.unit.on_wrap(SinkUnit::OnWrap::Stop);
        b.source.send(bytes_from(0, 64), 10);
        b.run_to(10);
        b.source.send(bytes_from(200, 5), 10);
        if (by_pointer) {
            b.write(trace_map::kSinkWritePointer, 0);
        } else {
            b.unit.open();
        }
        b.source.send(bytes_from(100, 8), 11);
        b.source.flush(11);
        b.run_to(1000);
        EXPECT_TRUE(std::ranges::equal(b.unit.sram().first(8), bytes_from(100, 8))) << by_pointer;
        EXPECT_EQ(b.unit.statistics().discarded, 5U);
    }
}

// --- Time ----------------------------------------------------------------------------------------

TEST(SinkTime, ABurstIsTakenInTheCycleInWhichItsLastByteIsReady) {
    SinkBench b(sram());
    b.source.send(bytes_from(0, 40), 10);
    b.source.send(bytes_from(40, 24), 20);
    b.run_to(10'000);
    EXPECT_EQ(b.served, std::vector<Cycle>{20});
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 64U);
}

TEST(SinkTime, FewerBytesWaitForAWhile) {
    SinkConfig config = sram();
    config.gather_cycles = 32;
    SinkBench b(config);
    b.source.send(bytes_from(0, 8), 10);
    b.source.send(bytes_from(8, 8), 20);
    b.run_to(10'000);
    EXPECT_EQ(b.served, std::vector<Cycle>{42});
}

TEST(SinkTime, WithoutMessagesTheSinkSleeps) {
    SinkBench b(sram());
    b.source.send(bytes_from(0, 5), 0);
    b.run_to(10'000);
    EXPECT_FALSE(b.clock.pending);
    EXPECT_EQ(b.served.size(), 1U);
}

TEST(SinkTime, WhatTheSourceThrowsAwayIsNotWaitedFor) {
    SinkBench b(sram());
    b.source.send(bytes_from(0, 5), 0);
    b.source.queue.clear(); // the encoder was reset
    b.run_to(10'000);
    EXPECT_FALSE(b.clock.pending);
    EXPECT_EQ(b.served, std::vector<Cycle>{256});
}

TEST(SinkTime, AnSramTakesAWordACycle) {
    SinkBench b(sram());
    for (int i = 0; i < 4; ++i) {
        b.source.send(bytes_from(0, 64), 100);
    }
    b.run_to(10'000);
    EXPECT_EQ(b.served, (std::vector<Cycle>{100, 108, 116, 124}));
}

TEST(SinkTime, AMemoryBurstTakesItsLatencyTheTargetsAndACycleAWord) {
    SinkBench b(system_memory());
    b.memory.latency = 5;
    set_buffer(b, 0x1000, 0x1FF8);
    b.source.send(bytes_from(0, 64), 100);
    b.source.send(bytes_from(0, 64), 100);
    b.run_to(10'000);
    EXPECT_EQ(b.served, (std::vector<Cycle>{100, 123})); // 10 + 5 + 8
}

TEST(SinkTime, WhatIsNotTakenStaysInTheSource) {
    SinkBench b(system_memory());
    set_buffer(b, 0x1000, 0x1FF8);
    for (int i = 0; i < 3; ++i) {
        b.source.send(bytes_from(0, 60), 0);
    }
    b.run_to(0);
    EXPECT_EQ(b.source.queue.size(), 1U); // a burst is 64 bytes
}

// --- Probe ---------------------------------------------------------------------------------------

TEST(Probe, BytesLeaveWhileItIsActiveEnabledAndHasAMode) {
    SinkBench b(all());
    b.unit.select(sink::kProbe, 0);
    const std::uint32_t on = probe::kActive | probe::kEnable | 11U << probe::kModeShift;
    b.write(trace_map::kProbeControl, on);
    EXPECT_EQ(b.read(trace_map::kProbeControl), on | probe::kEmpty);
    b.source.send(bytes_from(7, 10), 0);
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kProbeControl), on); // two bytes wait for a word
    b.source.flush(1000);
    b.run_to(1000);
    EXPECT_EQ(b.read(trace_map::kProbeControl), on | probe::kEmpty);
    Bytes expected = bytes_from(7, 10);
    expected.insert(expected.end(), 6, 0xFF);
    EXPECT_EQ(b.probe.sent, expected);
}

TEST(Probe, WhenOffItCountsWhatIsLost) {
    SinkBench b(all());
    b.unit.select(sink::kProbe, 0);
    b.source.send(bytes_from(0, 16), 0);
    b.run_to(1000);
    EXPECT_TRUE(b.probe.sent.empty());
    EXPECT_EQ(b.unit.statistics().discarded, 16U);
}

TEST(Probe, ModesThatAreNotBuiltReadAsOff) {
    SinkBench b(all());
    for (const std::uint32_t mode : {4U, 5U, 12U}) {
        b.write(trace_map::kProbeControl, probe::kActive | probe::kEnable | mode << 4);
        EXPECT_EQ(b.read(trace_map::kProbeControl),
                  probe::kActive | probe::kEnable | probe::kEmpty);
    }
}

TEST(Probe, AByteTakesAsManyCyclesAsItsWidthAndDividerSay) {
    SinkBench b(all());
    b.unit.select(sink::kProbe, 0);
    // 2 data bits a reference clock of 3 cycles: 4 clocks, 12 cycles a byte
    b.write(trace_map::kProbeControl, probe::kActive | probe::kEnable | 9U << 4 | 2U << 16);
    b.source.send(bytes_from(0, 64), 0);
    b.source.send(bytes_from(0, 64), 0);
    b.run_to(10'000);
    EXPECT_EQ(b.served, (std::vector<Cycle>{0, 768}));
}

// --- Errors --------------------------------------------------------------------------------------

TEST(MemorySink, AfterARefusedBurstItStaysAwayFromTheBusUntilTheErrorIsCleared) {
    SinkBench b(system_memory());
    set_buffer(b, 0x1000, 0x1FF8);
    b.memory.accepts = false;
    b.source.send(bytes_from(0, 64), 0);
    b.run_to(100);
    EXPECT_TRUE(b.unit.error());
    EXPECT_EQ(b.unit.statistics().refused, 64U);
    b.memory.accepts = true;
    b.source.send(bytes_from(0, 64), 100);
    b.run_to(200);
    EXPECT_TRUE(b.unit.error());
    EXPECT_EQ(b.memory.bursts.size(), 1U);
    EXPECT_EQ(b.unit.statistics().refused, 128U);
    b.unit.clear_error();
    b.source.send(bytes_from(0, 64), 200);
    b.run_to(300);
    EXPECT_FALSE(b.unit.error());
    EXPECT_EQ(b.unit.statistics().written, 64U);
}

TEST(SinkWave, ShowsWhatWaitsAndWhereTheNextWordGoes) {
    class Wave : public WaveSink {
      public:
        bool wants(std::string_view group) const override { return group == "trace"; }
        SignalId declare(std::string_view, std::string_view, std::string_view, unsigned,
                         std::uint64_t) override {
            return SignalId{declared++};
        }
        void change(SignalId signal, Cycle at, std::uint64_t value) override {
            if (signal == SignalId{0}) {
                waiting.emplace_back(at, value);
            } else if (signal == SignalId{1}) {
                pointer.emplace_back(at, value);
            }
        }
        Cycle window_from() const override { return 0; }
        Cycle window_to() const override { return kNever; }
        std::uint32_t declared = 0;
        std::vector<std::pair<Cycle, std::uint64_t>> waiting, pointer;
    } wave;
    SinkBench b(sram());
    b.unit.attach_wave(wave, "encoder0");
    EXPECT_EQ(wave.declared, 3U);
    b.source.send(bytes_from(0, 40), 10);
    b.source.send(bytes_from(0, 24), 20);
    b.run_to(1000);
    using Changes = std::vector<std::pair<Cycle, std::uint64_t>>;
    EXPECT_EQ(wave.waiting, (Changes{{10, 40}, {20, 64}, {20, 0}}));
    EXPECT_EQ(wave.pointer, (Changes{{10, 0}, {20, 0}, {20, 64}}));
}

TEST(MemorySink, AtTheEndOfARunEverythingIsDrained) {
    SinkBench b(system_memory());
    set_buffer(b, 0x1000, 0x1FF8);
    for (int i = 0; i < 5; ++i) {
        b.source.send(bytes_from(static_cast<std::uint8_t>(20 * i), 20), 1000);
    }
    b.unit.drain(0);
    Bytes expected = bytes_from(0, 100);
    expected.insert(expected.end(), 4, 0xFF);
    EXPECT_EQ(b.memory.at(0x1000, 104), expected);
    EXPECT_TRUE(b.unit.empty());
}

} // namespace
} // namespace pes::trace

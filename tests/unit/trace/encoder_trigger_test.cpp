// SPDX-License-Identifier: Apache-2.0
// Triggers and PC sampling. Expectations: trace control interface version 0, "External Triggers",
// and docs/trace-hardware.md for the PC registers, which it leaves to the vendor.
#include "tests/unit/trace/encoder_bench.h"

namespace pes::trace {
namespace {

using namespace test;
namespace control = trace_map::control;
using Calls = std::vector<std::string>;

constexpr std::uint32_t kTriggerBranches = 3U << control::kInstructionShift;
constexpr std::uint32_t kEvents = 1U << control::kInstructionShift;

/// Active and enabled, not tracing.
void enable(Bench& bench, std::uint32_t more) {
    bench.write(trace_map::kControl, control::kActive | control::kEnable | more);
}

TEST(TraceTriggers, AnInputStartsAndAnotherStopsTrace) {
    Bench bench;
    enable(bench, kTriggerBranches);
    bench.write(trace_map::kTriggerInControl, 0x302);
    bench.encoder.trigger(0, 100);
    EXPECT_NE(bench.read(trace_map::kControl) & control::kTracing, 0U);
    bench.encoder.trigger(2, 200);
    EXPECT_EQ(bench.read(trace_map::kControl) & control::kTracing, 0U);
    EXPECT_EQ(bench.tracer.take(), (Calls{"start 0 @100", "stop 4 @200"})); // SYNC 0: trigger
}

TEST(TraceTriggers, AnInputRecordsASynchronisingMessage) {
    Bench bench;
    enable(bench, kTriggerBranches | control::kTracing);
    bench.write(trace_map::kTriggerInControl, 0x40);
    bench.tracer.take();
    bench.encoder.trigger(1, 100);
    bench.encoder.trigger(0, 101); // action 0
    EXPECT_EQ(bench.tracer.take(), Calls{"synchronise 0 @100"});
}

TEST(TraceTriggers, InEventTraceTheRecordIsAnEventIfEnabled) {
    Bench bench;
    enable(bench, kEvents | control::kTracing);
    bench.write(trace_map::kTriggerInControl, 0x40);
    bench.tracer.take();
    bench.encoder.trigger(1, 100);
    EXPECT_EQ(bench.tracer.take(), Calls{});
    bench.write(trace_map::kEventControl, 0x1);
    bench.tracer.take();
    bench.encoder.trigger(1, 110);
    EXPECT_EQ(bench.tracer.take(), Calls{"trigger 1 @110"});
}

TEST(TraceTriggers, NothingStartsWithoutTeEnable) {
    Bench bench;
    bench.write(trace_map::kControl, control::kActive | kTriggerBranches);
    bench.write(trace_map::kTriggerInControl, 0x2);
    bench.encoder.trigger(0, 100);
    EXPECT_EQ(bench.read(trace_map::kControl) & control::kTracing, 0U);
}

TEST(TraceTriggers, ReservedActionsAndInputsThatDoNotExistReadBackAsNone) {
    Bench bench;
    enable(bench, 0);
    bench.write(trace_map::kTriggerInControl, 0x4323'4524);
    EXPECT_EQ(bench.read(trace_map::kTriggerInControl), 0x024U);
    bench.write(trace_map::kTriggerInControl, 0x1F3);
    EXPECT_EQ(bench.read(trace_map::kTriggerInControl), 0x003U);
}

TEST(TraceTriggers, ThereAreNoOutputsAndNoWatchpoints) {
    Bench bench;
    enable(bench, 0);
    for (const Address offset : {trace_map::kTriggerOutControl, trace_map::kWatchpointControl,
                                 trace_map::kItcTriggerEnable}) {
        bench.write(offset, ~0U);
        EXPECT_EQ(bench.read(offset), 0U) << offset;
    }
}

TEST(TraceTriggers, AnInputThatDoesNotExistDoesNothing) {
    Bench bench;
    enable(bench, kTriggerBranches);
    bench.write(trace_map::kTriggerInControl, 0x2222'2222);
    bench.encoder.trigger(3, 100);
    EXPECT_FALSE(bench.encoder.tracing());
}

TEST(PcSampling, ASampleIsThePcOfTheHartWithTheValidBit) {
    Bench bench;
    enable(bench, 0);
    bench.hart.pc_now = 0x12'8000'1234;
    EXPECT_EQ(bench.read(trace_map::kPcSample), 0U); // unit off
    bench.write(trace_map::kPcSamplingControl, ~0U);
    EXPECT_EQ(bench.read(trace_map::kPcSamplingControl), 1U);
    EXPECT_EQ(bench.read(trace_map::kPcSample), 0x8000'1235U);
    bench.hart.pc_now = 0;
    EXPECT_EQ(bench.read(trace_map::kPcSampleHigh), 0x12U); // of the same sample
}

TEST(PcSampling, ADebugReadShowsTheSampleWithoutTakingIt) {
    Bench bench;
    enable(bench, 0);
    bench.write(trace_map::kPcSamplingControl, 1);
    bench.hart.pc_now = 0x12'8000'1234;
    std::uint64_t value = 0;
    EXPECT_EQ(bench.encoder.registers().peek(trace_map::kPcSample, 4, value, 0), AccessStatus::Ok);
    EXPECT_EQ(value, 0x8000'1235U);
    EXPECT_EQ(bench.read(trace_map::kPcSampleHigh), 0U);
}

TEST(PcSampling, ATriggerCapturesThePc) {
    Bench bench;
    enable(bench, 0);
    bench.write(trace_map::kPcSamplingControl, 1);
    bench.write(trace_map::kTriggerInControl, 0x4);
    EXPECT_EQ(bench.read(trace_map::kPcCapture), 0U); // nothing captured yet
    bench.hart.pc_now = 0x3F'FFFF'0002;
    bench.encoder.trigger(0, 50);
    bench.hart.pc_now = 0;
    EXPECT_EQ(bench.read(trace_map::kPcCapture), 0xFFFF'0003U);
    EXPECT_EQ(bench.read(trace_map::kPcCaptureHigh), 0x3FU);
    bench.write(trace_map::kPcSamplingControl, 0);
    EXPECT_EQ(bench.read(trace_map::kPcCapture), 0U);
}

} // namespace
} // namespace pes::trace

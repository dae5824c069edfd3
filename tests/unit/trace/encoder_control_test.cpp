// SPDX-License-Identifier: Apache-2.0
// Expectations: trace control interface version 0 (teControl, teImpl), and docs/trace-hardware.md
// for what that leaves to the system.
#include "tests/unit/trace/encoder_bench.h"

#include <stdexcept>

namespace pes::trace {
namespace {

using namespace test;
namespace control = trace_map::control;
using Calls = std::vector<std::string>;

constexpr std::uint32_t kOff = control::kActive; // enabled nothing, all other fields 0
constexpr std::uint32_t kBranches = 3U << control::kInstructionShift;
constexpr std::uint32_t kSyncNever =
    15U << control::kSyncMaxMessagesShift | 15U << control::kSyncMaxUnitsShift;

std::uint32_t instruction_of(std::uint32_t value) {
    return (value >> control::kInstructionShift) & control::kInstructionMask;
}

TEST(TraceEncoderControl, ResetValueIsIdleEmptyAndSliceFormatOne) {
    Bench bench;
    // Empty, sync after 2^8 messages or 2^12 half-words, slice format 1.
    EXPECT_EQ(bench.read(trace_map::kControl), 0x0183'0008U);
}

TEST(TraceEncoderControl, ReadsBackWhatIsWrittenIntoEveryField) {
    Bench bench;
    bench.write(trace_map::kControl, 0x81A3'6079 | 3U << control::kInstrumentationShift);
    EXPECT_EQ(bench.read(trace_map::kControl), 0x81A3'6079U | 3U << control::kInstrumentationShift);
}

TEST(TraceEncoderControl, TeActiveReadsBackAtOnce) {
    Bench bench;
    bench.write(trace_map::kControl, 0);
    EXPECT_EQ(bench.read(trace_map::kControl) & control::kActive, 0U);
    bench.write(trace_map::kControl, 1);
    EXPECT_EQ(bench.read(trace_map::kControl) & control::kActive, 1U);
}

TEST(TraceEncoderControl, SliceFormatIsOneWhateverIsWritten) {
    Bench bench;
    for (const std::uint32_t format : {0U, 1U, 7U}) {
        bench.write(trace_map::kControl, kOff | format << control::kSliceFormatShift);
        EXPECT_EQ((bench.read(trace_map::kControl) >> control::kSliceFormatShift) & 7, 1U);
    }
}

TEST(TraceEncoderControl, ReservedInstructionModesLeaveTheField) {
    Bench bench;
    for (const std::uint32_t reserved : {2U, 4U, 5U}) {
        bench.write(trace_map::kControl, kOff | 6U << control::kInstructionShift);
        bench.write(trace_map::kControl, kOff | reserved << control::kInstructionShift);
        EXPECT_EQ(instruction_of(bench.read(trace_map::kControl)), 6U) << reserved;
    }
    for (const std::uint32_t mode : {0U, 1U, 3U, 6U, 7U}) {
        bench.write(trace_map::kControl, kOff | mode << control::kInstructionShift);
        EXPECT_EQ(instruction_of(bench.read(trace_map::kControl)), mode);
    }
}

TEST(TraceEncoderControl, WithoutATracerThereIsNoInstructionTrace) {
    Bench bench({}, {.tracer = false});
    bench.write(trace_map::kControl, kOff | 7U << control::kInstructionShift);
    EXPECT_EQ(instruction_of(bench.read(trace_map::kControl)), 0U);
    bench.write(trace_map::kEventControl, 0x3F);
    EXPECT_EQ(bench.read(trace_map::kEventControl), 0U); // how firmware probes for event trace
}

TEST(TraceEncoderControl, WithoutAHartThereIsNoStallingAndNoPcSampling) {
    Bench bench({}, {.hart = false});
    bench.write(trace_map::kControl, kOff | control::kStallEnable);
    EXPECT_EQ(bench.read(trace_map::kControl) & control::kStallEnable, 0U);
    bench.write(trace_map::kPcSamplingControl, 1);
    EXPECT_EQ(bench.read(trace_map::kPcSamplingControl), 0U);
}

TEST(TraceEncoderControl, InhibitSrcExistsOnlyIfThereIsSrc) {
    Bench without;
    without.write(trace_map::kControl, kOff | control::kInhibitSource);
    EXPECT_EQ(without.read(trace_map::kControl) & control::kInhibitSource, 0U);
    Bench with({.source = 1, .source_bits = 2});
    with.write(trace_map::kControl, kOff | control::kInhibitSource);
    EXPECT_EQ(with.read(trace_map::kControl) & control::kInhibitSource, control::kInhibitSource);
}

TEST(TraceEncoderControl, MessageLimitsBetweenTheLargestAndNeverBecomeTheLargest) {
    Bench bench;
    for (const auto& [written, read] : {std::pair{0U, 0U}, std::pair{11U, 11U}, std::pair{12U, 11U},
                                        std::pair{14U, 11U}, std::pair{15U, 15U}}) {
        bench.write(trace_map::kControl, kOff | written << control::kSyncMaxMessagesShift);
        EXPECT_EQ((bench.read(trace_map::kControl) >> control::kSyncMaxMessagesShift) & 15, read);
    }
}

TEST(TraceEncoderControl, TheSinkFieldIsWhatTheSinkUnitMakesOfIt) {
    Bench bench;
    bench.write(trace_map::kControl, kOff | 8U << control::kSinkShift);
    EXPECT_EQ(bench.sink.selected, 8U);
    bench.write(trace_map::kControl, kOff | 6U << control::kSinkShift); // no PIB in this one
    EXPECT_EQ(bench.read(trace_map::kControl) >> control::kSinkShift, 8U);
}

TEST(TraceEncoderControl, StopOnWrapIsPassedToTheSink) {
    Bench bench;
    bench.write(trace_map::kControl, kOff | control::kStopOnWrap);
    EXPECT_EQ(bench.sink.wrap_action, SinkUnit::OnWrap::Stop);
    bench.write(trace_map::kControl, kOff);
    EXPECT_EQ(bench.sink.wrap_action, SinkUnit::OnWrap::GoOn);
}

TEST(TraceEncoderControl, SinkErrorIsClearedByWritingOne) {
    Bench bench;
    bench.sink.has_error = true;
    bench.write(trace_map::kControl, kOff);
    EXPECT_NE(bench.read(trace_map::kControl) & control::kSinkError, 0U);
    bench.write(trace_map::kControl, kOff | control::kSinkError);
    EXPECT_EQ(bench.read(trace_map::kControl) & control::kSinkError, 0U);
}

TEST(TraceEncoderControl, EmptyNeedsBothTheFifoAndTheSinkToBeEmpty) {
    Bench bench;
    bench.run_instrumentation(1);
    bench.store32(0, 1, 10);
    EXPECT_EQ(bench.read(trace_map::kControl) & control::kEmpty, 0U);
    bench.sink.is_empty = false;
    bench.pull();
    EXPECT_EQ(bench.read(trace_map::kControl) & control::kEmpty, 0U);
    bench.sink.is_empty = true;
    EXPECT_NE(bench.read(trace_map::kControl) & control::kEmpty, 0U);
}

TEST(TraceEncoderControl, ImplementationTellsSinksWordWidthSourceAndHart) {
    Bench bench({.hart = 3, .source = 3, .source_bits = 2});
    bench.sink.present_sinks = 1U << 8;
    // hart 3, 2 source bits, source 3, synchronous, 64-bit words, funnel, version 0
    EXPECT_EQ(bench.read(trace_map::kImplementation), 0x3231'0100U);
    EXPECT_EQ(bench.try_write(trace_map::kImplementation, 4, 0, 0), AccessStatus::RightsError);
}

TEST(TraceEncoderControl, AtbControlMayBeProbedAndIsNotThere) {
    constexpr std::uint32_t kActiveAndEnabled = 3;
    Bench bench;
    bench.write(trace_map::kAtbControl, kActiveAndEnabled);
    EXPECT_EQ(bench.read(trace_map::kAtbControl), 0U);
}

TEST(TraceEncoderControl, ClearingTeEnableFlushesTheSink) {
    Bench bench;
    bench.run_instrumentation(1);
    bench.store32(0, 1, 10);
    bench.modify(trace_map::kControl, control::kTracing, 0, 20);
    EXPECT_TRUE(bench.sink.flushes.empty());
    bench.modify(trace_map::kControl, control::kEnable, 0, 30);
    EXPECT_EQ(bench.sink.flushes, std::vector<Cycle>{30});
    bench.modify(trace_map::kControl, control::kEnable, 0, 40); // was off
    EXPECT_EQ(bench.sink.flushes.size(), 1U);
    EXPECT_EQ(bench.pull().size(), 1U); // what was under way still goes out
}

TEST(TraceEncoderControl, TracingNeedsActiveEnableAndTracing) {
    Bench bench;
    bench.write(trace_map::kControl, control::kActive | control::kTracing);
    EXPECT_FALSE(bench.encoder.tracing());
    bench.write(trace_map::kControl, control::kActive | control::kEnable);
    EXPECT_FALSE(bench.encoder.tracing());
    bench.write(trace_map::kControl, control::kEnable | control::kTracing);
    EXPECT_FALSE(bench.encoder.tracing());
    bench.run(0);
    EXPECT_TRUE(bench.encoder.tracing());
}

TEST(TraceEncoderControl, StartsTheTracerWithTheSettingsOfTheRegisters) {
    Bench bench;
    bench.run(kBranches | 2U << control::kSyncMaxMessagesShift | 5U << control::kSyncMaxUnitsShift,
              70);
    EXPECT_EQ(bench.tracer.take(), Calls{"start 5 @70"}); // SYNC 5: trace enable
    EXPECT_EQ(bench.tracer.settings.mode, InstructionMode::Branches);
    EXPECT_EQ(bench.tracer.settings.sync_messages, 128U);
    EXPECT_EQ(bench.tracer.settings.sync_units, 512U);
    EXPECT_EQ(bench.tracer.settings.dialect, TimestampDialect::SiFive);
}

TEST(TraceEncoderControl, SyncLimitsOf15MeanNever) {
    Bench bench;
    bench.run(kBranches | kSyncNever);
    EXPECT_EQ(bench.tracer.settings.sync_messages, 0U);
    EXPECT_EQ(bench.tracer.settings.sync_units, 0U);
}

TEST(TraceEncoderControl, StopsTheTracerBeforeMessagesAreRefused) {
    for (const std::uint32_t cleared : {control::kTracing, control::kEnable}) {
        Bench bench;
        bench.tracer.port = &bench.encoder.port();
        bench.run(kBranches, 70);
        bench.modify(trace_map::kControl, cleared, 0, 90);
        EXPECT_EQ(bench.tracer.take(), (Calls{"start 5 @70", "stop 4 @90"}));
        EXPECT_EQ(bench.tracer.last_result, SendResult::Sent);
        EXPECT_EQ(codes(bench.messages()),
                  std::vector<MessageCode>{MessageCode::ProgramTraceCorrelation});
    }
}

TEST(TraceEncoderControl, ChangingTheModeRestartsTheTracerOnly) {
    Bench bench;
    bench.run(kBranches, 70);
    bench.run(6U << control::kInstructionShift, 80);
    EXPECT_EQ(bench.tracer.take(), (Calls{"start 5 @70", "stop 4 @80", "start 5 @80"}));
    EXPECT_EQ(bench.tracer.settings.mode, InstructionMode::History);
    bench.run(6U << control::kInstructionShift, 90); // no change
    EXPECT_EQ(bench.tracer.take(), Calls{});
    bench.run(0, 95);
    EXPECT_EQ(bench.tracer.take(), Calls{"stop 4 @95"});
    EXPECT_TRUE(bench.encoder.tracing());
}

TEST(TraceEncoderControl, EventEnablesReachTheTracer) {
    Bench bench;
    bench.run(1U << control::kInstructionShift, 10);
    bench.write(trace_map::kEventControl, ~0U, 20);
    EXPECT_EQ(bench.read(trace_map::kEventControl), 0x3DU); // no watchpoints
    EXPECT_EQ(bench.tracer.settings.events, 0x3DU);
    EXPECT_EQ(bench.tracer.take(), (Calls{"start 5 @10", "stop 4 @20", "start 5 @20"}));
}

TEST(TraceEncoderControl, ClearingTeActiveResetsTheBlock) {
    Bench bench;
    bench.run_instrumentation(1);
    bench.write(trace_map::kTriggerInControl, 0x2);
    bench.write(trace_map::kEventControl, 0x3F);
    bench.write(trace_map::kPcSamplingControl, 1);
    bench.store32(0, 1, 10);
    EXPECT_EQ(bench.read(trace_map::kMessageCount), 1U);

    bench.write(trace_map::kControl, 0, 20);
    EXPECT_EQ(bench.read(trace_map::kControl), 0x0183'0008U);
    for (const Address offset :
         {trace_map::kEventControl, trace_map::kItcTraceEnable, trace_map::kTriggerInControl,
          trace_map::kPcSamplingControl, trace_map::kMessageCount, trace_map::kFifo}) {
        EXPECT_EQ(bench.read(offset), 0U) << std::hex << offset;
    }
    EXPECT_TRUE(bench.pull().empty());
    EXPECT_EQ(bench.sink.resets, 1U);
    EXPECT_FALSE(bench.encoder.tracing());
}

TEST(TraceEncoderControl, OtherRegistersIgnoreWritesWhileTeActiveIsZero) {
    Bench bench;
    for (const Address offset : {trace_map::kEventControl, trace_map::kItcTraceEnable,
                                 trace_map::kTriggerInControl, trace_map::kPcSamplingControl}) {
        bench.write(offset, 0x2222'2223);
        EXPECT_EQ(bench.read(offset), 0U) << std::hex << offset;
    }
}

TEST(TraceEncoderControl, StopOnWrapClearsTeEnableAndThrowsTheRestAway) {
    Bench bench;
    bench.tracer.port = &bench.encoder.port();
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, kBranches | control::kStopOnWrap, 5);
    bench.store32(0, 1, 10);
    bench.sink.wrap(20);
    EXPECT_EQ(bench.read(trace_map::kControl) & (control::kEnable | control::kTracing),
              control::kTracing);
    EXPECT_EQ(bench.tracer.last_result, SendResult::Lost);
    EXPECT_TRUE(bench.pull().empty());
    EXPECT_EQ(bench.encoder.counts().lost, 1U);
    EXPECT_EQ(bench.hart.stops, std::vector<Cycle>{20});
    bench.store32(0, 2, 30);
    EXPECT_TRUE(bench.pull().empty());
}

TEST(TraceEncoderControl, EnablingItAgainOpensASinkThatHasStopped) {
    Bench bench;
    bench.run_instrumentation(1);
    const unsigned before = bench.sink.opened;
    bench.sink.wrap(20);
    bench.modify(trace_map::kControl, 0, control::kTracing, 30);
    EXPECT_EQ(bench.sink.opened, before);
    bench.modify(trace_map::kControl, 0, control::kEnable, 40);
    EXPECT_EQ(bench.sink.opened, before + 1);
}

TEST(TraceEncoderControl, FifoAndMessageCountShowWhatHappened) {
    Bench bench;
    bench.run_instrumentation(1);
    bench.store32(0, 0, 10); // TCODE, tag 0, data 0: three slices
    bench.store32(0, 0, 11);
    EXPECT_EQ(bench.read(trace_map::kFifo), 6U);
    EXPECT_EQ(bench.read(trace_map::kMessageCount), 2U);
    bench.pull();
    EXPECT_EQ(bench.read(trace_map::kFifo), 0U);
    EXPECT_EQ(bench.read(trace_map::kMessageCount), 2U);
}

TEST(TraceEncoderControl, RefusesConfigurationsThatDoNotFitTheRegisters) {
    FakeSink sink;
    const auto build = [&](const EncoderConfig& config) { Encoder encoder(config, sink); };
    EXPECT_THROW(build({.hart = 16}), std::invalid_argument);
    EXPECT_THROW(build({.source_bits = 8}), std::invalid_argument);
    EXPECT_THROW(build({.source = 4, .source_bits = 2}), std::invalid_argument);
    EXPECT_THROW(build({.source = 16, .source_bits = 5}), std::invalid_argument);
    EXPECT_THROW(build({.fifo_bytes = 75}), std::invalid_argument);
    EXPECT_THROW(build({.timestamp_type = TimestampType::Slave}), std::invalid_argument);
    EXPECT_NO_THROW(build({.hart = 15, .source = 15, .source_bits = 7, .fifo_bytes = 76}));
}

} // namespace
} // namespace pes::trace

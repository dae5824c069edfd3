// SPDX-License-Identifier: Apache-2.0
// A full FIFO. Expectations: N-Trace 1.0, Error messages (ETYPE 0, ECODE bits 2, 3 and 7, followed
// by a message that synchronises); SiFive's decoder, which does not trust the time behind an Error
// message; hw/trace/message_port.h.
#include "tests/unit/trace/encoder_bench.h"

namespace pes::trace {
namespace {

using namespace test;
namespace control = trace_map::control;
using enum MessageCode;
using Codes = std::vector<MessageCode>;
using Calls = std::vector<std::string>;

constexpr std::uint32_t kLostBranches = 3U << control::kInstructionShift;
const EncoderConfig kSmall{.fifo_bytes = 76};

TraceMessage sync_message() {
    return make_message(ProgramTraceSync)
        .set(Field::SyncReason, SyncReason::FifoOverrun)
        .set(Field::InstructionCount, 0)
        .set(Field::Address, 0x8000'0000);
}

TraceMessage branch_message() {
    return make_message(DirectBranch).set(Field::InstructionCount, 4);
}

/// Nine stores of eight bytes fill 72 of 76 bytes; the tenth does not fit.
void overflow(Bench& bench, Cycle at) {
    for (unsigned n = 0; n < 10; ++n) {
        bench.store32(0, ~0U, at + n);
    }
}

bool overflowed(Bench& bench) {
    return (bench.read(trace_map::kControl) & control::kStallOrOverflow) != 0;
}

TEST(TraceLoss, AFullFifoDropsCountsAndSetsTheStickyBit) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    overflow(bench, 100);
    EXPECT_TRUE(overflowed(bench));
    EXPECT_EQ(bench.encoder.counts().messages, 9U);
    EXPECT_EQ(bench.encoder.counts().lost, 1U);
    EXPECT_EQ(bench.encoder.counts().overflows, 1U);
}

TEST(TraceLoss, TheStickyBitStaysUntilZeroIsWritten) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    overflow(bench, 100);
    bench.modify(trace_map::kControl, 0, 0); // as firmware does it: keeps the bit
    EXPECT_TRUE(overflowed(bench));
    bench.modify(trace_map::kControl, control::kStallOrOverflow, 0);
    EXPECT_FALSE(overflowed(bench));
}

TEST(TraceLoss, AnErrorMessageComesBeforeTheNextMessage) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    overflow(bench, 100);
    EXPECT_EQ(bench.pull().size(), 9U);
    bench.store32(0, 0, 200);
    // TCODE 8, ETYPE 0, ECODE 0; then TCODE 7, tag 0, data 0. Without timestamps no ICT_WS.
    EXPECT_EQ(bench.pull(), (std::vector<Bytes>{{0x20, 0x03}, {0x1C, 0x01, 0x03}}));
}

TEST(TraceLoss, TheTimeIsGivenAfreshBehindAnErrorMessage) {
    Bench bench({.fifo_bytes = 100});
    bench.run_instrumentation(1, kTimestampsOn);
    for (unsigned n = 0; n < 11; ++n) {
        bench.store32(0, ~0U, 1000 + n);
    }
    ASSERT_GT(bench.encoder.counts().lost, 0U);
    const std::vector<TraceMessage> before = bench.messages();
    const std::uint64_t sent = before.size() - 1; // data acquisitions; the first is ICT_WS
    bench.store32(0, 7, 5000);
    const std::vector<TraceMessage> after = bench.messages();
    ASSERT_EQ(codes(after), (Codes{Error, InCircuitTraceSync, DataAcquisition}));
    // The stores that were sent came a cycle apart, the first behind an ICT_WS of 1000 at 1001 as
    // was the second: later ones at their own cycles. Error: XOR with the last of them.
    EXPECT_EQ(after[0].timestamp, 5000U ^ (1000 + sent - 1));
    EXPECT_EQ(after[1].timestamp, 5000U);
    EXPECT_EQ(after[1].value(Field::EventSource), 0U);
    EXPECT_EQ(after[1].value(Field::EventData0), 0U);
    EXPECT_EQ(after[2].timestamp, 5000U ^ 5001U);
}

TEST(TraceLoss, EverythingIsLostUntilErrorTimeAndMessageFitTogether) {
    Bench bench({.fifo_bytes = 76});
    bench.run_instrumentation(1, kTimestampsOn);
    for (unsigned n = 0; n < 20; ++n) {
        bench.store32(0, ~0U, 1000 + n);
    }
    // Without its first message, ICT_WS, the FIFO has 13 bytes: room for a store of 9, but not for
    // all three.
    PackedMessage first;
    ASSERT_TRUE(bench.encoder.messages().pull(first, kNever - 1));
    const std::uint64_t lost = bench.encoder.counts().lost;
    ASSERT_EQ(bench.read(trace_map::kFifo), 76U - 13U);
    bench.store32(0, ~0U, 2000);
    EXPECT_EQ(bench.encoder.counts().lost, lost + 1);
    EXPECT_EQ(bench.encoder.counts().overflows, 1U); // still the same one
    bench.pull();
    bench.store32(0, 1, 3000);
    EXPECT_EQ(codes(bench.messages()), (Codes{Error, InCircuitTraceSync, DataAcquisition}));
}

TEST(TraceLoss, ATracerIsRefusedUntilItSynchronises) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, kLostBranches);
    MessagePort& port = bench.encoder.port();
    for (unsigned n = 0; n < 9; ++n) {
        bench.store32(0, ~0U, 100 + n);
    }
    EXPECT_EQ(port.send(branch_message(), 120), SendResult::Sent);
    EXPECT_EQ(port.send(branch_message(), 121), SendResult::Sent); // 76 bytes
    EXPECT_EQ(port.send(branch_message(), 122), SendResult::Lost);
    bench.pull();
    EXPECT_EQ(port.send(branch_message(), 130), SendResult::Lost);
    EXPECT_EQ(port.send(sync_message(), 131), SendResult::Sent);
    EXPECT_EQ(port.send(branch_message(), 132), SendResult::Sent);
    EXPECT_EQ(codes(bench.messages()), (Codes{Error, ProgramTraceSync, DirectBranch}));
    EXPECT_EQ(bench.tracer.take(), Calls{"start 5 @0"}); // knows by itself
}

TEST(TraceLoss, ASynchronisingMessageThatIsTriedAgainAndAgainCountsOnceAnOverflow) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, kLostBranches);
    MessagePort& port = bench.encoder.port();
    for (std::uint64_t overflow = 1; overflow <= 2; ++overflow) {
        while (port.send(branch_message(), 100) == SendResult::Sent) {
        }
        for (unsigned n = 0; n < 1000; ++n) {
            EXPECT_EQ(port.send(sync_message(), 200 + n), SendResult::Lost);
        }
        EXPECT_EQ(bench.encoder.counts().overflows, overflow);
        EXPECT_EQ(bench.encoder.counts().lost, 2 * overflow); // a branch, and where it went on
        bench.pull();
        EXPECT_EQ(port.send(sync_message(), 2000), SendResult::Sent);
    }
}

TEST(TraceLoss, InAnOverflowEachMessageOfAStimulusCounts) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, kLostBranches);
    overflow(bench, 100); // one
    EXPECT_EQ(bench.encoder.port().send(sync_message(), 120), SendResult::Lost);
    bench.store32(0, ~0U, 130);
    EXPECT_EQ(bench.encoder.port().send(sync_message(), 140), SendResult::Lost);
    bench.store32(0, ~0U, 150);
    EXPECT_EQ(bench.encoder.counts().lost, 4U);
}

TEST(TraceLoss, ATracerIsToldToSynchroniseIfAStimulusResumedTheStream) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, kLostBranches);
    overflow(bench, 100);
    bench.tracer.take();
    bench.pull();
    bench.store32(0, 1, 200);
    EXPECT_EQ(codes(bench.messages()), (Codes{Error, DataAcquisition}));
    EXPECT_EQ(bench.tracer.take(), Calls{"synchronise 7 @200"}); // SYNC 7: FIFO overrun
    bench.store32(0, 1, 201);
    EXPECT_EQ(bench.tracer.take(), Calls{});
}

TEST(TraceLoss, InNTraceTheErrorCodeSaysWhatWasLost) {
    EncoderConfig config = kSmall;
    config.timestamps.dialect = TimestampDialect::NTrace;
    Bench bench(config);
    bench.run_instrumentation(3);
    bench.modify(trace_map::kControl, 0, kLostBranches);
    overflow(bench, 100);
    bench.pull();
    bench.store32(0, 1, 200);
    EXPECT_EQ(bench.messages().at(0).value(Field::ErrorCode), 1U << 7);

    overflow(bench, 300);
    bench.store32(15, ~0U, 310);
    EXPECT_EQ(bench.encoder.port().send(branch_message(), 320), SendResult::Lost);
    bench.pull();
    bench.store32(0, 1, 400);
    EXPECT_EQ(bench.messages().at(0).value(Field::ErrorCode), 1U << 7 | 1U << 3 | 1U << 2);
}

TEST(TraceLoss, AStreamThatEndsInALossSaysSo) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    overflow(bench, 100);
    bench.pull();
    bench.modify(trace_map::kControl, control::kTracing, 0, 200);
    EXPECT_EQ(bench.pull(), (std::vector<Bytes>{{0x20, 0x03}}));
}

TEST(TraceLoss, ALossWithoutRoomForItsReportIsReportedByTheNextTrace) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    overflow(bench, 100);
    bench.store16(0, 1, 110); // lost as well
    ASSERT_EQ(bench.read(trace_map::kFifo), 72U);
    bench.modify(trace_map::kControl, control::kTracing, 0, 200); // 4 bytes: room for the Error
    EXPECT_EQ(bench.pull().back(), (Bytes{0x20, 0x03}));

    bench.run(1U << control::kInstrumentationShift, 300);
    for (unsigned n = 0; n < 8; ++n) {
        bench.store32(0, ~0U, 400 + n);
    }
    bench.store32(0, 0xFFFF'FFF, 410); // 7 bytes: 71 used
    bench.store16(0, 0xFFF, 411);      // 4 bytes: 75 used
    bench.store8(0, 1, 412);
    EXPECT_EQ(bench.read(trace_map::kFifo), 75U);
    bench.modify(trace_map::kControl, control::kTracing, 0, 500);
    EXPECT_EQ(codes(bench.messages()), Codes(10, DataAcquisition));
    bench.run(1U << control::kInstrumentationShift, 600);
    bench.store32(0, 1, 700);
    EXPECT_EQ(codes(bench.messages()), (Codes{Error, DataAcquisition}));
}

TEST(TraceLoss, AHartAheadOfTheSinkLosesNothingThatTheSinkTakesInTime) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.hart.sink_takes_on_catch_up = true;
    overflow(bench, 100);
    EXPECT_EQ(bench.hart.catch_ups, std::vector<Cycle>{109});
    EXPECT_EQ(bench.hart.taken.size(), 9U);
    EXPECT_EQ(bench.encoder.counts().lost, 0U);
    EXPECT_FALSE(overflowed(bench));
}

TEST(TraceStall, HoldsTheHartUntilThereIsRoomAndLosesNothing) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, control::kStallEnable);
    overflow(bench, 100);
    EXPECT_EQ(bench.hart.waits, std::vector<Cycle>{109});
    EXPECT_EQ(bench.encoder.counts().lost, 0U);
    EXPECT_EQ(bench.encoder.counts().stalls, 1U);
    EXPECT_EQ(bench.encoder.counts().stall_cycles, 50U);
    EXPECT_TRUE(overflowed(bench)); // "or stall"
    EXPECT_EQ(bench.sink.ready.back(), (std::pair<std::size_t, Cycle>{8, 159}));
    EXPECT_EQ(codes(bench.messages()), Codes{DataAcquisition});
}

TEST(TraceStall, TheMessageCarriesTheTimeOfTheStoreThatWaited) {
    Bench bench(kSmall);
    bench.run_instrumentation(1, kTimestampsOn);
    bench.modify(trace_map::kControl, 0, control::kStallEnable);
    bench.store32(0, ~0U, 1000);
    Cycle last = 1000;
    while (bench.hart.waits.empty()) {
        bench.store32(0, ~0U, ++last);
    }
    const std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].timestamp, last ^ (last - 1));
}

TEST(TraceStall, AnotherMessageOfTheSameInstructionHasTheTimeOfThatInstruction) {
    Bench bench(kSmall);
    bench.run_instrumentation(1, kTimestampsOn);
    bench.modify(trace_map::kControl, 0, control::kStallEnable | kLostBranches);
    Cycle last = 1000;
    while (bench.hart.waits.empty()) {
        bench.encoder.port().send(sync_message(), ++last);
    }
    bench.encoder.port().send(sync_message(), last);
    EXPECT_EQ(bench.sink.ready.back().second, last + bench.hart.pull_delay);
    const std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].timestamp, last);
    EXPECT_EQ(list[1].timestamp, last);
}

TEST(TraceStall, ASinkThatWillNeverTakeAnythingIsALoss) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, control::kStallEnable);
    bench.hart.sink_pulls = false;
    overflow(bench, 100);
    EXPECT_EQ(bench.encoder.counts().lost, 1U);
}

TEST(TraceStall, StopOnWrapReleasesTheHart) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, control::kStallEnable | control::kStopOnWrap);
    bench.hart.wrap_while_waiting = true;
    overflow(bench, 100);
    EXPECT_EQ(bench.hart.stops, std::vector<Cycle>{109});
    EXPECT_FALSE(bench.encoder.tracing());
    EXPECT_TRUE(bench.pull().empty());
    EXPECT_EQ(bench.encoder.counts().lost, 10U); // nine in the FIFO, and the one that waited
}

TEST(TraceStall, ATracerIsStalledToo) {
    Bench bench(kSmall);
    bench.run_instrumentation(1);
    bench.modify(trace_map::kControl, 0, control::kStallEnable | kLostBranches);
    for (unsigned n = 0; n < 39; ++n) {
        EXPECT_EQ(bench.encoder.port().send(branch_message(), 100 + n), SendResult::Sent);
    }
    EXPECT_EQ(bench.hart.waits, std::vector<Cycle>{138}); // 38 of two bytes fit
}

} // namespace
} // namespace pes::trace

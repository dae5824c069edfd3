// SPDX-License-Identifier: Apache-2.0
// Timestamps of an encoder's messages. Expectations: SiFive's XOR and N-Trace's differences, which
// messages tsBranch, tsInstrumentation and tsOwnership select, and that nothing else is in a
// stream.
#include "tests/unit/trace/encoder_bench.h"

#include <algorithm>

namespace pes::trace {
namespace {

using namespace test;
namespace control = trace_map::control;
namespace ts = trace_map::timestamp;
using enum MessageCode;
using Codes = std::vector<MessageCode>;

EncoderConfig n_trace(unsigned bits) {
    return {.timestamps = {.dialect = TimestampDialect::NTrace, .bits = bits}};
}

/// The cycles of the messages as a reader of the stream computes them.
std::vector<std::uint64_t> times_of(const std::vector<TraceMessage>& messages,
                                    TimestampFormat format) {
    TimestampExpander expander(format);
    std::vector<std::uint64_t> times;
    for (const TraceMessage& message : messages) {
        if (message.timestamp) {
            const TimestampKind kind = layout_of(message.code).timestamp;
            times.push_back(expander.expand(*message.timestamp, kind).value_or(0));
        }
    }
    return times;
}

std::optional<std::uint64_t> stamp_of(Bench& bench, const TraceMessage& message, Cycle at) {
    EXPECT_EQ(bench.encoder.port().send(message, at), SendResult::Sent);
    return bench.messages().back().timestamp;
}

TraceMessage timed_sync_message() {
    return make_message(ProgramTraceSync)
        .set(Field::SyncReason, SyncReason::TraceEnable)
        .set(Field::InstructionCount, 0)
        .set(Field::Address, 0x8000'0000);
}

TraceMessage indirect_branch() {
    return make_message(IndirectBranch)
        .set(Field::BranchType, BranchType::Indirect)
        .set(Field::InstructionCount, 4)
        .set(Field::Address, 2);
}

TraceMessage direct_branch() {
    return make_message(DirectBranch).set(Field::InstructionCount, 4);
}

TEST(TraceTimestamps, SiFiveStreamsSayNothingAndTakeTheXor) {
    Bench bench;
    bench.run_instrumentation(1, kTimestampsOn);
    bench.store32(0, 1, 0x10F);
    bench.store32(0, 2, 0x118);
    const std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(codes(list), (Codes{InCircuitTraceSync, DataAcquisition, DataAcquisition}));
    EXPECT_EQ(list[0].timestamp, 0x10FU);
    EXPECT_EQ(list[1].timestamp, 0x10FU ^ 0x110U);
    EXPECT_EQ(list[2].timestamp, 0x110U ^ 0x118U);
}

TEST(TraceTimestamps, NTraceStreamsTakeTheDifference) {
    Bench bench(n_trace(40));
    bench.run_instrumentation(1, kTimestampsOn);
    bench.store32(0, 1, 0x10F);
    bench.store32(0, 2, 0x118);
    const std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(codes(list), (Codes{InCircuitTraceSync, DataAcquisition, DataAcquisition}));
    EXPECT_EQ(list[0].timestamp, 0x10FU);
    EXPECT_EQ(list[1].timestamp, 1U);
    EXPECT_EQ(list[2].timestamp, 8U);
}

/// Readers of N-Trace refuse what the specification reserves.
TEST(TraceTimestamps, NTraceProgramTraceIsTheTracersMessagesAndNothingElse) {
    Bench bench(n_trace(40));
    bench.run(3U << control::kInstructionShift);
    stamp_of(bench, timed_sync_message(), 10);
    bench.modify(trace_map::kControl, control::kTracing, 0, 20);
    bench.modify(trace_map::kControl, 0, control::kTracing, 30);
    bench.encoder.port().send(timed_sync_message(), 40);
    bench.encoder.port().send(direct_branch(), 50);
    EXPECT_EQ(codes(bench.messages()), (Codes{ProgramTraceSync, DirectBranch}));
}

TEST(TraceTimestamps, BothDialectsGiveBackTheCyclesOverAWrapOfTheCounter) {
    for (const TimestampDialect dialect : {TimestampDialect::SiFive, TimestampDialect::NTrace}) {
        const TimestampFormat format{.dialect = dialect, .bits = 10};
        Bench bench({.fifo_bytes = 4096, .timestamps = format});
        bench.run_instrumentation(1, kTimestampsOn);
        std::vector<std::uint64_t> expected;
        for (Cycle at = 500; at < 10'000; at += 377) { // wraps at 1024
            bench.store32(0, 1, at);
            expected.push_back(at);
        }
        expected.insert(expected.begin() + 1, 501); // the first store, behind its ICT_WS
        EXPECT_EQ(times_of(bench.messages(), format), expected);
    }
}

/// teSyncMaxBTM 0: every 32 messages. The time comes in the cycle of the store that it goes ahead
/// of.
TEST(TraceTimestamps, InstrumentationAloneSendsTheTimeAgainAfterTeSyncMaxBtmMessages) {
    for (const TimestampDialect dialect : {TimestampDialect::SiFive, TimestampDialect::NTrace}) {
        const TimestampFormat format{.dialect = dialect, .bits = 40};
        Bench bench({.fifo_bytes = 4096, .timestamps = format});
        bench.run_instrumentation(1, kTimestampsOn);
        bench.modify(trace_map::kControl, control::kSyncMaxMask << control::kSyncMaxMessagesShift,
                     0, 0);
        std::vector<std::uint64_t> expected;
        for (unsigned store = 0; store < 97; ++store) {
            const Cycle at = 1000 + 100 * store;
            bench.store32(0, 1, at);
            if (store % 32 == 0) {
                expected.push_back(at);
            }
            expected.push_back(store == 0 ? at + 1 : at);
        }
        const std::vector<TraceMessage> list = bench.messages();
        EXPECT_EQ(times_of(list, format), expected);
        EXPECT_EQ(std::count_if(list.begin(), list.end(),
                                [](const TraceMessage& message) {
                                    return message.code == MessageCode::InCircuitTraceSync;
                                }),
                  4);
    }
}

TEST(TraceTimestamps, TheTimeIsNotSentAgainWithTeSyncMaxBtm15OrBesideProgramTrace) {
    for (const std::uint32_t set :
         {control::kSyncNever << control::kSyncMaxMessagesShift,
          trace_map::instruction::kBranches << control::kInstructionShift}) {
        Bench bench({.fifo_bytes = 4096});
        bench.run_instrumentation(1, kTimestampsOn);
        bench.modify(trace_map::kControl, control::kSyncMaxMask << control::kSyncMaxMessagesShift,
                     set, 0);
        for (unsigned store = 0; store < 100; ++store) {
            bench.store32(0, 1, 1000 + 100 * store);
        }
        EXPECT_EQ(bench.messages().size(), 101U);
    }
}

/// A store of up to 16 bytes would fit, but not the time (up to 10 bytes) ahead of it.
TEST(TraceTimestamps, AStimulusReadsZeroIfTheTimeThatIsDueMightFindNoRoom) {
    constexpr unsigned kStores = 32; // teSyncMaxBTM 0
    constexpr unsigned kLeft = 14;   // of 4 bytes each: 20 bytes of 76 are free
    for (const std::uint32_t limit : {0U, control::kSyncNever}) {
        Bench bench({.fifo_bytes = 76});
        bench.run_instrumentation(1, kTimestampsOn);
        bench.modify(trace_map::kControl, control::kSyncMaxMask << control::kSyncMaxMessagesShift,
                     limit << control::kSyncMaxMessagesShift, 0);
        for (unsigned store = 0; store < kStores; ++store) {
            if (store <= kStores - kLeft) {
                bench.pull();
            }
            bench.store32(0, 1, 2048 + store); // XOR timestamps of one slice
        }
        ASSERT_EQ(bench.read(trace_map::kFifo), 4 * kLeft);
        EXPECT_EQ(bench.read(trace_map::kItcStimulus) == 0, limit != control::kSyncNever);
    }
}

TEST(TraceTimestamps, ThePrescalerDividesTheTimeOfMessages) {
    Bench bench;
    bench.run_instrumentation(1, kTimestampsOn | 2U << ts::kPrescaleShift);
    bench.store32(0, 1, 1600);
    bench.store32(0, 1, 3200);
    EXPECT_EQ(times_of(bench.messages(), {}), (std::vector<std::uint64_t>{100, 100, 200}));
}

TEST(TraceTimestamps, ASlaveStampsWithTheTimeOfItsMaster) {
    TimestampUnit funnel(
        {.type = TimestampType::InternalBus, .messages = MessageTimestamps::Absent});
    RegisterBlock block("funnel", trace_map::kBlockBytes, funnel.registers());
    ASSERT_EQ(block.write(trace_map::kTimestampControl, 4, ts::kActive | ts::kCount, 1000),
              AccessStatus::Ok);
    Bench bench({.timestamp_type = TimestampType::Slave}, {.master = &funnel});
    bench.run_instrumentation(1, kTimestampsOn);
    bench.store32(0, 1, 1200);
    EXPECT_EQ(times_of(bench.messages(), {}), (std::vector<std::uint64_t>{200, 201}));
}

TEST(TraceTimestamps, WithoutTsEnableNoMessageHasOneAndNoTimeIsSent) {
    Bench bench;
    bench.run_instrumentation(3, kTimestampsOn & ~ts::kEnable);
    bench.store32(0, 1, 10);
    bench.store32(15, 1, 11);
    bench.encoder.port().send(timed_sync_message(), 12);
    const std::vector<TraceMessage> list = bench.messages();
    EXPECT_EQ(codes(list), (Codes{DataAcquisition, Ownership, ProgramTraceSync}));
    for (const TraceMessage& message : list) {
        EXPECT_FALSE(message.timestamp);
    }
}

TEST(TraceTimestamps, InstrumentationAndOwnershipHaveTheirOwnEnables) {
    Bench bench;
    bench.run_instrumentation(3, kTimestampsOn & ~ts::kOwnership);
    bench.store32(15, 1, 9);
    bench.store32(0, 1, 10);
    bench.store32(15, 1, 11);
    std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(codes(list), (Codes{Ownership, InCircuitTraceSync, DataAcquisition, Ownership}));
    EXPECT_FALSE(list[0].timestamp);
    EXPECT_TRUE(list[2].timestamp);
    EXPECT_FALSE(list[3].timestamp);

    bench.write(trace_map::kTimestampControl, kTimestampsOn & ~ts::kInstrumentation, 12);
    bench.store32(15, 1, 20);
    bench.store32(0, 1, 21);
    list = bench.messages();
    ASSERT_EQ(codes(list), (Codes{Ownership, DataAcquisition}));
    EXPECT_TRUE(list[0].timestamp);
    EXPECT_FALSE(list[1].timestamp);
}

TEST(TraceTimestamps, TsBranchSelectsNoneIndirectOrAll) {
    struct Case {
        std::uint32_t branch;
        bool sync, indirect, direct;
    };
    for (const Case& c :
         {Case{0, false, false, false}, Case{1, true, true, false}, Case{3, true, true, true}}) {
        Bench bench;
        bench.write(trace_map::kTimestampControl,
                    ts::kActive | ts::kCount | ts::kEnable | c.branch << ts::kBranchShift);
        bench.run(3U << control::kInstructionShift);
        EXPECT_EQ(stamp_of(bench, timed_sync_message(), 100).has_value(), c.sync) << c.branch;
        EXPECT_EQ(stamp_of(bench, indirect_branch(), 110).has_value(), c.indirect) << c.branch;
        EXPECT_EQ(stamp_of(bench, direct_branch(), 120).has_value(), c.direct) << c.branch;
    }
}

TEST(TraceTimestamps, SynchronisingMessagesCarryTheTimeItself) {
    Bench bench;
    bench.write(trace_map::kTimestampControl, kTimestampsOn);
    bench.run(3U << control::kInstructionShift);
    EXPECT_EQ(stamp_of(bench, timed_sync_message(), 100), 100U);
    EXPECT_EQ(stamp_of(bench, direct_branch(), 107), 100U ^ 107U);
    EXPECT_EQ(stamp_of(bench, timed_sync_message(), 300), 300U);
}

TEST(TraceTimestamps, ARelativeTimestampIsNeverSentBeforeAnAbsoluteOne) {
    Bench bench;
    bench.run(3U << control::kInstructionShift);
    EXPECT_FALSE(stamp_of(bench, timed_sync_message(), 10));
    bench.write(trace_map::kTimestampControl, kTimestampsOn, 20); // in the middle of the trace
    EXPECT_FALSE(stamp_of(bench, direct_branch(), 30));
    EXPECT_EQ(stamp_of(bench, timed_sync_message(), 40), 20U);
    EXPECT_TRUE(stamp_of(bench, direct_branch(), 50));
}

TEST(TraceTimestamps, BehindASyncOfTheTracerNoTimeIsInserted) {
    Bench bench;
    bench.run_instrumentation(1, kTimestampsOn);
    bench.modify(trace_map::kControl, 0, 3U << control::kInstructionShift);
    bench.encoder.port().send(timed_sync_message(), 100);
    bench.store32(0, 1, 101);
    const std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(codes(list), (Codes{ProgramTraceSync, DataAcquisition}));
    EXPECT_EQ(list[1].timestamp, 100U ^ 101U);
}

} // namespace
} // namespace pes::trace

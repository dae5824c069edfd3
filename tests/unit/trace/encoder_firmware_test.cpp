// SPDX-License-Identifier: Apache-2.0
// SiFive's bare-metal performance library as a driver: the same registers in the same order with
// the same values, and nothing polled that it does not poll.
#include "tests/unit/trace/encoder_bench.h"

namespace pes::trace {
namespace {

using namespace test;
namespace control = trace_map::control;
namespace ts = trace_map::timestamp;
using Codes = std::vector<MessageCode>;
using enum MessageCode;

constexpr std::uint32_t kMarker = 0x7065'7266;
constexpr unsigned kChannel = 6;

// Both syncMax 15, stop-on-wrap, instrumentation 1, instruction 0, slice format 0, active, enable.
std::uint32_t control_of(std::uint32_t sink) {
    return sink << control::kSinkShift | 15U << 20 | 15U << 16 | 1U << 14 | 1U << 7 | 3U;
}

void reset_encoder(Bench& bench, std::uint32_t sink) {
    bench.modify(trace_map::kControl, control::kActive, 0);
    bench.modify(trace_map::kControl, 0, control::kActive);
    bench.write(trace_map::kControl, control_of(sink));
}

void set_sink(Bench& bench, std::uint32_t base, std::uint32_t size) {
    bench.write(trace_map::kSinkBase, base);
    bench.write(trace_map::kSinkBaseHigh, 0);
    bench.write(trace_map::kSinkLimit, base + size - 2);
    bench.write(trace_map::kSinkWritePointer, base);
    bench.write(trace_map::kSinkReadPointer, 0);
}

/// Every field by a read, a change and a write, as the library's macros do it.
void set_timestamps(Bench& bench, Cycle at) {
    bench.modify(trace_map::kTimestampControl, ts::kActive, 0, at);
    bench.modify(trace_map::kTimestampControl, 0, ts::kActive, at);
    const std::uint32_t type =
        (bench.read(trace_map::kTimestampControl) >> ts::kTypeShift) & ts::kTypeMask;
    const bool internal = type == ts::kInternalBus || type == ts::kInternalCore;
    bench.modify(trace_map::kTimestampControl, ts::kDebug | ts::kPrescaleMask << ts::kPrescaleShift,
                 3U << ts::kBranchShift | ts::kInstrumentation | ts::kOwnership, at);
    bench.modify(trace_map::kTimestampControl, 0, internal ? ts::kCount : 0, at);
    bench.modify(trace_map::kTimestampControl, 0, ts::kEnable, at);
}

void set_channel(Bench& bench) {
    bench.write(trace_map::kItcTraceEnable, 0);
    bench.modify(trace_map::kItcTraceEnable, 0, 1U << kChannel);
}

void wait_and_store(Bench& bench, std::uint32_t value, Cycle at) {
    ASSERT_NE(bench.read(trace_map::kItcStimulus + Address{4} * kChannel, at), 0U);
    bench.store32(kChannel, value, at);
}

void write_header(Bench& bench, Cycle at) {
    wait_and_store(bench, kMarker, at);
    ASSERT_NE(bench.read(trace_map::kItcStimulus + Address{4} * kChannel, at), 0U);
    bench.store8(kChannel, 0, at + 100);
    wait_and_store(bench, 0x5, at + 200);
}

void expect_header(const std::vector<TraceMessage>& list) {
    ASSERT_EQ(codes(list),
              (Codes{InCircuitTraceSync, DataAcquisition, DataAcquisition, DataAcquisition}));
    EXPECT_EQ(list[1].value(Field::IdTag), 0x18U);
    EXPECT_EQ(list[1].value(Field::Data), kMarker);
    EXPECT_EQ(list[2].value(Field::IdTag), 0x1BU);
    EXPECT_EQ(list[3].value(Field::Data), 0x5U);
}

TEST(PublishedFirmware, SetsUpAnEncoderWithItsOwnMemorySink) {
    Bench bench;
    reset_encoder(bench, 7);
    EXPECT_EQ(bench.read(trace_map::kControl), 0x71FF'408BU); // slice format 1, empty
    set_sink(bench, 0x8010'0000, 0x1000);
    EXPECT_EQ(bench.read(trace_map::kSinkLimit), 0x8010'0FFCU); // the last word
    set_timestamps(bench, 1000);
    EXPECT_EQ(bench.read(trace_map::kTimestampControl), 0x280F'8033U);
    set_channel(bench);
    EXPECT_FALSE(bench.encoder.tracing());
    bench.modify(trace_map::kControl, 0, control::kTracing, 2000);
    EXPECT_TRUE(bench.encoder.tracing());

    write_header(bench, 3000);
    const std::vector<TraceMessage> list = bench.messages();
    expect_header(list);
    EXPECT_EQ(list[0].timestamp, 2000U); // 3000, counted from 1000
    EXPECT_EQ(list[1].timestamp, 2000U ^ 2001U);
    EXPECT_EQ(list[2].timestamp, 2001U ^ 2100U);
}

TEST(PublishedFirmware, SetsUpAnEncoderThatFeedsAFunnelWithTheTime) {
    TimestampUnit funnel(
        {.type = TimestampType::InternalBus, .messages = MessageTimestamps::Absent});
    RegisterBlock block("funnel", trace_map::kBlockBytes, funnel.registers());
    Bench bench({.hart = 1, .source = 1, .source_bits = 1, .timestamp_type = TimestampType::Slave},
                {.master = &funnel});

    reset_encoder(bench, 8); // the sink code is forced; no sink register of the encoder is written
    set_timestamps(bench, 500);
    EXPECT_EQ(bench.read(trace_map::kTimestampControl), 0x280F'8041U);
    set_channel(bench);

    // The funnel's unit: active off and on, then prescale and active alone, then tsCount.
    const auto write = [&](std::uint32_t value, Cycle at) {
        ASSERT_EQ(block.write(trace_map::kTimestampControl, 4, value, at), AccessStatus::Ok);
    };
    const auto read = [&] {
        std::uint64_t value = 0;
        EXPECT_EQ(block.read(trace_map::kTimestampControl, 4, value, 0), AccessStatus::Ok);
        return static_cast<std::uint32_t>(value);
    };
    write(read() & ~ts::kActive, 900);
    write(read() | ts::kActive, 900);
    write(0U << ts::kPrescaleShift | 1U, 900);
    write(read() | ts::kCount, 1000);
    EXPECT_EQ(read(), 0x2800'0023U);

    bench.modify(trace_map::kControl, 0, control::kTracing, 2000);
    write_header(bench, 3000);
    const std::vector<TraceMessage> list = bench.messages(1);
    expect_header(list);
    EXPECT_EQ(list[0].timestamp, 2000U);
    EXPECT_EQ(list[0].source, 1U);
    EXPECT_EQ(bench.sink.selected, 8U);
}

TEST(PublishedFirmware, OpenOcdStartsFromItsInitialValue) {
    Bench bench;
    bench.write(trace_map::kSinkReadPointer, ~0U);
    bench.write(trace_map::kSinkWritePointer, 0);
    bench.write(trace_map::kControl, 0x0183'0001);
    EXPECT_EQ(bench.read(trace_map::kControl), 0x0183'0009U);
}

} // namespace
} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// An encoder of E-Trace: its registers, and what comes out of its FIFO.
#include "tests/unit/trace/encoder_bench.h"

#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using test::Bench;
namespace control = trace_map::control;

EncoderConfig packets(std::size_t fifo_bytes = 256) {
    return {.source = 2, .source_bits = 3, .fifo_bytes = fifo_bytes, .protocol = Protocol::ETrace};
}

constexpr etrace::Framing kFraming{.source_bits = 3, .timestamp_bytes = 5};
constexpr std::uint32_t kHistory = trace_map::instruction::kHistory << control::kInstructionShift;

etrace::Frame frame_of(const test::Bytes& bytes) {
    etrace::Frame frame;
    const etrace::FrameResult result = etrace::parse_frame(bytes, kFraming, {}, frame);
    EXPECT_EQ(result.status, etrace::FrameStatus::Packet);
    EXPECT_EQ(result.size, bytes.size());
    return frame;
}

etrace::Packet start_at(Address address) {
    etrace::Packet packet;
    packet.address = address;
    return packet;
}

TEST(ETraceEncoder, SliceFormatReadsZeroAndInstructionModesAreOne) {
    Bench bench(packets());
    bench.run(kHistory | 3U << control::kInstrumentationShift | 7U << control::kSliceFormatShift);
    const std::uint32_t value = bench.read(trace_map::kControl);
    EXPECT_EQ(value >> control::kSliceFormatShift & 7, 0U);
    EXPECT_EQ(value >> control::kInstructionShift & 7, 7U);
    EXPECT_EQ(value >> control::kInstrumentationShift & 3, 0U);
}

TEST(ETraceEncoder, StimuliAndEventsDoNotExist) {
    Bench bench(packets());
    bench.run(kHistory | 1U << control::kInstrumentationShift);
    bench.write(trace_map::kItcTraceEnable, ~0U);
    bench.write(trace_map::kEventControl, ~0U);
    bench.store32(0, 0x1234, 10);
    EXPECT_EQ(bench.read(trace_map::kEventControl), 0U);
    EXPECT_TRUE(bench.pull().empty());
}

TEST(ETraceEncoder, FeaturesAreThoseThatExist) {
    Bench bench(packets());
    bench.write(trace_map::kControl, control::kActive);
    bench.write(trace_map::kInstructionFeatures, ~0U);
    EXPECT_EQ(bench.read(trace_map::kInstructionFeatures), trace_map::feature::kAll);
    Bench nexus;
    nexus.write(trace_map::kControl, control::kActive);
    nexus.write(trace_map::kInstructionFeatures, ~0U);
    EXPECT_EQ(nexus.read(trace_map::kInstructionFeatures), 0U);
}

TEST(ETraceEncoder, PacketsHaveSourceAndTime) {
    Bench bench(packets());
    bench.write(trace_map::kTimestampControl, test::kTimestampsOn, 0);
    bench.run(kHistory, 0);
    const std::array sent{start_at(0x1000)};
    EXPECT_EQ(bench.encoder.packets().send(sent, 40, 41), SendResult::Sent);
    const auto bytes = bench.pull();
    ASSERT_EQ(bytes.size(), 1U);
    const etrace::Frame frame = frame_of(bytes[0]);
    EXPECT_EQ(frame.source, 2U);
    EXPECT_EQ(frame.timestamp, 40U);
    EXPECT_EQ(frame.packet, sent[0]);
}

TEST(ETraceEncoder, InhibitedSourceIsNoField) {
    Bench bench(packets());
    bench.run(kHistory | control::kInhibitSource);
    const std::array sent{start_at(0x1000)};
    EXPECT_EQ(bench.encoder.packets().send(sent, 1, 1), SendResult::Sent);
    const auto bytes = bench.pull();
    ASSERT_EQ(bytes.size(), 1U);
    EXPECT_EQ(bytes[0], (test::Bytes{0x03, 0x13, 0x00, 0x04})); // 11, 00, branch 1; 800 from bit 7
}

TEST(ETraceEncoder, TooMuchIsLostWholeAndCounted) {
    Bench bench(packets(kSmallestFifo), {.hart = false});
    bench.run(kHistory);
    const std::array sent{start_at(0x1000), start_at(0x2000)};
    unsigned accepted = 0;
    while (bench.encoder.packets().send(sent, accepted, accepted) == SendResult::Sent) {
        ++accepted;
    }
    EXPECT_EQ(bench.encoder.packets().send(sent, 100, 100), SendResult::Lost);
    EXPECT_EQ(bench.encoder.packets().send(sent, 101, 101), SendResult::Lost);
    EXPECT_EQ(bench.encoder.counts().messages, 2 * accepted);
    EXPECT_EQ(bench.encoder.counts().overflows, 1U);
    EXPECT_EQ(bench.encoder.counts().lost, 2U); // and the repeated attempt to go on
    EXPECT_EQ(bench.pull().size(), 2 * accepted);
    EXPECT_EQ(bench.encoder.packets().send(sent, 200, 200), SendResult::Sent);
}

TEST(ETraceEncoder, APlaceToBeginAtComesWithSynchronisation) {
    Bench bench(packets(4096));
    bench.run(kHistory);
    etrace::Packet address;
    address.format = etrace::Format::Address;
    const std::array plain{address};
    const std::array sync{start_at(0x1000)};
    for (unsigned packet = 0; packet < 256; ++packet) {
        ASSERT_EQ(bench.encoder.packets().send(plain, packet, packet), SendResult::Sent);
    }
    ASSERT_EQ(bench.pull().size(), 256U);
    ASSERT_EQ(bench.encoder.packets().send(sync, 300, 300), SendResult::Sent);
    const auto bytes = bench.pull();
    ASSERT_EQ(bytes.size(), 2U);
    const PackedMessage place = etrace::pack_synchronisation(kFraming);
    EXPECT_EQ(bytes[0], test::Bytes(place.view().begin(), place.view().end()));
    ASSERT_EQ(bench.encoder.packets().send(sync, 301, 301), SendResult::Sent);
    EXPECT_EQ(bench.pull().size(), 1U);
}

} // namespace
} // namespace pes::trace

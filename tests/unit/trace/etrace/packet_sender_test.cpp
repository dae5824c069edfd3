// SPDX-License-Identifier: Apache-2.0
// An encoder of E-Trace: its registers, and what comes out of its FIFO.
#include "hw/interface/maps/trace_control.h"
#include "tests/unit/trace/encoder_bench.h"

#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using test::Bench;
namespace te = trace_control::encoder;

EncoderConfig packets(std::size_t fifo_bytes = 256) {
    return {.registers = RegisterSet::Standard,
            .source = 2,
            .source_bits = 3,
            .fifo_bytes = fifo_bytes,
            .timestamps = {TimestampDialect::NTrace, 40},
            .protocol = Protocol::ETrace};
}

constexpr etrace::Framing kFraming{.source_bits = 3, .timestamp_bytes = 5};
constexpr std::uint32_t kOn = 0; ///< all that a trace needs besides its three bits

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

/// E-Trace 2.0, "Control": which fields of the Trace Control Interface it has, and their values.
TEST(ETraceEncoder, SaysWhatItIs) {
    Bench bench(packets());
    EXPECT_EQ(bench.read(trace_control::kImplementation) >> 16 & 0xFF,
              0U); // trTeProtocolMajor, Minor
    for (const std::uint32_t mode : {0U, 3U, 6U, 7U}) {
        bench.run(mode << te::kModeShift | 7U << te::kFormatShift);
        const std::uint32_t value = bench.read(trace_control::kControl);
        EXPECT_EQ(value >> te::kFormatShift & 7, 0U);
        EXPECT_EQ(value >> te::kModeShift & 7, 7U) << "hard-coded";
        EXPECT_EQ(bench.tracer.settings.protocol, Protocol::ETrace);
        EXPECT_NE(bench.tracer.settings.mode, InstructionMode::None);
    }
}

TEST(ETraceEncoder, StimuliEventsAndContextDoNotExist) {
    Bench bench(packets());
    bench.run(te::kContext);
    EXPECT_EQ(bench.read(trace_control::kControl) & te::kContext, 0U);
    bench.write(trace_control::vendor::kInstrumentation, ~0U);
    bench.write(trace_control::vendor::kItcTraceEnable, ~0U);
    bench.write(trace_control::vendor::kEventControl, ~0U);
    bench.write(trace_control::vendor::kItcStimulus, 0x1234, 10);
    EXPECT_EQ(bench.read(trace_control::vendor::kInstrumentation), 0U);
    EXPECT_EQ(bench.read(trace_control::vendor::kEventControl), 0U);
    EXPECT_TRUE(bench.pull().empty());
}

TEST(ETraceEncoder, SynchronisesByPacketsOrHalfWords) {
    Bench bench(packets());
    bench.run(3U << te::kSyncModeShift | 2U << te::kSyncMaxShift);
    EXPECT_EQ(bench.tracer.settings.sync_units, 64U);
    bench.run(2U << te::kSyncModeShift | 2U << te::kSyncMaxShift);
    EXPECT_EQ(bench.read(trace_control::kControl) >> te::kSyncModeShift & 3, 3U);
    bench.run(1U << te::kSyncModeShift | 2U << te::kSyncMaxShift);
    EXPECT_EQ(bench.tracer.settings.sync_messages, 64U);
}

/// trTeInstImplicitReturnMode, repeated history and extended addresses are hard-coded to 0.
TEST(ETraceEncoder, FeaturesAreThoseThatExist) {
    Bench bench(packets());
    bench.write(trace_control::kControl, trace_control::kActive);
    bench.write(te::kFeatures, 0xFFFF);
    EXPECT_EQ(bench.read(te::kFeatures) & 0xFFFF, 1U << 0 | 1U << 3 | 1U << 4 | 1U << 5);
    bench.run(0);
    EXPECT_TRUE(bench.tracer.settings.etrace.implicit_return);
    EXPECT_TRUE(bench.tracer.settings.etrace.full_address);
    EXPECT_TRUE(bench.tracer.settings.etrace.branch_prediction);
    EXPECT_TRUE(bench.tracer.settings.etrace.jump_target_cache);
}

TEST(ETraceEncoder, PacketsHaveSourceAndTime) {
    Bench bench(packets());
    bench.write(trace_control::timestamp::kControl, 0x8003, 0); // active, count, enable
    bench.run(kOn, 0);
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
    bench.run(te::kInhibitSource);
    const std::array sent{start_at(0x1000)};
    EXPECT_EQ(bench.encoder.packets().send(sent, 1, 1), SendResult::Sent);
    const auto bytes = bench.pull();
    ASSERT_EQ(bytes.size(), 1U);
    EXPECT_EQ(bytes[0], (test::Bytes{0x03, 0x13, 0x00, 0x04})); // 11, 00, branch 1; 800 from bit 7
}

TEST(ETraceEncoder, TooMuchIsLostWholeAndCounted) {
    Bench bench(packets(kSmallestFifo), {.hart = false});
    bench.run(kOn);
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
    bench.run(kOn);
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

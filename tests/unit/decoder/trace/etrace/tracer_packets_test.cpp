// SPDX-License-Identifier: Apache-2.0
// The platform's own packets and this decoder: what a hart retired comes back out of the bytes, in
// every mode, with traps, losses and synchronisation.
#include "decoder/trace/flow/flow.h"
#include "hw/trace/program/program_tracer.h"
#include "tests/unit/decoder/trace/code_image.h"
#include "tests/unit/trace/etrace/packet_recorder.h"
#include "tests/unit/trace/etrace/traced_walk.h"
#include "tests/unit/trace/recording_port.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace pes::trace {
namespace {

using test::image_of;
using test::PacketRecorder;
using test::RandomProgram;
using test::Step;
using test::walk_in_modes;

constexpr std::size_t kPacketSteps = 4000;

/// Instructions and traps as the flow tells them; a trap is the inverted address.
class Executed : public FlowSink {
  public:
    explicit Executed(const ProgramImage& image) : image_(image) {}

    void started(const FlowStart& start) override { next_ = start.address; }
    void ran(const InstructionRun& run) override {
        EXPECT_TRUE(!next_ || *next_ == run.begin) << std::hex << run.begin;
        Address pc = run.begin;
        for (std::uint32_t i = 0; i < run.instructions; ++i) {
            addresses.push_back(pc);
            last = pc;
            pc += image_.find(pc)->run(pc).length;
        }
        EXPECT_EQ(last, run.last);
        next_ = run.next;
        time = run.time;
    }
    void trapped(const FlowTrap& trap) override {
        EXPECT_TRUE(!next_ || *next_ == trap.from) << std::hex << trap.from;
        addresses.push_back(~trap.from);
        next_ = trap.to;
        traps.push_back(trap);
    }
    void gap(const FlowGap& gap) override {
        gaps.push_back(gap);
        next_.reset();
    }
    void stopped(const FlowStop&) override { ++stops; }

    std::vector<Address> addresses;
    std::vector<FlowTrap> traps;
    std::vector<FlowGap> gaps;
    FlowTime time;
    Address last = 0;
    unsigned stops = 0;

  private:
    const ProgramImage& image_;
    std::optional<Address> next_;
};

class TracerPackets : public ::testing::TestWithParam<etrace::Options> {
  protected:
    static constexpr etrace::Framing kFraming{.source_bits = 0, .timestamp_bytes = 5};

    InstructionTraceSettings settings(std::mt19937_64& random) const {
        return {.protocol = Protocol::ETrace,
                .mode = InstructionMode::OptimisedHistory,
                .sync_messages = random() % 2 == 0 ? std::uint64_t{8} << random() % 6 : 0,
                .sync_units = random() % 2 == 0 ? std::uint64_t{16} << random() % 8 : 0,
                .etrace = GetParam()};
    }

    static void decode(const PacketRecorder& port, Flow& flow) {
        std::istringstream input(port.bytes(kFraming));
        etrace::PacketReader reader(input, {.framing = kFraming, .parameters = port.parameters()});
        flow.set_parameters(port.parameters());
        etrace::PacketItem item;
        std::size_t index = 0;
        while (reader.next(item)) {
            ASSERT_EQ(item.kind, etrace::PacketItem::Kind::Packet);
            ASSERT_EQ(item.frame, port.frames.at(index++));
            flow.add(item);
        }
        ASSERT_EQ(index, port.frames.size());
    }
};

/// `first`: where the traces of test and decoder differ.
std::string difference(const std::vector<Address>& truth, const std::vector<Address>& seen) {
    const auto [a, b] = std::ranges::mismatch(truth, seen);
    std::ostringstream text;
    text << "at " << a - truth.begin() << " of " << truth.size() << ", seen " << seen.size()
         << std::hex;
    for (auto at = a - std::min<std::ptrdiff_t>(a - truth.begin(), 6);
         at != truth.end() && at < a + 4; ++at) {
        text << " " << *at;
    }
    text << " | ";
    for (auto at = b - std::min<std::ptrdiff_t>(b - seen.begin(), 6);
         at != seen.end() && at < b + 4; ++at) {
        text << " " << *at;
    }
    return text.str();
}

TEST_P(TracerPackets, TellWhatTheHartRetired) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        std::mt19937_64 random(seed);
        RandomProgram program(seed);
        const std::vector<Step> steps = walk_in_modes(program, kPacketSteps);
        test::RecordingPort messages;
        PacketRecorder port;
        ProgramTracer tracer(messages, nullptr, &port);
        tracer.configure(settings(random));
        tracer.start(SyncReason::TraceEnable, 0);
        for (const Step& step : steps) {
            step.tell(tracer);
            if (random() % 200 == 0) {
                tracer.synchronise(SyncReason::ExternalTrigger, step.cycle());
            }
        }
        tracer.stop(CorrelationEvent::TraceDisabled, steps.back().cycle());
        ASSERT_TRUE(messages.sent.empty());

        const ProgramImage image = image_of(program.code());
        Executed seen(image);
        Flow flow(image);
        flow.add_sink(seen);
        decode(port, flow);
        const std::vector<Address> truth = test::places_of(steps);
        ASSERT_TRUE(seen.gaps.empty())
            << "seed " << seed << ": " << seen.gaps[0].detail << std::hex
            << seen.gaps[0].address.value_or(0) << " " << difference(truth, seen.addresses);
        ASSERT_EQ(seen.addresses, truth) << "seed " << seed << difference(truth, seen.addresses);
        ASSERT_EQ(flow.unplaced_messages(), 0U);
        ASSERT_EQ(seen.stops, 1U);
        ASSERT_LE(seen.time.value_or(~Cycle{0}), steps.back().cycle());
    }
}

/// In between losses, everything that is told has happened, in this order.
TEST_P(TracerPackets, TellNothingWrongWhenPacketsAreLost) {
    std::size_t losses = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        std::mt19937_64 random(seed);
        RandomProgram program(seed);
        const std::vector<Step> steps = walk_in_modes(program, kPacketSteps);
        test::RecordingPort messages;
        PacketRecorder port;
        port.full = [&random] { return random() % 30 == 0; };
        ProgramTracer tracer(messages, nullptr, &port);
        tracer.configure(settings(random));
        tracer.start(SyncReason::TraceEnable, 0);
        for (const Step& step : steps) {
            step.tell(tracer);
        }
        port.full = nullptr;
        tracer.stop(CorrelationEvent::TraceDisabled, steps.back().cycle());

        const ProgramImage image = image_of(program.code());
        Executed seen(image);
        Flow flow(image);
        flow.add_sink(seen);
        decode(port, flow);
        const std::vector<Address> truth = test::places_of(steps);
        std::size_t found = 0;
        for (const Address address : truth) {
            found += found < seen.addresses.size() && seen.addresses[found] == address ? 1 : 0;
        }
        ASSERT_EQ(found, seen.addresses.size()) << "seed " << seed << ": not a part of the truth";
        for (const FlowGap& gap : seen.gaps) {
            ASSERT_EQ(gap.reason, GapReason::EncoderLoss) << "seed " << seed << ": " << gap.detail;
        }
        losses += seen.gaps.size();
    }
    EXPECT_GT(losses, 40U);
}

INSTANTIATE_TEST_SUITE_P(Modes, TracerPackets,
                         ::testing::Values(etrace::Options{}, etrace::Options{.full_address = true},
                                           etrace::Options{.implicit_return = true},
                                           etrace::Options{.implicit_return = true,
                                                           .full_address = true},
                                           etrace::Options{.branch_prediction = true},
                                           etrace::Options{.jump_target_cache = true},
                                           etrace::Options{.implicit_return = true,
                                                           .jump_target_cache = true,
                                                           .branch_prediction = true},
                                           etrace::Options{.implicit_return = true,
                                                           .full_address = true,
                                                           .jump_target_cache = true,
                                                           .branch_prediction = true}));

} // namespace
} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// The platform's own encoder and this decoder: what a hart retired comes back out of the bytes, in
// every mode and dialect, with traps, triggers and losses.
#include "hw/interface/maps/trace.h"
#include "hw/trace/program/program_tracer.h"
#include "tests/unit/decoder/trace/code_image.h"
#include "tests/unit/decoder/trace/recorded_flow.h"
#include "tests/unit/trace/random_program.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::trace {
namespace {

using test::ExecutedFlow;
using test::image_of;
using test::RandomProgram;
using test::RecordingPort;
using test::Step;

constexpr std::size_t kSteps = 4000;

struct Case {
    InstructionMode mode;
    TimestampDialect dialect;
    FlowOptions options{};
};

class TracerFlow : public ::testing::TestWithParam<Case> {
  protected:
    InstructionTraceSettings settings(std::mt19937_64& random) const {
        return {.mode = GetParam().mode,
                .events = random() % 2 == 0 ? trace_map::event::kContext : 0,
                .sync_messages = random() % 2 == 0 ? std::uint64_t{32} << random() % 4 : 0,
                .sync_units = random() % 2 == 0 ? std::uint64_t{16} << random() % 8 : 0,
                .options = GetParam().options,
                .dialect = GetParam().dialect};
    }
    TimestampFormat timestamps() const { return {GetParam().dialect, kSiFiveTimestampBits}; }

    void decode(const RecordingPort& port, Flow& flow) const {
        test::decode_messages(port, timestamps(), flow);
    }
};

TEST_P(TracerFlow, TellsWhatTheHartRetired) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        std::mt19937_64 random(seed);
        RandomProgram program(seed);
        const std::vector<Step> steps = program.walk(kSteps);
        RecordingPort port;
        ProgramTracer tracer(port);
        tracer.configure(settings(random));
        tracer.start(SyncReason::TraceEnable, 0);
        for (const Step& step : steps) {
            step.tell(tracer);
            if (random() % 200 == 0) {
                tracer.synchronise(SyncReason::ExternalTrigger, step.cycle());
            }
        }
        tracer.stop(CorrelationEvent::TraceDisabled, steps.back().cycle());

        const ProgramImage image = image_of(program.code());
        ExecutedFlow seen(image);
        Flow flow(image);
        flow.add_sink(seen);
        decode(port, flow);
        ASSERT_TRUE(seen.gaps.empty()) << "seed " << seed << ": " << seen.gaps[0].detail;
        ASSERT_EQ(seen.addresses, test::places_of(steps)) << "seed " << seed;
        ASSERT_EQ(flow.unplaced_messages(), 0U);
        ASSERT_LE(seen.time.value_or(~Cycle{0}), steps.back().cycle());
    }
}

/// In between losses, everything that is told has happened, in this order.
TEST_P(TracerFlow, TellsNothingWrongWhenMessagesAreLost) {
    std::size_t losses = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        std::mt19937_64 random(seed);
        RandomProgram program(seed);
        const std::vector<Step> steps = program.walk(kSteps);
        RecordingPort port;
        port.full = [&random] { return random() % 30 == 0; };
        ProgramTracer tracer(port);
        tracer.configure(settings(random));
        tracer.start(SyncReason::TraceEnable, 0);
        for (const Step& step : steps) {
            step.tell(tracer);
        }
        port.full = nullptr;
        tracer.stop(CorrelationEvent::TraceDisabled, steps.back().cycle());

        const ProgramImage image = image_of(program.code());
        ExecutedFlow seen(image);
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

INSTANTIATE_TEST_SUITE_P(
    Modes, TracerFlow,
    ::testing::Values(Case{InstructionMode::Branches, TimestampDialect::SiFive},
                      Case{InstructionMode::Branches, TimestampDialect::NTrace},
                      Case{InstructionMode::History, TimestampDialect::SiFive},
                      Case{InstructionMode::History, TimestampDialect::NTrace},
                      Case{InstructionMode::OptimisedHistory, TimestampDialect::SiFive},
                      Case{InstructionMode::OptimisedHistory, TimestampDialect::NTrace},
                      Case{InstructionMode::Branches,
                           TimestampDialect::NTrace,
                           {.implicit_returns = true, .repeats = true}},
                      Case{InstructionMode::History, TimestampDialect::NTrace, {.repeats = true}}));

} // namespace
} // namespace pes::trace

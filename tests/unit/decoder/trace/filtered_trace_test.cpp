// SPDX-License-Identifier: Apache-2.0
// Random filters on random programs, in both protocols: registers as a driver writes them, the
// platform's encoder and tracer, the bytes, and this decoder. What is told is what a second model
// of filters lets through, no more and no less.
#include "hw/interface/maps/trace.h"
#include "hw/trace/program/program_tracer.h"
#include "tests/unit/decoder/trace/code_image.h"
#include "tests/unit/decoder/trace/recorded_flow.h"
#include "tests/unit/trace/encoder_bench.h"
#include "tests/unit/trace/etrace/packet_recorder.h"
#include "tests/unit/trace/etrace/traced_walk.h"
#include "tests/unit/trace/filter_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace pes::trace {
namespace {

using test::ExecutedFlow;
using test::FilterModel;
using test::image_of;
using test::PacketRecorder;
using test::RandomProgram;
using test::RecordingPort;
using test::Step;

constexpr std::size_t kSteps = 3000;
constexpr unsigned kFilters = 6;
constexpr unsigned kComparators = 5;
constexpr std::uint64_t kSeeds = 80;

struct Case {
    Protocol protocol = Protocol::Nexus;
    InstructionMode mode = InstructionMode::History;
    FlowOptions options{};
    etrace::Options etrace{};
};

/// What an encoder makes of a driver's writes.
TraceFilters as_written(const FilterModel::Registers& registers) {
    test::Bench bench({.registers = RegisterSet::Standard,
                       .timestamps = {TimestampDialect::NTrace, 40},
                       .filters = kFilters,
                       .comparators = kComparators});
    bench.write(0, 1);
    for (const auto& [offset, value] : registers) {
        bench.write(offset, value);
        EXPECT_EQ(bench.read(offset), value) << std::hex << offset;
    }
    bench.write(0, 7 | 6 << 4); // active, enabled, tracing, history trace
    return bench.tracer.filters;
}

/// What a seed gives: a program's steps, filters.
struct FilteredRun {
    std::vector<Step> steps;
    FilterModel::Registers registers;
    std::map<Address, std::uint32_t> code;
};

FilteredRun random_run(std::mt19937_64& random, std::uint64_t seed) {
    RandomProgram program(seed);
    FilteredRun run{
        .steps = test::walk_in_modes(program, kSteps), .registers = {}, .code = program.code()};
    test::vary_traps(random, run.steps);
    run.registers = test::random_filters(random, run.steps, kFilters, kComparators);
    return run;
}

class FilteredTrace : public ::testing::TestWithParam<Case> {
  protected:
    static constexpr etrace::Framing kFraming{.source_bits = 0, .timestamp_bytes = 5};

    InstructionTraceSettings settings(std::mt19937_64& random) const {
        return {.protocol = GetParam().protocol,
                .mode = GetParam().mode,
                .events = random() % 2 == 0 ? trace_map::event::kContext : 0,
                .sync_messages = random() % 2 == 0 ? std::uint64_t{32} << random() % 4 : 0,
                .sync_units = random() % 2 == 0 ? std::uint64_t{16} << random() % 8 : 0,
                .options = GetParam().options,
                .dialect = TimestampDialect::NTrace,
                .etrace = GetParam().etrace};
    }
    bool packets() const { return GetParam().protocol == Protocol::ETrace; }

    /// Of one run.
    struct Ports {
        RecordingPort messages;
        PacketRecorder packets;
    };
    void trace(const FilteredRun& run, std::mt19937_64& random, Ports& ports) const {
        ProgramTracer tracer(ports.messages, nullptr, &ports.packets);
        tracer.configure(settings(random));
        tracer.set_filters(as_written(run.registers));
        tracer.start(SyncReason::TraceEnable, 0);
        for (const Step& step : run.steps) {
            step.tell(tracer);
            if (random() % 300 == 0) {
                tracer.synchronise(SyncReason::ExternalTrigger, step.cycle());
            }
        }
        tracer.stop(CorrelationEvent::TraceDisabled, run.steps.back().cycle());
    }
    void decode(const Ports& ports, Flow& flow) const {
        if (packets()) {
            decode_packets(ports.packets, flow);
        } else {
            decode_messages(ports.messages, flow);
        }
    }
    static void decode_packets(const PacketRecorder& port, Flow& flow) {
        std::istringstream input(port.bytes(kFraming));
        etrace::PacketReader reader(input, {.framing = kFraming, .parameters = port.parameters()});
        flow.set_parameters(port.parameters());
        etrace::PacketItem item;
        while (reader.next(item)) {
            ASSERT_EQ(item.kind, etrace::PacketItem::Kind::Packet);
            flow.add(item);
        }
    }
    static void decode_messages(const RecordingPort& port, Flow& flow) {
        test::decode_messages(port, {TimestampDialect::NTrace, kSiFiveTimestampBits}, flow);
    }
};

/// Behind a jump whose target the program does not tell, E-Trace has the place of a trap or its
/// handler. So the last trap of a stretch, whose handler is not traced, stays untold there.
void leave_out_untold_traps(const std::vector<Step>& steps, std::vector<bool>& traced) {
    bool jumped = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].trap) {
            const FlowKind kind = classify_flow(steps[i].retirement.raw).kind;
            jumped = kind == FlowKind::IndirectJump || kind == FlowKind::TrapReturn;
        } else if (jumped && (i + 1 == steps.size() || !traced[i + 1])) {
            traced[i] = false;
        }
    }
}

std::vector<Address> places(const std::vector<Step>& steps, const std::vector<bool>& traced) {
    std::vector<Address> list;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (traced[i]) {
            list.push_back(steps[i].place());
        }
    }
    return list;
}

/// Where they differ.
std::string difference(const std::vector<Address>& truth, const std::vector<Address>& seen) {
    const auto [a, b] = std::ranges::mismatch(truth, seen);
    std::ostringstream text;
    text << "at " << a - truth.begin() << " of " << truth.size() << ", seen " << seen.size()
         << std::hex;
    for (auto at = a - std::min<std::ptrdiff_t>(a - truth.begin(), 4);
         at != truth.end() && at < a + 3; ++at) {
        text << " " << *at;
    }
    text << " | ";
    for (auto at = b - std::min<std::ptrdiff_t>(b - seen.begin(), 4);
         at != seen.end() && at < b + 3; ++at) {
        text << " " << *at;
    }
    return text.str();
}

TEST_P(FilteredTrace, TellsWhatTheFiltersLetThrough) {
    unsigned in_parts = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        std::mt19937_64 random(seed);
        const FilteredRun run = random_run(random, seed);
        Ports ports;
        trace(run, random, ports);
        const ProgramImage image = image_of(run.code);
        ExecutedFlow seen(image);
        Flow flow(image);
        flow.add_sink(seen);
        decode(ports, flow);
        std::vector<bool> traced = FilterModel(run.registers, run.steps).traced();
        if (packets()) {
            leave_out_untold_traps(run.steps, traced);
        }
        const std::vector<Address> truth = places(run.steps, traced);
        ASSERT_TRUE(seen.gaps.empty()) << "seed " << seed << ": " << seen.gaps[0].detail << " "
                                       << difference(truth, seen.addresses);
        ASSERT_EQ(seen.addresses, truth)
            << "seed " << seed << ": " << difference(truth, seen.addresses);
        const auto count = static_cast<std::size_t>(std::ranges::count(traced, true));
        in_parts += count > 20 && count < kSteps - 20 ? 1 : 0;
    }
    EXPECT_GT(in_parts, kSeeds / 4) << "most filters let nothing or all through";
}

/// Between losses, all that is told has happened and matched, in this order.
TEST_P(FilteredTrace, TellsNothingElseWhenMessagesAreLost) {
    std::size_t told = 0;
    unsigned lost = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        std::mt19937_64 random(seed);
        const FilteredRun run = random_run(random, seed);
        Ports ports;
        std::mt19937_64 losses(seed);
        ports.messages.full = ports.packets.full = [&losses] { return losses() % 20 == 0; };
        trace(run, random, ports);
        const ProgramImage image = image_of(run.code);
        ExecutedFlow seen(image);
        Flow flow(image);
        flow.add_sink(seen);
        decode(ports, flow);
        const std::vector<bool> traced = FilterModel(run.registers, run.steps).traced();
        std::size_t found = 0;
        for (const Address address : places(run.steps, traced)) {
            found += found < seen.addresses.size() && seen.addresses[found] == address ? 1 : 0;
        }
        ASSERT_EQ(found, seen.addresses.size()) << "seed " << seed << ": not a part of the truth";
        for (const FlowGap& gap : seen.gaps) {
            ASSERT_EQ(gap.reason, GapReason::EncoderLoss) << "seed " << seed << ": " << gap.detail;
        }
        told += found;
        lost += ports.messages.lost + ports.packets.lost;
    }
    EXPECT_GT(told, 5000U);
    EXPECT_GT(lost, 100U);
}

INSTANTIATE_TEST_SUITE_P(
    Protocols, FilteredTrace,
    ::testing::Values(Case{.mode = InstructionMode::Branches},
                      Case{.mode = InstructionMode::Branches, .options = {.repeats = true}},
                      Case{.mode = InstructionMode::History},
                      Case{.mode = InstructionMode::History,
                           .options = {.implicit_returns = true, .repeats = true}},
                      Case{.protocol = Protocol::ETrace},
                      Case{.protocol = Protocol::ETrace, .etrace = {.full_address = true}},
                      Case{.protocol = Protocol::ETrace, .etrace = {.implicit_return = true}}));

} // namespace
} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// Random walks through random programs: what the messages say is what was executed, in every mode
// and dialect, with traps, synchronising messages and losses at random places.
#include "hw/interface/maps/trace.h"
#include "hw/trace/program/program_tracer.h"
#include "tests/unit/trace/random_program.h"
#include "tests/unit/trace/recording_port.h"
#include "tests/unit/trace/reference_reader.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace pes::trace {
namespace {

using test::RandomProgram;
using test::RecordingPort;
using test::ReferenceReader;
using test::Step;

constexpr std::size_t kSteps = 4000;

struct Case {
    InstructionMode mode;
    TimestampDialect dialect;
    FlowOptions options{};
};

class RoundTrip : public ::testing::TestWithParam<Case> {
  protected:
    InstructionTraceSettings settings(std::mt19937_64& random) const {
        const std::uint64_t pick = random();
        InstructionTraceSettings settings{
            .mode = GetParam().mode, .options = GetParam().options, .dialect = GetParam().dialect};
        settings.events = (pick & 1) != 0 ? trace_map::event::kContext : 0;
        settings.sync_messages = (pick & 2) != 0 ? std::uint64_t{32} << (pick >> 8 & 3) : 0;
        settings.sync_units = (pick & 4) != 0 ? std::uint64_t{16} << (pick >> 16 & 7) : 0;
        return settings;
    }
    ReferenceReader::Returns returns() const {
        return GetParam().mode == InstructionMode::OptimisedHistory ||
                       GetParam().options.implicit_returns
                   ? ReferenceReader::Returns::Implicit
                   : ReferenceReader::Returns::Reported;
    }
};

std::vector<Address> executed(const std::vector<Step>& steps) {
    std::vector<Address> addresses;
    for (const Step& step : steps) {
        if (!step.trap) {
            addresses.push_back(step.retirement.pc);
        }
    }
    return addresses;
}

std::string what(std::uint64_t seed) {
    return "seed " + std::to_string(seed);
}

/// A message and what its code says it is about.
using Kind = std::pair<MessageCode, std::uint64_t>;

Kind kind_of(const TraceMessage& message) {
    return {message.code, message.value(Field::ResourceCode) + message.value(Field::SyncReason)};
}
constexpr auto number(SyncReason reason) {
    return static_cast<std::uint64_t>(reason);
}
constexpr auto number(Resource code) {
    return static_cast<std::uint64_t>(code);
}

bool repeats_histories(const Case& test) {
    return test.dialect == TimestampDialect::NTrace && test.mode != InstructionMode::Branches &&
           (test.options.repeats || test.mode == InstructionMode::OptimisedHistory);
}

/// What has to occur for the test to be worth something.
std::set<Kind> kinds_of(const Case& test) {
    using enum MessageCode;
    const std::uint64_t periodic = number(SyncReason::Periodic);
    std::set<Kind> kinds = {{Ownership, 0},
                            {ProgramTraceSync, number(SyncReason::TraceEnable)},
                            {ProgramTraceCorrelation, 0}};
    if (test.mode == InstructionMode::Branches) {
        kinds.insert({{DirectBranch, 0},
                      {IndirectBranch, 0},
                      {ProgramTraceSync, number(SyncReason::ExternalTrigger)},
                      {ProgramTraceSync, periodic},
                      {DirectBranchSync, periodic},
                      {IndirectBranchSync, periodic}});
        kinds.insert(test.dialect == TimestampDialect::NTrace
                         ? Kind{ResourceFull, number(Resource::InstructionCount)}
                         : Kind{ProgramTraceSync, number(SyncReason::InstructionCountOverflow)});
        if (test.options.repeats) {
            kinds.insert({RepeatBranch, 0});
        }
        return kinds;
    }
    kinds.insert({{ResourceFull, number(Resource::History)},
                  {IndirectBranchHistory, 0},
                  {IndirectBranchHistorySync, number(SyncReason::ExternalTrigger)},
                  {IndirectBranchHistorySync, periodic}});
    if (test.mode == InstructionMode::OptimisedHistory &&
        test.dialect == TimestampDialect::SiFive) {
        kinds.insert(
            {{ResourceFull, number(Resource::NotTaken)}, {ResourceFull, number(Resource::Taken)}});
    }
    if (repeats_histories(test)) {
        kinds.insert({ResourceFull, number(Resource::HistoryRepeat)});
    } else { // whose I-CNT may be longer than these programs go without a message
        kinds.insert({ResourceFull, number(Resource::InstructionCount)});
    }
    return kinds;
}

TEST_P(RoundTrip, GivesBackEveryInstruction) {
    std::set<Kind> seen;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 random(seed);
        RandomProgram program(seed);
        const std::vector<Step> steps = program.walk(kSteps);
        RecordingPort port;
        ProgramTracer tracer(port);
        tracer.configure(settings(random));
        tracer.start(SyncReason::TraceEnable, 0);
        for (const Step& step : steps) {
            step.tell(tracer);
            if (random() % 500 == 0) {
                tracer.synchronise(SyncReason::ExternalTrigger, step.cycle());
            }
        }
        tracer.stop(CorrelationEvent::TraceDisabled, steps.back().cycle() + 1);

        ReferenceReader reader(program.code(), returns());
        for (const TraceMessage& message : port.messages()) {
            reader.read(message);
            ASSERT_EQ(reader.mistake(), "") << what(seed);
            seen.insert(kind_of(message));
        }
        ASSERT_EQ(reader.take(), executed(steps)) << what(seed);
    }
    EXPECT_EQ(seen, kinds_of(GetParam()));
}

/// The instructions read from one synchronising message behind a loss to the next loss.
void expect_piece(const std::vector<Step>& steps, std::size_t first,
                  const std::vector<Address>& piece, const std::string& where) {
    std::size_t index = first;
    for (const Address pc : piece) {
        while (index < steps.size() && steps[index].trap) {
            ++index;
        }
        ASSERT_LT(index, steps.size()) << where;
        ASSERT_EQ(pc, steps[index].retirement.pc) << where << ", step " << index;
        ++index;
    }
}

/// A trace with losses of up to 40 messages in a row.
struct LossyTrace {
    std::vector<TraceMessage> messages;
    std::vector<std::size_t> sent_in; ///< for each message the step that it was sent in
    unsigned lost = 0;
};

LossyTrace trace_with_losses(const std::vector<Step>& steps,
                             const InstructionTraceSettings& settings, std::mt19937_64& random) {
    LossyTrace trace;
    RecordingPort port;
    unsigned losing = 0;
    port.full = [&] {
        if (losing == 0 && random() % 60 == 0) {
            losing = 1 + static_cast<unsigned>(random() % 40);
        }
        return losing != 0 && losing-- != 0;
    };
    ProgramTracer tracer(port);
    tracer.configure(settings);
    tracer.start(SyncReason::TraceEnable, 0);
    for (std::size_t index = 0; index < steps.size(); ++index) {
        steps[index].tell(tracer);
        trace.sent_in.resize(port.sent.size(), index);
    }
    port.full = nullptr;
    tracer.stop(CorrelationEvent::TraceDisabled, steps.back().cycle() + 1);
    trace.sent_in.resize(port.sent.size(), steps.size());
    trace.messages = port.messages();
    trace.lost = port.lost;
    return trace;
}

void expect_restart(const TraceMessage& message, const std::string& where) {
    EXPECT_EQ(message, make_message(MessageCode::ProgramTraceSync)
                           .set(Field::SyncReason, SyncReason::FifoOverrun)
                           .set(Field::Address, message.value(Field::Address)))
        << where;
}

/// Checks each piece between two losses; returns how many instructions came through.
std::size_t check_pieces(const LossyTrace& trace, const std::vector<Step>& steps,
                         ReferenceReader& reader, const std::string& where) {
    std::size_t first = 0;
    std::size_t came_through = 0;
    const auto end_piece = [&] {
        const std::vector<Address> piece = reader.take();
        expect_piece(steps, first, piece, where);
        came_through += piece.size();
    };
    for (std::size_t index = 0; index < trace.messages.size(); ++index) {
        const TraceMessage& message = trace.messages[index];
        if (message.code == MessageCode::Error) {
            end_piece();
            expect_restart(trace.messages.at(index + 1), where);
            first = trace.sent_in[index + 1];
        }
        reader.read(message);
        EXPECT_EQ(reader.mistake(), "") << where;
    }
    end_piece();
    return came_through;
}

TEST_P(RoundTrip, GivesBackWhatWasNotLost) {
    constexpr std::uint64_t kSeeds = 60;
    std::uint64_t lost = 0;
    std::uint64_t came_through = 0;
    for (std::uint64_t seed = 1000; seed < 1000 + kSeeds && !HasFailure(); ++seed) {
        std::mt19937_64 random(seed);
        RandomProgram program(seed);
        const std::vector<Step> steps = program.walk(kSteps);
        const LossyTrace trace = trace_with_losses(steps, settings(random), random);
        lost += trace.lost;
        ReferenceReader reader(program.code(), returns());
        came_through += check_pieces(trace, steps, reader, what(seed));
        const Step& last = steps.back();
        EXPECT_EQ(reader.pc(), trace.messages.back().code == MessageCode::ProgramTraceCorrelation
                                   ? last.trap ? last.taken.vector : last.retirement.next_pc
                                   : 0)
            << what(seed);
    }
    EXPECT_GT(lost, 1000U);
    EXPECT_GT(came_through, kSeeds * kSteps / 4) << "most of it should have come through";
}

TEST_P(RoundTrip, TheSameInputGivesTheSameMessages) {
    std::vector<TraceMessage> before;
    for (int time = 0; time < 2; ++time) {
        RandomProgram program(7);
        RecordingPort port;
        ProgramTracer tracer(port);
        tracer.configure({.mode = GetParam().mode, .sync_units = 256});
        tracer.start(SyncReason::TraceEnable, 0);
        for (const Step& step : program.walk(kSteps)) {
            step.tell(tracer);
        }
        if (time == 1) {
            EXPECT_EQ(port.messages(), before);
        }
        before = port.messages();
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, RoundTrip,
    ::testing::Values(Case{InstructionMode::Branches, TimestampDialect::SiFive},
                      Case{InstructionMode::Branches, TimestampDialect::NTrace},
                      Case{InstructionMode::History, TimestampDialect::SiFive},
                      Case{InstructionMode::History, TimestampDialect::NTrace},
                      Case{InstructionMode::OptimisedHistory, TimestampDialect::SiFive},
                      Case{InstructionMode::OptimisedHistory, TimestampDialect::NTrace},
                      Case{InstructionMode::Branches,
                           TimestampDialect::NTrace,
                           {.implicit_returns = true, .repeats = true}},
                      Case{InstructionMode::History, TimestampDialect::NTrace, {.repeats = true}}),
    [](const ::testing::TestParamInfo<Case>& info) {
        const char* const mode = info.param.mode == InstructionMode::Branches  ? "Branches"
                                 : info.param.mode == InstructionMode::History ? "History"
                                                                               : "Optimised";
        return std::string(mode) +
               (info.param.dialect == TimestampDialect::SiFive ? "SiFive" : "NTrace") +
               (info.param.options.repeats ? "Repeats" : "");
    });

} // namespace
} // namespace pes::trace

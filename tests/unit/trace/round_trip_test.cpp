// SPDX-License-Identifier: Apache-2.0
// Random walks through random programs: what the messages say is what was executed, in every mode
// and dialect, with traps, synchronising messages and losses at random places.
#include "hw/common/maps/trace.h"
#include "hw/trace/program_tracer.h"
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
};

class RoundTrip : public ::testing::TestWithParam<Case> {
  protected:
    InstructionTraceSettings settings(std::mt19937_64& random) const {
        const std::uint64_t pick = random();
        InstructionTraceSettings settings{.mode = GetParam().mode, .dialect = GetParam().dialect};
        settings.events = (pick & 1) != 0 ? trace_map::event::kContext : 0;
        settings.sync_messages = (pick & 2) != 0 ? std::uint64_t{32} << (pick >> 8 & 3) : 0;
        settings.sync_units = (pick & 4) != 0 ? std::uint64_t{16} << (pick >> 16 & 7) : 0;
        return settings;
    }
    ReferenceReader::Returns returns() const {
        return GetParam().mode == InstructionMode::OptimisedHistory
                   ? ReferenceReader::Returns::Implicit
                   : ReferenceReader::Returns::Reported;
    }
};

void feed(ProgramTracer& tracer, const Step& step) {
    if (step.trap) {
        tracer.trapped(step.taken);
    } else {
        tracer.retired(step.retirement);
    }
}

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
        return kinds;
    }
    kinds.insert({{ResourceFull, number(Resource::InstructionCount)},
                  {ResourceFull, number(Resource::History)},
                  {IndirectBranchHistory, 0},
                  {IndirectBranchHistorySync, number(SyncReason::ExternalTrigger)},
                  {IndirectBranchHistorySync, periodic}});
    if (test.mode == InstructionMode::OptimisedHistory &&
        test.dialect == TimestampDialect::SiFive) {
        kinds.insert(
            {{ResourceFull, number(Resource::NotTaken)}, {ResourceFull, number(Resource::Taken)}});
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
            feed(tracer, step);
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

TEST_P(RoundTrip, GivesBackWhatWasNotLost) {
    std::uint64_t lost = 0;
    std::uint64_t came_through = 0;
    for (std::uint64_t seed = 100; seed <= 160; ++seed) {
        std::mt19937_64 random(seed);
        RandomProgram program(seed);
        const std::vector<Step> steps = program.walk(kSteps);
        RecordingPort port;
        unsigned losing = 0;
        port.full = [&] {
            if (losing == 0 && random() % 60 == 0) {
                losing = 1 + static_cast<unsigned>(random() % 40);
            }
            return losing != 0 && losing-- != 0;
        };
        ProgramTracer tracer(port);
        tracer.configure(settings(random));
        tracer.start(SyncReason::TraceEnable, 0);
        std::vector<std::size_t> began; ///< for each message the step that it was sent in
        for (std::size_t index = 0; index < steps.size(); ++index) {
            feed(tracer, steps[index]);
            began.resize(port.sent.size(), index);
        }
        port.full = nullptr;
        tracer.stop(CorrelationEvent::TraceDisabled, steps.back().cycle() + 1);
        began.resize(port.sent.size(), steps.size());

        ReferenceReader reader(program.code(), returns());
        std::size_t first = 0;
        std::size_t read = 0;
        for (std::size_t index = 0; index < port.sent.size(); ++index) {
            const TraceMessage& message = port.sent[index].message;
            if (message.code == MessageCode::Error) {
                const std::vector<Address> piece = reader.take();
                expect_piece(steps, first, piece, what(seed));
                read += piece.size();
                const TraceMessage& resumed = port.sent.at(index + 1).message;
                ASSERT_EQ(resumed.code, MessageCode::ProgramTraceSync) << what(seed);
                ASSERT_EQ(resumed.value(Field::SyncReason),
                          static_cast<std::uint64_t>(SyncReason::FifoOverrun));
                ASSERT_EQ(resumed.value(Field::InstructionCount), 0U);
                first = began[index + 1];
            }
            reader.read(message);
            ASSERT_EQ(reader.mistake(), "") << what(seed);
        }
        const std::vector<Address> piece = reader.take();
        expect_piece(steps, first, piece, what(seed));
        read += piece.size();
        lost += port.lost;
        came_through += read;
        if (!piece.empty()) {
            EXPECT_EQ(reader.pc(), steps.back().trap ? steps.back().taken.vector
                                                     : steps.back().retirement.next_pc);
        }
    }
    EXPECT_GT(lost, 1000U);
    EXPECT_GT(came_through, 60 * kSteps / 4);
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
            feed(tracer, step);
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
                      Case{InstructionMode::OptimisedHistory, TimestampDialect::NTrace}),
    [](const ::testing::TestParamInfo<Case>& info) {
        const char* const mode = info.param.mode == InstructionMode::Branches  ? "Branches"
                                 : info.param.mode == InstructionMode::History ? "History"
                                                                               : "Optimised";
        return std::string(mode) +
               (info.param.dialect == TimestampDialect::SiFive ? "SiFive" : "NTrace");
    });

} // namespace
} // namespace pes::trace

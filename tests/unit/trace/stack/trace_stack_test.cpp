// SPDX-License-Identifier: Apache-2.0
// The whole way there and back: what random programs and random stores put into the encoders comes
// out of the decoder, for every mode, dialect, number of harts, with and without SRC, with room
// enough, through a buffer that wraps, with losses, and with a hart that is held.
#include "tests/unit/decoder/trace/code_image.h"
#include "tests/unit/trace/stack/decoded_stack.h"
#include "tests/unit/trace/stack/trace_stack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace pes::trace {
namespace {

using namespace test;

constexpr std::uint64_t kSeeds = 6;
constexpr std::size_t kTurns = 3000;

enum class Sources : std::uint8_t { Told, LeftOut };

using Parameters = std::tuple<InstructionMode, TimestampDialect, unsigned, Sources, Pressure>;

std::vector<TracedWrite> accepted_of(const Truth& truth) {
    std::vector<TracedWrite> writes;
    std::ranges::copy_if(truth.writes, std::back_inserter(writes), &TracedWrite::accepted);
    return writes;
}

/// What went in and what came out, of one hart.
struct Side {
    const TraceStack& stack;
    unsigned hart;
    const Truth& truth;
    const DecodedSource& found;
    const std::vector<DecodedRecord>& records;
    enum class Times : std::uint8_t {
        Known,
        Modulo, ///< the buffer wrapped: wraps of the counter before its beginning are not known
        Mixed,  ///< relative to those of another hart: without a meaning
    } times;

    /// As the counter of the timestamps says it.
    std::uint64_t ticks(std::uint64_t time) const { return time & stack.timestamps().mask(); }
    std::uint64_t at(Cycle cycle) const { return ticks(stack.time(cycle)); }
    bool not_before(std::uint64_t time, Cycle cycle) const {
        return times == Times::Modulo
                   ? ticks(time - stack.time(cycle)) <= stack.timestamps().mask() / 2
                   : time >= stack.time(cycle);
    }
};

void expect_write(const Side& side, const DecodedWrite& found, const TracedWrite& truth) {
    ASSERT_EQ(found.write, truth.write);
    if (side.times == Side::Times::Mixed) {
        return;
    }
    ASSERT_EQ(found.time.has_value(), found.absolutes != 0);
    if (found.time) { // ICT_WS takes a cycle of its own
        ASSERT_EQ(side.ticks(*found.time), side.at(truth.cycle + (found.introduced ? 1 : 0)));
    }
}

/// The youngest of what was accepted; all of it, unless the buffer wrapped.
void expect_writes(const Side& side, Pressure pressure) {
    const std::vector<TracedWrite> truth = accepted_of(side.truth);
    const std::vector<DecodedWrite>& found = side.found.writes;
    ASSERT_LE(found.size(), truth.size());
    if (pressure != Pressure::Wrap) {
        ASSERT_EQ(found.size(), truth.size());
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        expect_write(side, found[i], truth[truth.size() - found.size() + i]);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "write " << i;
    }
}

/// The instructions of a piece, each between the time of the runs told before it and its own. Where
/// a ResourceFull has a time, the lower bound may be late: I-CNT is ahead of what can be told.
void expect_steps(const Side& side, const std::vector<DecodedStep>& steps, std::size_t first) {
    FlowTime last; // the newest time of all runs before
    for (std::size_t i = 0; i < steps.size(); ++i) {
        ASSERT_LT(first + i, side.truth.flow.size());
        ASSERT_EQ(steps[i].address, side.truth.flow[first + i]) << "step " << first + i;
        const Cycle cycle = side.truth.cycles[first + i];
        if (steps[i].time) {
            ASSERT_TRUE(side.not_before(*steps[i].time, cycle))
                << "step " << first + i << " at " << cycle << ", told at " << *steps[i].time;
        }
        if (last && steps[i].time != last && !side.stack.traces_all_branch_times()) {
            ASSERT_FALSE(side.not_before(*last, cycle))
                << "step " << first + i << " at " << cycle << ", behind a run told at " << *last;
        }
        last = steps[i].time ? steps[i].time : last;
    }
}

void expect_flow(const Side& side) {
    const std::vector<TracedPiece>& truth = side.truth.pieces;
    const std::vector<DecodedPiece>& found = side.found.pieces;
    ASSERT_EQ(found.size(), truth.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].start.reason, truth[i].reason) << "piece " << i;
        expect_steps(side, found[i].steps, truth[i].first);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "piece " << i;
        ASSERT_GE(truth[i].first + found[i].steps.size(), truth[i].told) << "piece " << i;
        const std::size_t end = i + 1 < truth.size() ? truth[i + 1].first : side.truth.flow.size();
        ASSERT_LE(truth[i].first + found[i].steps.size(), end) << "piece " << i;
    }
    ASSERT_EQ(side.found.stops, side.truth.ended ? 1U : 0U);
    ASSERT_TRUE(truth.back().told == side.truth.flow.size() || !side.truth.ended);
    for (const FlowGap& gap : side.found.gaps) {
        ASSERT_EQ(gap.reason, GapReason::EncoderLoss) << gap.detail;
    }
}

/// Everything from the oldest address in the buffer on.
void expect_end_of_flow(const Side& side) {
    ASSERT_EQ(side.truth.pieces.size(), 1U);
    ASSERT_TRUE(side.found.gaps.empty())
        << side.found.gaps.front().offset << ' ' << side.found.gaps.front().detail;
    ASSERT_EQ(side.found.pieces.size(), side.found.first_place ? 1U : 0U);
    if (!side.found.first_place) {
        return;
    }
    const std::vector<DecodedStep>& steps = side.found.pieces.front().steps;
    ASSERT_LE(steps.size(), side.truth.flow.size());
    const std::size_t first = side.truth.flow.size() - steps.size();
    expect_steps(side, steps, first);
    ASSERT_GT(first, 0U);
    ASSERT_EQ(side.at(side.truth.cycles[first - 1]), *side.found.first_place);
}

/// Whether the decoder has to know this record: its header and all up to the write behind it, which
/// shows its end, arrived without a loss in between.
bool is_certain(const Side& side, const TracedRecord& record) {
    const std::vector<TracedWrite>& writes = side.truth.writes;
    if (record.last >= writes.size()) {
        return false;
    }
    const auto header = std::ranges::upper_bound(side.truth.headers, record.first);
    const unsigned stimulus = TraceStack::record_stimulus(side.hart);
    std::size_t behind = record.last + 1;
    while (behind < writes.size() && writes[behind].write.stimulus != stimulus) {
        ++behind;
    }
    std::size_t number = 0; // among all that were accepted
    const auto all =
        static_cast<std::size_t>(std::ranges::count_if(writes, &TracedWrite::accepted));
    const std::size_t missing = all - side.found.writes.size();
    std::optional<std::size_t> losses;
    for (std::size_t i = 0; i < std::min(behind + 1, writes.size()); ++i) {
        const bool counts = i >= *std::prev(header);
        if (!writes[i].accepted) {
            if (counts) {
                return false;
            }
            continue;
        }
        const std::size_t place = number++;
        if (!counts) {
            continue;
        }
        if (place < missing) {
            return false;
        }
        const std::size_t here = side.found.writes[place - missing].losses;
        if (losses.value_or(here) != here) {
            return false;
        }
        losses = here;
    }
    return behind < writes.size() || side.found.error_codes.size() == losses;
}

/// No record is invented; those that arrived whole are there.
void expect_records(const Side& side) {
    std::size_t next = 0;
    for (const TracedRecord& record : side.truth.records) {
        const bool there = next < side.records.size() &&
                           side.records[next].address == record.address &&
                           side.records[next].values == record.values;
        if (!there) {
            ASSERT_FALSE(is_certain(side, record)) << "record at write " << record.first;
            continue;
        }
        const std::optional<std::uint64_t> time = side.records[next].time;
        if (time && side.times != Side::Times::Mixed) {
            const Cycle cycle = side.truth.writes[record.first].cycle;
            ASSERT_LE(side.ticks(*time - side.stack.time(cycle)), 1U); // one if ICT_WS came first
        }
        ++next;
    }
    ASSERT_EQ(next, side.records.size()) << "a record that nobody wrote";
}

/// Losses are counted.
void expect_counts(const TraceStack& stack, unsigned hart, Pressure pressure) {
    const SenderCounts& counts = stack.counts(hart);
    std::uint64_t lost = 0;
    for (const TracedLoss& loss : stack.truth(hart).losses) {
        lost += loss.messages;
    }
    ASSERT_EQ(counts.lost, lost);
    ASSERT_EQ(counts.overflows, stack.truth(hart).losses.size());
    ASSERT_TRUE(pressure == Pressure::Overflow || lost == 0);
    ASSERT_TRUE(pressure == Pressure::Stall || counts.stalls == 0);
}

/// And they are told in the stream, in the dialect that has codes for it with what was lost.
std::vector<std::uint64_t> error_codes_of(const TraceStack& stack, unsigned hart) {
    std::vector<std::uint64_t> codes;
    for (const TracedLoss& loss : stack.truth(hart).losses) {
        const bool told = stack.timestamps().dialect == TimestampDialect::NTrace;
        codes.push_back(told ? loss.kinds : 0);
    }
    return codes;
}

/// Of a stream of several harts without SRC: the messages of one, by the stimuli that it uses.
DecodedSource share_of(const DecodedSource& all, unsigned hart) {
    DecodedSource share;
    share.error_codes = all.error_codes;
    std::ranges::copy_if(
        all.writes, std::back_inserter(share.writes),
        [hart](const DecodedWrite& found) { return found.write.stimulus / 16 == hart; });
    return share;
}

/// Absolute times need no other message to be understood.
void expect_absolute_times(const TraceStack& stack, unsigned harts, const DecodedSource& found) {
    const std::uint64_t mask = stack.timestamps().mask();
    std::set<std::uint64_t> times;
    for (unsigned hart = 0; hart < harts; ++hart) {
        const Truth& truth = stack.truth(hart);
        times.insert(stack.time(truth.stopped) & mask);
        for (const Cycle cycle : truth.cycles) {
            times.insert(stack.time(cycle) & mask);
        }
        for (const TracedWrite& write : truth.writes) {
            times.insert(stack.time(write.cycle) & mask);
            times.insert(stack.time(write.cycle + 1) & mask); // behind an ICT_WS
        }
    }
    for (const std::uint64_t time : found.absolute_times) {
        ASSERT_TRUE(times.contains(time)) << time;
    }
}

class TraceStackTest : public ::testing::TestWithParam<Parameters> {
  protected:
    InstructionMode mode() const { return std::get<0>(GetParam()); }
    unsigned harts() const { return std::get<2>(GetParam()); }
    Sources sources() const { return std::get<3>(GetParam()); }
    Pressure pressure() const { return std::get<4>(GetParam()); }
    StackConfig config(std::uint64_t seed) const {
        return {.mode = mode(),
                .dialect = std::get<1>(GetParam()),
                .harts = harts(),
                .sources = sources() == Sources::Told,
                .pressure = pressure(),
                .seed = seed};
    }
    DecodedStack decode(TraceStack& stack) const {
        DecoderOptions options{.source_bits = stack.source_bits(),
                               .timestamps = stack.timestamps(),
                               .start = stack.wrapped() ? StreamStart::InMessage
                                                        : StreamStart::AtMessage,
                               .record_stimuli = {}};
        for (unsigned hart = 0; hart < harts(); ++hart) {
            options.record_stimuli.push_back(TraceStack::record_stimulus(hart));
        }
        return decode_stack(stack.bytes(), image_of(stack.code()), options);
    }
    void expect_hart(const TraceStack& stack, DecodedStack& decoded, unsigned hart) const {
        const Side side{stack,
                        hart,
                        stack.truth(hart),
                        decoded.sources[stack.source(hart)],
                        decoded.records[TraceStack::record_stimulus(hart)],
                        pressure() == Pressure::Wrap ? Side::Times::Modulo : Side::Times::Known};
        expect_writes(side, pressure());
        expect_records(side);
        expect_counts(stack, hart, pressure());
        ASSERT_EQ(side.found.error_codes, error_codes_of(stack, hart));
        expect_absolute_times(stack, harts(), side.found);
        if (pressure() == Pressure::Wrap) {
            expect_end_of_flow(side);
        } else {
            expect_flow(side);
            ASSERT_EQ(side.found.messages, stack.counts(hart).messages);
        }
    }
};

class MixedStackTest : public TraceStackTest {};

TEST_P(TraceStackTest, GivesBackWhatWentIn) {
    std::uint64_t lost = 0;
    std::uint64_t stalls = 0;
    std::size_t records = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        TraceStack stack(config(seed));
        stack.run(kTurns);
        DecodedStack decoded = decode(stack);
        ASSERT_EQ(stack.wrapped(), pressure() == Pressure::Wrap);
        ASSERT_EQ(decoded.impossible_runs, 0U);
        for (unsigned hart = 0; hart < harts(); ++hart) {
            SCOPED_TRACE("hart " + std::to_string(hart));
            expect_hart(stack, decoded, hart);
            ASSERT_FALSE(HasFatalFailure());
            lost += stack.counts(hart).lost;
            stalls += stack.counts(hart).stalls;
            records += decoded.records[TraceStack::record_stimulus(hart)].size();
        }
        if (pressure() != Pressure::Wrap) {
            ASSERT_EQ(decoded.quality.damages() + decoded.quality.truncated_bytes, 0U);
            ASSERT_EQ(decoded.quality.doubtful + decoded.quality.untimed, 0U);
            ASSERT_EQ(decoded.unplaced_messages, 0U);
        }
    }
    EXPECT_EQ(lost != 0, pressure() == Pressure::Overflow);
    EXPECT_EQ(stalls != 0, pressure() == Pressure::Stall);
    EXPECT_GT(records, 10U);
}

/// Two harts in one stream without SRC. Whose a message is cannot be told, so relative times,
/// relative addresses and the flow are lost. What does not lean on other messages is still there:
/// each message, the writes in the order of each hart, records if the harts have stimuli of their
/// own for them, absolute times, the number of losses. Where the flow makes no sense, that is told.
TEST_P(MixedStackTest, GivesBackWhatNeedsNoSource) {
    std::size_t disagreements = 0;
    std::size_t records = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        TraceStack stack(config(seed));
        stack.run(kTurns);
        DecodedStack decoded = decode(stack);
        DecodedSource& all = decoded.sources[0];
        ASSERT_EQ(decoded.sources.size(), 1U);
        ASSERT_EQ(decoded.impossible_runs, 0U);
        std::vector<std::uint64_t> codes;
        std::uint64_t messages = 0;
        for (unsigned hart = 0; hart < harts(); ++hart) {
            SCOPED_TRACE("hart " + std::to_string(hart));
            const DecodedSource share = share_of(all, hart);
            const std::vector<DecodedRecord>& found =
                decoded.records[TraceStack::record_stimulus(hart)];
            const Side side{stack, hart, stack.truth(hart), share, found, Side::Times::Mixed};
            expect_writes(side, pressure());
            expect_records(side);
            expect_counts(stack, hart, pressure());
            ASSERT_FALSE(HasFatalFailure());
            std::ranges::copy(error_codes_of(stack, hart), std::back_inserter(codes));
            messages += stack.counts(hart).messages;
            records += found.size();
        }
        std::ranges::sort(codes);
        std::ranges::sort(all.error_codes);
        ASSERT_EQ(all.error_codes, codes);
        expect_absolute_times(stack, harts(), all);
        if (pressure() != Pressure::Wrap) {
            ASSERT_EQ(all.messages, messages);
            ASSERT_EQ(decoded.quality.damages() + decoded.quality.truncated_bytes, 0U);
        }
        disagreements +=
            static_cast<std::size_t>(std::ranges::count_if(all.gaps, [](const FlowGap& gap) {
                return gap.reason == GapReason::Contradiction ||
                       gap.reason == GapReason::OutsideProgram;
            }));
    }
    EXPECT_GT(disagreements, 5U);
    EXPECT_GT(records, 10U);
}

constexpr InstructionMode kModes[] = {InstructionMode::Branches, InstructionMode::History,
                                      InstructionMode::OptimisedHistory};

std::string name_of(const ::testing::TestParamInfo<Parameters>& info) {
    const auto [mode, dialect, harts, sources, pressure] = info.param;
    constexpr const char* kPressures[] = {"Plain", "Wrap", "Overflow", "Stall"};
    const char* const trace = mode == InstructionMode::Branches  ? "Branches"
                              : mode == InstructionMode::History ? "History"
                                                                 : "Optimised";
    return std::string(trace) + (dialect == TimestampDialect::SiFive ? "SiFive" : "NTrace") +
           (sources == Sources::Told ? "Sources" : "NoSources") +
           kPressures[static_cast<unsigned>(pressure)];
}

const auto kDialects = ::testing::Values(TimestampDialect::SiFive, TimestampDialect::NTrace);
const auto kPressures =
    ::testing::Values(Pressure::Plain, Pressure::Wrap, Pressure::Overflow, Pressure::Stall);

INSTANTIATE_TEST_SUITE_P(OneHart, TraceStackTest,
                         ::testing::Combine(::testing::ValuesIn(kModes), kDialects,
                                            ::testing::Values(1U),
                                            ::testing::Values(Sources::Told, Sources::LeftOut),
                                            kPressures),
                         name_of);
INSTANTIATE_TEST_SUITE_P(TwoHarts, TraceStackTest,
                         ::testing::Combine(::testing::ValuesIn(kModes), kDialects,
                                            ::testing::Values(2U), ::testing::Values(Sources::Told),
                                            kPressures),
                         name_of);
INSTANTIATE_TEST_SUITE_P(TwoHarts, MixedStackTest,
                         ::testing::Combine(::testing::ValuesIn(kModes), kDialects,
                                            ::testing::Values(2U),
                                            ::testing::Values(Sources::LeftOut), kPressures),
                         name_of);

} // namespace
} // namespace pes::trace

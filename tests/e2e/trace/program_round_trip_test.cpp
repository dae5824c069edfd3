// SPDX-License-Identifier: Apache-2.0
// Program trace of whole runs, there and back: what the decoder makes of the file that pes-vp
// wrote, beside what the commit stage's waveform of the same run shows. Without a loss it is all of
// it. With FIFOs that overflow, each stretch that is told ran in that place and at that time, what
// is missing lies in the gaps that are reported, and losses are as many as the run report counts.
#include "decoder/trace/trace_settings.h"
#include "firmware/apps/trace/stimuli.h"
#include "platform/program/elf_code.h"
#include "tests/e2e/trace/commit_wave_reader.h"
#include "tests/e2e/trace/console_lines.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/trace/stack/decoded_stack.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace pes::trace {
namespace {

using namespace test;
using pes::test::CommitStep;
using pes::test::run_command;

constexpr std::uint64_t kPeriodPicoseconds = 20'000; // 50 MHz
constexpr int kMaxCyclesExit = 124;

/// trace.latency: a store commits so many cycles before it arrives at the encoder.
constexpr Cycle kStoreLatency = 4;
/// ... and longer behind writes that wait for memory: three cycles for each of two, one more if the
/// word is sent again.
constexpr Cycle kStoresBefore = 7;

enum class Mode : std::uint8_t { Branches, History };
constexpr const char* kModeOptions[] = {"btm", "htm"}; ///< of --trace-program
enum class Stimuli : std::uint8_t { None, Known };     ///< Known: firmware/apps/trace/stimuli.h

struct Program {
    const char* name;
    unsigned harts;
    std::uint64_t most_cycles; ///< 0: it ends by itself
    Stimuli stimuli;
    /// trace.probe_divider by mode, with which a small FIFO loses some messages, not all.
    std::array<unsigned, 2> slow_dividers;
};
void PrintTo(const Program& program, std::ostream* out) {
    *out << program.name;
}
constexpr Program kPrograms[] = {{"trace_stimuli_1", 1, 0, Stimuli::Known, {4, 24}},
                                 {"trace_stimuli_2", 2, 0, Stimuli::Known, {2, 12}},
                                 {"harts_memory_2", 2, 150'000, Stimuli::None, {4, 24}},
                                 {"workload", 1, 152'000, Stimuli::None, {4, 24}}};

enum class Room : std::uint8_t { Enough, TooLittle };

using Parameters = std::tuple<Program, Mode, TimestampDialect, Room>;

struct TrueWrite {
    StimulusWrite write;
    Cycle cycle = 0;
};

/// Cycles in which the trace does not say what ran, both included.
struct Gap {
    Cycle from = 0;
    Cycle to = 0;
};

struct TracedRun {
    int exit_code = -1;
    std::string problem;
    std::map<unsigned, std::vector<CommitStep>> commits; ///< by hart
    pes::test::ConsoleLines console;
    nlohmann::json report; ///< "trace" of --stats
    DecodedStack decoded;
};

TracedRun run_traced(const Program& program, const std::string& options) {
    const pes::test::TemporaryDirectory directory;
    const auto path = [&](const char* name) { return (directory / name).string(); };
    const std::string elf = std::string(PES_FIRMWARE_DIR "/") + program.name + ".elf";
    std::string command = PES_VP " run " + elf + " --console " + path("console") + " --trace " +
                          path("t.rtd") + " --vcd " + path("wave.vcd") +
                          " --vcd-groups commit --stats " + path("stats.json") + options;
    if (program.harts > 1) {
        command += " --set harts=" + std::to_string(program.harts);
    }
    if (program.most_cycles != 0) {
        command += " --max-cycles " + std::to_string(program.most_cycles);
    }
    const pes::test::CommandResult simulated = run_command(command);
    TracedRun run;
    run.exit_code = simulated.exit_code;
    if (simulated.exit_code != (program.most_cycles != 0 ? kMaxCyclesExit : 0)) {
        run.problem = command + ": " + simulated.err;
        return run;
    }
    run.console = pes::test::read_console_lines(pes::test::read_file(directory / "console"));
    run.report = nlohmann::json::parse(pes::test::read_file(directory / "stats.json")).at("trace");
    const VcdFile wave = VcdFile::read(directory / "wave.vcd", kPeriodPicoseconds);
    for (unsigned hart = 0; hart < program.harts; ++hart) {
        run.commits[hart] = pes::test::read_commits(wave, "hart" + std::to_string(hart));
    }
    ProgramImage image;
    add_program_code(image, elf);
    const TraceEncoding encoding = resolve({}, read_side_file(path("t.rtd")));
    run.decoded = decode_stack(pes::test::read_file(directory / "t.rtd"), image,
                               {.source_bits = encoding.source_bits,
                                .timestamps = encoding.timestamps,
                                .start = encoding.start,
                                .record_stimuli = {demo::kRecordStimulus}});
    return run;
}

/// Its address is inverted, and the programs lie in the lower half of the addresses.
bool is_trap(const DecodedStep& told) {
    return told.address >> 63 != 0;
}

bool is_step(const DecodedStep& told, const CommitStep& step) {
    const bool trap = step.kind == CommitStep::Kind::Trap;
    if (!step.address) { // a trap into another mode: only that there was one
        return is_trap(told);
    }
    return told.address == (trap ? ~*step.address : *step.address);
}

/// The instruction flow of one hart beside its commits.
class FlowCheck {
  public:
    FlowCheck(const std::vector<CommitStep>& commits, const DecodedSource& found, Mode mode,
              Stimuli stimuli)
        : commits_(commits), found_(found), mode_(mode),
          late_(kStoreLatency + 1 + (stimuli == Stimuli::Known ? kStoresBefore : 0)) {}

    /// All that is told has its place, from the first instruction of the run to the last.
    void expect_places() {
        ASSERT_FALSE(found_.pieces.empty());
        for (const DecodedPiece& piece : found_.pieces) {
            SCOPED_TRACE("piece " + std::to_string(ends_.size()));
            const std::optional<std::size_t> first = place_of(piece);
            ASSERT_TRUE(first) << std::hex << "nothing of that kind ran at " << piece.start.address;
            if (!ends_.empty()) {
                gaps_.push_back({cycle_before(ends_.back()), *piece.start.time});
            } else {
                ASSERT_EQ(*first, 0U);
            }
            ends_.push_back(*first + piece.steps.size());
            expect_times(piece, *first);
            ASSERT_FALSE(::testing::Test::HasFatalFailure());
        }
        ASSERT_EQ(ends_.back(), commits_.size()) << "the end is missing";
        ASSERT_EQ(found_.stops, 1U);
    }

    /// Each gap is reported, where the stretch before it ends.
    void expect_gaps_told() const {
        ASSERT_EQ(found_.gaps.size() + 1, found_.pieces.size());
        for (std::size_t i = 0; i < found_.gaps.size(); ++i) {
            const FlowGap& told = found_.gaps[i];
            ASSERT_EQ(told.reason, GapReason::EncoderLoss) << told.detail;
            if (told.address && ends_[i] < commits_.size()) {
                ASSERT_EQ(told.address, commits_[ends_[i]].address) << "gap " << i;
            }
        }
    }

    const std::vector<Gap>& gaps() const { return gaps_; }
    std::size_t instructions() const {
        std::size_t sum = 0;
        for (const DecodedPiece& piece : found_.pieces) {
            sum += piece.steps.size();
        }
        return sum;
    }

  private:
    /// No step is later than told. A message of branch trace has the cycle of the last step that it
    /// tells of; one of history trace may come when the next branch finds no room in HIST. The
    /// first step that breaks this, if `piece` begins at commit `first`.
    std::optional<std::size_t> wrong_time(const DecodedPiece& piece, std::size_t first) const {
        for (std::size_t i = 0; i < piece.steps.size(); ++i) {
            const FlowTime told = piece.steps[i].time;
            const Cycle cycle = commits_[first + i].cycle;
            // The first message does not say whether it is one of branch or of history trace, so
            // that what is behind its first branch waits for the next one.
            const bool last_of_message = mode_ == Mode::Branches && i + 1 < piece.steps.size() &&
                                         piece.steps[i + 1].time != told &&
                                         told != piece.steps.front().time;
            if (!told || *told < cycle || (last_of_message && *told > cycle + late_)) {
                return i;
            }
        }
        return std::nullopt;
    }

    void expect_times(const DecodedPiece& piece, std::size_t first) const {
        const std::optional<std::size_t> wrong = wrong_time(piece, first);
        ASSERT_FALSE(wrong) << "step " << *wrong << " of cycle " << commits_[first + *wrong].cycle
                            << " is told at " << piece.steps[*wrong].time.value_or(0);
    }

    Cycle cycle_before(std::size_t step) const { return step == 0 ? 0 : commits_[step - 1].cycle; }

    /// A start has the cycle of the instruction in front of which the place is told, or of the one
    /// behind which it is; or that of a store that is on its way to the encoder, in front of which
    /// there may be the time, in a cycle of its own.
    bool is_place(const FlowStart& start, std::size_t step) const {
        const Cycle time = start.time.value();
        const auto follows = [this, time](Cycle cycle) {
            return time >= cycle && time <= cycle + late_;
        };
        if (step == commits_.size()) { // the run ended, and nothing else tells what would be next
            return time >= cycle_before(step);
        }
        return commits_[step].address == start.address &&
               (follows(cycle_before(step)) || follows(commits_[step].cycle));
    }

    /// Rounds of a short loop look alike, and a start may belong to two of them: the times of its
    /// steps decide, then where the gap behind it is told to begin. Without a place for which both
    /// are right, the first whose times are, or the first one.
    std::optional<std::size_t> place_of(const DecodedPiece& piece) const {
        std::optional<std::size_t> place;
        std::optional<std::size_t> on_time;
        const std::size_t from = ends_.empty() ? 0 : ends_.back();
        for (std::size_t first = from; first + piece.steps.size() <= commits_.size(); ++first) {
            const auto begin = commits_.begin() + static_cast<std::ptrdiff_t>(first);
            if (!is_place(piece.start, first) ||
                !std::equal(piece.steps.begin(), piece.steps.end(), begin, is_step)) {
                continue;
            }
            if (!wrong_time(piece, first)) {
                if (begins_next_gap(first + piece.steps.size())) {
                    return first;
                }
                on_time = on_time.value_or(first);
            }
            place = place.value_or(first);
        }
        return on_time ? on_time : place;
    }

    /// Whether the gap behind the piece in hand may begin with this step.
    bool begins_next_gap(std::size_t step) const {
        const std::size_t gap = ends_.size();
        return gap >= found_.gaps.size() || !found_.gaps[gap].address || step >= commits_.size() ||
               commits_[step].address == found_.gaps[gap].address;
    }

    const std::vector<CommitStep>& commits_;
    const DecodedSource& found_;
    Mode mode_;
    Cycle late_; ///< a message comes at most so long behind the commit that it tells of
    std::vector<std::size_t> ends_; ///< of the pieces, in commits_
    std::vector<Gap> gaps_;
};

/// Collects stores.
struct WriteList {
    std::vector<TrueWrite>& to;
    unsigned stimulus;
    void word(std::uint32_t value) { to.push_back({{stimulus, 4, value}}); }
    void half(std::uint16_t value) { to.push_back({{stimulus, 2, value}}); }
    void byte(std::uint8_t value) { to.push_back({{stimulus, 1, value}}); }
};

std::vector<demo::Reading> readings_of(const TracedRun& run, unsigned hart) {
    std::vector<demo::Reading> readings;
    for (const std::vector<std::uint64_t>& line : run.console.at("record" + std::to_string(hart))) {
        readings.push_back({line.at(0), line.at(1)});
    }
    return readings;
}

/// What trace_stimuli stores, and the cycles in which it does.
std::vector<TrueWrite> writes_of(const TracedRun& run, unsigned hart) {
    std::vector<TrueWrite> writes;
    WriteList records{writes, demo::kRecordStimulus};
    WriteList values{writes, demo::kValueStimulus};
    const std::uint64_t place = run.console.at("place")[0].at(0);
    const std::vector<demo::Reading> readings = readings_of(run, hart);
    for (unsigned round = 0; round < demo::kRounds; ++round) {
        for (unsigned step = 0; step < demo::kSteps; ++step) {
            demo::send_step(values, hart, round, step);
        }
        demo::send_header(records);
        for (unsigned i = 0; i < demo::kRecordsOfRound; ++i) {
            demo::send_record(records, place, readings.at(round * demo::kRecordsOfRound + i));
        }
    }
    const std::vector<std::uint64_t>& stores = run.console.at("stores")[0]; // 4, 2, 1 bytes
    std::size_t next = 0;
    for (const CommitStep& step : run.commits.at(hart)) {
        const auto store = std::find(stores.begin(), stores.end(), step.address);
        if (store != stores.end() && step.kind == CommitStep::Kind::Instruction) {
            EXPECT_EQ(4U >> (store - stores.begin()), writes.at(next).write.bytes);
            writes.at(next++).cycle = step.cycle;
        }
    }
    EXPECT_EQ(next, writes.size());
    return writes;
}

/// Those that arrived are in order, with their values and cycles; the others lie in gaps.
void expect_writes(const std::vector<TrueWrite>& truth, const DecodedSource& found,
                   const std::vector<Gap>& gaps) {
    std::size_t next = 0;
    for (const TrueWrite& write : truth) {
        const DecodedWrite* told = next < found.writes.size() ? &found.writes[next] : nullptr;
        const Cycle cycle =
            write.cycle + kStoreLatency + (told != nullptr && told->introduced ? 1 : 0);
        const Cycle arrived = told != nullptr ? told->time.value_or(cycle) : 0;
        if (told != nullptr && told->write == write.write && arrived >= cycle &&
            arrived <= cycle + kStoresBefore) {
            ++next;
            continue;
        }
        const bool in_gap = std::ranges::any_of(gaps, [&write](const Gap& gap) {
            return gap.from <= write.cycle && write.cycle <= gap.to;
        });
        ASSERT_TRUE(in_gap) << "the store of " << write.write.value << " at " << write.cycle;
    }
    ASSERT_EQ(next, found.writes.size()) << "a store that nobody did";
}

/// Returns how many arrived.
std::size_t expect_records(const TracedRun& run, unsigned hart) {
    const std::uint64_t place = run.console.at("place")[0].at(0);
    std::vector<DecodedRecord> found;
    if (run.decoded.records.contains(demo::kRecordStimulus)) {
        std::ranges::copy_if(run.decoded.records.at(demo::kRecordStimulus),
                             std::back_inserter(found),
                             [hart](const DecodedRecord& each) { return each.source == hart; });
    }
    std::size_t next = 0;
    for (const demo::Reading& reading : readings_of(run, hart)) {
        const std::vector<std::uint64_t> values{reading.cycles, reading.instructions};
        if (next < found.size() && found[next].values == values) {
            EXPECT_EQ(found[next++].address, place);
        }
    }
    EXPECT_EQ(next, found.size()) << "a record that nobody wrote";
    return found.size();
}

class ProgramRoundTrip : public ::testing::TestWithParam<Parameters> {
  protected:
    const Program& program() const { return std::get<0>(GetParam()); }
    TimestampDialect dialect() const { return std::get<2>(GetParam()); }
    bool lossy() const { return std::get<3>(GetParam()) == Room::TooLittle; }

    std::string options() const {
        const auto mode = static_cast<std::size_t>(std::get<1>(GetParam()));
        std::string text = std::string(" --trace-program ") + kModeOptions[mode];
        text += dialect() == TimestampDialect::NTrace ? " --set trace.timestamps=n-trace" : "";
        if (lossy()) {
            text += " --trace-stall off --set trace.fifo_bytes=128 --set trace.probe_divider=" +
                    std::to_string(program().slow_dividers.at(mode));
        }
        return text;
    }

    /// What the run report says of a hart's encoder. An overflow costs, besides stores, the message
    /// of program trace that found no room and the one that would have ended it.
    void expect_report(const TracedRun& run, unsigned hart, std::size_t lost_stores) const {
        const nlohmann::json& encoder = run.report.at("encoders").at(hart);
        const DecodedSource& found = run.decoded.sources.at(static_cast<std::uint16_t>(hart));
        const std::size_t overflows = found.error_codes.size();
        EXPECT_EQ(encoder.at("messages"), found.messages);
        EXPECT_EQ(encoder.at("overflows"), overflows);
        EXPECT_EQ(overflows != 0, lossy());
        EXPECT_GE(encoder.at("lost"), std::max(lost_stores, overflows));
        EXPECT_LE(encoder.at("lost"), lost_stores + 2 * overflows);
        for (const std::uint64_t code : found.error_codes) { // n-trace says what was lost
            EXPECT_EQ(code != 0, dialect() == TimestampDialect::NTrace);
        }
    }

    /// Returns how many stores are lost.
    std::size_t expect_stimuli(const TracedRun& run, unsigned hart,
                               const std::vector<Gap>& gaps) const {
        const DecodedSource& found = run.decoded.sources.at(static_cast<std::uint16_t>(hart));
        const std::vector<TrueWrite> truth = writes_of(run, hart);
        expect_writes(truth, found, gaps);
        EXPECT_EQ(found.writes.size() == truth.size(), !lossy());
        EXPECT_GT(found.writes.size(), 0U);
        const std::size_t records = expect_records(run, hart);
        EXPECT_EQ(records == demo::kRecords, !lossy()) << records;
        EXPECT_GT(records, 0U);
        return truth.size() - found.writes.size();
    }
};

TEST_P(ProgramRoundTrip, TellsWhatTheHartDid) {
    const TracedRun run = run_traced(program(), options());
    ASSERT_EQ(run.problem, "");
    ASSERT_EQ(run.decoded.quality.damages() + run.decoded.quality.truncated_bytes, 0U);
    ASSERT_EQ(run.decoded.quality.doubtful, 0U);
    ASSERT_EQ(run.decoded.impossible_runs, 0U);
    ASSERT_EQ(run.decoded.sources.size(), program().harts);
    for (unsigned hart = 0; hart < program().harts; ++hart) {
        SCOPED_TRACE("hart " + std::to_string(hart));
        const std::vector<CommitStep>& commits = run.commits.at(hart);
        const DecodedSource& found = run.decoded.sources.at(static_cast<std::uint16_t>(hart));
        FlowCheck flow(commits, found, std::get<1>(GetParam()), program().stimuli);
        flow.expect_places();
        ASSERT_FALSE(HasFatalFailure());
        flow.expect_gaps_told();
        EXPECT_EQ(flow.instructions() < commits.size(), lossy());
        EXPECT_GT(flow.instructions(), 0U);
        const bool known = program().stimuli == Stimuli::Known;
        expect_report(run, hart, known ? expect_stimuli(run, hart, flow.gaps()) : 0);
    }
}

/// Without program trace only stores can be lost, so the report must count exactly those that do
/// not arrive.
TEST(StimuliAlone, LostStoresAreThoseThatTheReportCounts) {
    const TracedRun run = run_traced(kPrograms[0], " --trace-program none --trace-stall off"
                                                   " --set trace.fifo_bytes=128"
                                                   " --set trace.probe_divider=60");
    ASSERT_EQ(run.problem, "");
    const nlohmann::json& encoder = run.report.at("encoders").at(0);
    const std::vector<TrueWrite> truth = writes_of(run, 0);
    const DecodedSource& found = run.decoded.sources.at(0);
    EXPECT_GT(encoder.at("lost"), 0U);
    EXPECT_EQ(encoder.at("lost"), truth.size() - found.writes.size());
    EXPECT_EQ(encoder.at("overflows"), found.error_codes.size());
    expect_writes(truth, found, {{0, run.commits.at(0).back().cycle}});
}

std::string name_of(const ::testing::TestParamInfo<Parameters>& info) {
    const auto& [program, mode, dialect, room] = info.param;
    return std::string(program.name) + "_" + kModeOptions[static_cast<std::size_t>(mode)] +
           (dialect == TimestampDialect::SiFive ? "_sifive" : "_ntrace") +
           (room == Room::Enough ? "_whole" : "_overflow");
}

INSTANTIATE_TEST_SUITE_P(, ProgramRoundTrip,
                         ::testing::Combine(::testing::ValuesIn(kPrograms),
                                            ::testing::Values(Mode::Branches, Mode::History),
                                            ::testing::Values(TimestampDialect::SiFive,
                                                              TimestampDialect::NTrace),
                                            ::testing::Values(Room::Enough, Room::TooLittle)),
                         name_of);

} // namespace
} // namespace pes::trace

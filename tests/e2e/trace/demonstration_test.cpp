// SPDX-License-Identifier: Apache-2.0
// The demonstrations of the trace performance library: the records in the trace are the counters as
// the program itself read them at that moment, the calls are those of the source text, and timer
// records come at the interval.
#include "tests/e2e/trace/demonstration.h"
#include "tests/unit/common/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace pes::test {
namespace {

using perf_record::CountType;
using perf_record::RecordKind;
using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;

constexpr unsigned kTimestamp = 1;
constexpr unsigned kCycleBits = 64;
constexpr unsigned kTimestampBits = 40;
constexpr Definition kCyclesDefined{.counter = 0, .type = 0, .code = 1, .csr = 0xC00, .bits = 64};
constexpr Definition kTimestampDefined{
    .counter = 1, .type = 0, .code = 0x80, .csr = 0, .bits = kTimestampBits};
constexpr Definition kInstructionsDefined{
    .counter = 2, .type = 0, .code = 2, .csr = 0xC02, .bits = kCycleBits};

std::string name_of(CountType type) {
    constexpr const char* kNames[] = {"RAW", "Delta", "DeltaXOR"};
    return kNames[static_cast<unsigned>(type)];
}

std::vector<std::uint64_t> column(const std::vector<std::vector<std::uint64_t>>& lines,
                                  std::size_t index) {
    std::vector<std::uint64_t> values;
    values.reserve(lines.size());
    for (const std::vector<std::uint64_t>& line : lines) {
        values.push_back(line.at(index));
    }
    return values;
}

class Demonstrations : public testing::TestWithParam<Variant> {
  protected:
    /// Empty `printed` after a failure, which it has reported.
    static Demonstration run(const std::string& way, const DemonstrationRun& how) {
        DemonstrationRun run = how;
        run.program = way + GetParam().suffix();
        run.settings += GetParam().standard ? " --set trace.registers=standard" : "";
        Demonstration result = run_demonstration(run);
        EXPECT_EQ(result.exit_code, 0) << run.program << ": " << result.problem;
        EXPECT_EQ(result.count_type, name_of(GetParam().type));
        return result;
    }
    static void expect_equal(const DecodedTrace& trace, unsigned counter, const Demonstration& from,
                             const std::string& base, const std::string& each, std::size_t place) {
        EXPECT_EQ(trace.values_of(counter, GetParam().type, from.printed.at(base)[0].at(place)),
                  column(from.printed.at(each), place))
            << "counter " << counter;
    }
};

INSTANTIATE_TEST_SUITE_P(, Demonstrations, testing::ValuesIn(kVariants),
                         [](const auto& info) { return info.param.name(); });

TEST_P(Demonstrations, ManualRecordsAreTheCountersThatTheProgramRead) {
    const Demonstration result = run("trace_manual", {.program = "", .trace = "trace_manual.rtd"});
    ASSERT_EQ(result.exit_code, 0);
    const DecodedTrace& trace = result.harts.at(0);
    EXPECT_EQ(trace.mask, 0x3FU);
    EXPECT_THAT(
        trace.definitions,
        ElementsAre(kCyclesDefined, kTimestampDefined, kInstructionsDefined,
                    Definition{.counter = 3, .type = 2, .event_data = 5, .csr = 0xC03, .bits = 64},
                    Definition{.counter = 4, .type = 0, .code = 6, .csr = 0xC04, .bits = 64},
                    Definition{.counter = 5, .type = 1, .code = 2, .csr = 0xC05, .bits = 64}));
    ASSERT_EQ(trace.records.size(), 12U);
    std::size_t place = 0;
    for (const unsigned counter : {0, 2, 3, 4, 5}) {
        expect_equal(trace, counter, result, "base", "record", place++);
    }
    for (const DecodedRecord& record : trace.records) {
        EXPECT_THAT(record.function, testing::HasSubstr("collect"));
    }
}

TEST_P(Demonstrations, TimestampOfARecordIsThatOfItsMessages) {
    const Demonstration result = run("trace_manual", {.program = "", .trace = "trace_manual.rtd"});
    ASSERT_EQ(result.exit_code, 0);
    const DecodedTrace& trace = result.harts.at(0);
    // The time that deltas start from is not in the trace: the first record stands for it.
    const DecodedRecord& first = trace.records.front();
    const bool delta = GetParam().type == CountType::Delta;
    const std::uint64_t base = delta ? first.ticks - first.values.at(kTimestamp) : 0;
    const std::vector<std::uint64_t> times = trace.values_of(kTimestamp, GetParam().type, base);
    // Read before the first store, which comes within a few hundred cycles.
    constexpr std::uint64_t kDistance = 500;
    for (std::size_t i = 0; i < times.size(); ++i) {
        EXPECT_LE(times[i], trace.records[i].ticks + (delta ? kDistance : 0));
        EXPECT_GE(times[i] + kDistance, trace.records[i].ticks);
    }
}

TEST_P(Demonstrations, TimerRecordsComeAtTheInterval) {
    const Demonstration result = run("trace_timer", {.program = "", .trace = "trace_timer.rtd"});
    ASSERT_EQ(result.exit_code, 0);
    const DecodedTrace& trace = result.harts.at(0);
    EXPECT_THAT(trace.definitions,
                ElementsAre(kCyclesDefined, kTimestampDefined, kInstructionsDefined));
    const std::uint64_t interval = result.printed.at("interval")[0].at(0);
    EXPECT_EQ(interval, 7500U); // 150 us at 50 MHz
    ASSERT_THAT(trace.records.size(), AllOf(Ge(19U), Le(21U)));
    // The handler's first run finds cold caches. Afterwards an interrupt waits for the instruction
    // in hand, at most a division.
    constexpr std::uint64_t kColdLatency = 500;
    constexpr std::uint64_t kLatency = 100;
    const std::uint64_t grid = trace.records[1].ticks;
    EXPECT_THAT(grid - trace.records[0].ticks,
                AllOf(Ge(interval - kColdLatency), Le(interval + kColdLatency)));
    for (std::size_t i = 1; i < trace.records.size(); ++i) {
        const std::uint64_t due = grid + (i - 1) * interval;
        EXPECT_THAT(trace.records[i].ticks, AllOf(Ge(due - kLatency), Le(due + kLatency)));
        EXPECT_THAT(trace.records[i].function,
                    AnyOf(testing::HasSubstr("scramble"), testing::HasSubstr("divide"),
                          testing::HasSubstr("compute")));
    }
    const auto& first = result.printed.at("first")[0];
    const auto& last = result.printed.at("last")[0];
    for (const unsigned place : {0U, 1U}) {
        std::vector<std::uint64_t> values =
            trace.values_of(2 * place, GetParam().type, first.at(place));
        EXPECT_GT(values.front(), first.at(place));
        EXPECT_LT(values.back(), last.at(place));
        EXPECT_TRUE(std::ranges::is_sorted(values));
    }
}

TEST_P(Demonstrations, TimerRecordsAreTheCountersThatTheHandlerRead) {
    const Demonstration result =
        run("trace_timer_handler", {.program = "", .trace = "trace_timer.rtd"});
    ASSERT_EQ(result.exit_code, 0);
    const DecodedTrace& trace = result.harts.at(0);
    ASSERT_GE(trace.records.size(), 19U);
    expect_equal(trace, 0, result, "first", "record", 0);
    expect_equal(trace, 2, result, "first", "record", 1);
}

struct Call {
    unsigned depth = 0;
    std::string function;
    std::uint64_t additions = 0; ///< floating-point, in it and below it

    bool operator==(const Call&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Call& call) {
    return out << std::string(std::size_t{2} * call.depth, ' ') << call.function << ' '
               << call.additions;
}

/// The calls of firmware/apps/trace/functions_calls.cpp, in the order of their begin.
class ExpectedCalls {
  public:
    std::vector<Call> list;

    void call_tree() {
        enter(0, "call_tree", 17);
        leaf(1, 2);
        middle(1);
        middle(2);
        fibonacci(1, 4);
    }

  private:
    void enter(unsigned depth, const char* function, std::uint64_t additions) {
        list.push_back({depth, function, additions});
    }
    void leaf(unsigned depth, std::uint64_t additions) { enter(depth, "leaf", additions); }
    void middle(unsigned times) {
        enter(1, "middle", 5 * std::uint64_t{times});
        for (unsigned i = 0; i < times; ++i) {
            leaf(2, 5);
        }
    }
    void fibonacci(unsigned depth, unsigned n) {
        enter(depth, "fibonacci", 0);
        if (n >= 2) {
            fibonacci(depth + 1, n - 1);
            fibonacci(depth + 1, n - 2);
        }
    }
};

/// The calls that the records tell of. Every exit must be that of the function entered last.
std::vector<Call> calls_of(const DecodedTrace& trace, const std::vector<std::uint64_t>& additions) {
    std::vector<Call> calls;
    struct Open {
        std::size_t call;
        const DecodedRecord* enter;
    };
    std::vector<Open> open;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const DecodedRecord& record = trace.records[i];
        if (record.kind == RecordKind::FunctionEnter) {
            open.push_back({calls.size(), &record});
            calls.push_back(
                {static_cast<unsigned>(open.size() - 1), record.function, additions[i]});
            continue;
        }
        if (open.empty()) {
            ADD_FAILURE() << "an exit without an enter";
            return calls;
        }
        const Open& last = open.back();
        EXPECT_EQ(record.address, last.enter->address);
        EXPECT_EQ(record.call_site, last.enter->call_site);
        EXPECT_EQ(record.function,
                  open.size() > 1 ? calls[open[open.size() - 2].call].function : "main");
        calls[last.call].additions = additions[i] - calls[last.call].additions;
        open.pop_back();
    }
    EXPECT_TRUE(open.empty());
    return calls;
}

TEST_P(Demonstrations, FunctionRecordsAreTheExactCallTreeWithItsCounts) {
    const Demonstration result =
        run("trace_functions", {.program = "", .trace = "trace_functions.rtd"});
    ASSERT_EQ(result.exit_code, 0);
    const DecodedTrace& trace = result.harts.at(0);
    EXPECT_THAT(
        trace.definitions,
        ElementsAre(
            kTimestampDefined,
            Definition{.counter = 3, .type = 2, .event_data = 21, .csr = 0xC03, .bits = 64}));
    const std::vector<std::uint64_t> additions =
        trace.values_of(3, GetParam().type, result.printed.at("first")[0].at(0));
    ExpectedCalls expected;
    expected.call_tree();
    EXPECT_EQ(calls_of(trace, additions), expected.list);
    EXPECT_EQ(additions.back(), result.printed.at("last")[0].at(0));
}

class HartDemonstrations : public Demonstrations {
  protected:
    static void expect_hart(const Demonstration& result, unsigned hart) {
        const DecodedTrace& trace = result.harts.at(hart);
        const std::string number = std::to_string(hart);
        const unsigned second = hart % 2 == 0 ? 2 : 3; // instructions, loads
        EXPECT_EQ(trace.mask, 1U | 1U << second);
        EXPECT_EQ(trace.records.size(), 16U);
        expect_equal(trace, 0, result, "base" + number, "hart" + number, 0);
        expect_equal(trace, second, result, "base" + number, "hart" + number, 1);
    }
};

INSTANTIATE_TEST_SUITE_P(, HartDemonstrations, testing::ValuesIn(kVariants),
                         [](const auto& info) { return info.param.name(); });

TEST_P(HartDemonstrations, TwoHartsRecordTheirOwnCountersThroughOneFunnel) {
    const Demonstration result = run(
        "trace_harts", {.program = "", .trace = "trace_harts.rtd", .settings = " --set harts=2"});
    ASSERT_EQ(result.exit_code, 0);
    ASSERT_EQ(result.harts.size(), 2U);
    expect_hart(result, 0);
    expect_hart(result, 1);
}

/// With the standard registers both funnels send to one RAM sink, which both files are of.
TEST_P(HartDemonstrations, FourHartsRecordThroughTwoFunnels) {
    const std::array<std::string, 2> files{"trace_harts.rtd", "trace_harts_1.rtd"};
    for (unsigned funnel = 0; funnel < files.size(); ++funnel) {
        const Demonstration result =
            run("trace_four_harts", {.program = "",
                                     .trace = files.at(funnel),
                                     .settings = " --set harts=4 --set trace.funnel.count=2"});
        ASSERT_EQ(result.exit_code, 0);
        ASSERT_EQ(result.harts.size(), GetParam().standard ? 4U : 2U);
        expect_hart(result, 2 * funnel);
        expect_hart(result, 2 * funnel + 1);
    }
}

TEST(FullBuffer, ProgramLearnsThatARecordIsLost) {
    constexpr int kRecordExit = 14; // perfWriteCntrs returned 1
    EXPECT_EQ(run_demonstration({.program = "trace_manual_full_0", .trace = ""}).exit_code,
              kRecordExit);
    EXPECT_EQ(run_demonstration({.program = "trace_manual_full_1",
                                 .trace = "",
                                 .settings = " --set trace.funnel.count=1"})
                  .exit_code,
              kRecordExit);
}

TEST(CircularBuffer, HoldsTheYoungestRecords) {
    const Demonstration result = run_demonstration(
        {.program = "trace_manual_circular", .trace = "trace_manual.rtd", .flaws = Flaws::Allowed});
    ASSERT_EQ(result.exit_code, 0) << result.problem;
    const DecodedTrace& trace = result.harts.at(0);
    const auto& printed = result.printed.at("record");
    ASSERT_THAT(trace.records.size(), AllOf(Ge(3U), testing::Lt(printed.size())));
    const std::vector<std::vector<std::uint64_t>> youngest(
        printed.end() - static_cast<std::ptrdiff_t>(trace.records.size()), printed.end());
    std::size_t place = 0;
    for (const unsigned counter : {0, 2, 3, 4, 5}) {
        EXPECT_EQ(trace.values_of(counter, CountType::Raw, 0), column(youngest, place++))
            << "counter " << counter;
    }
    // The time at the start of the trace is overwritten; the program has it sent again and again.
    constexpr std::uint64_t kDistance = 500;
    for (const DecodedRecord& record : trace.records) {
        EXPECT_LE(record.values.at(kTimestamp), record.ticks);
        EXPECT_GE(record.values.at(kTimestamp) + kDistance, record.ticks);
    }
}

/// perfWriteTrace leaves beside the trace what --wrapped says of traces without such a file. Where
/// the oldest byte lies in its message is chance, so the test takes more and more of them away.
TEST(CircularBuffer, DecoderKnowsThatItHasWrapped) {
    const TemporaryDirectory directory;
    const CommandResult simulated =
        run_command(PES_VP " run " PES_FIRMWARE_DIR "/trace_manual_circular.elf --guest-files " +
                    directory.path().string());
    ASSERT_EQ(simulated.exit_code, 0) << simulated.err;
    constexpr std::size_t kLongest = 8; // bytes of a message here
    const std::string bytes = read_file(directory / "trace_manual.rtd");
    const std::string text = read_file(directory / "trace_manual.rtd.toml");
    const std::size_t checksum = text.find("crc32 = "); // of the whole trace only
    ASSERT_NE(checksum, std::string::npos);
    directory.write("told.rtd.toml",
                    text.substr(0, checksum) + text.substr(text.find('\n', checksum) + 1));
    const auto messages = [&](const std::string& file_and_options) {
        return run_command(PES_DECODE " trace " + (directory / file_and_options).string() +
                           " --messages -")
            .out;
    };
    unsigned complaints = 0;
    for (std::size_t taken = 0; taken < kLongest; ++taken) {
        directory.write("told.rtd", bytes.substr(taken));
        directory.write("alone.rtd", bytes.substr(taken));
        const std::string told = messages("told.rtd");
        EXPECT_THAT(told, testing::StartsWith("Msg # 1, ")) << taken;
        EXPECT_EQ(told, messages("alone.rtd --wrapped --elf " PES_FIRMWARE_DIR
                                 "/trace_manual_circular.elf"))
            << taken;
        complaints += messages("alone.rtd").starts_with("# at 0x0, ") ? 1 : 0;
    }
    EXPECT_GE(complaints, kLongest / 2) << "of those that do not know";
}

TEST(MissingFunnel, ProgramLearnsThatTheEncoderHasNoSinkOfItsOwn) {
    constexpr int kCollectionExit = 12; // perfManualInit returned 1
    EXPECT_EQ(run_demonstration({.program = "trace_manual_raw_sram",
                                 .trace = "",
                                 .settings = " --set trace.funnel.count=1"})
                  .exit_code,
              kCollectionExit);
}

} // namespace
} // namespace pes::test

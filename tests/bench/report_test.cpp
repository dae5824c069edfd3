// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/report.h"
#include "tests/bench/work.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace pes::bench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// QEMU at 2500 MIPS, the fast path at `fast`, the stepping path at `step`.
Results results(double fast, double step) {
    Results results;
    results.machine = "A machine";
    results.runs = 3;
    results.empty_milliseconds = 9.9;
    results.programs = {{.bar = {"int_mix", 1.0 / 25},
                         .fast = {.instructions = 200,
                                  .cycles = 300,
                                  .samples = 7,
                                  .mips = fast,
                                  .counting_mips = fast,
                                  .sampling_cost = 9.9,
                                  .peak_mebibytes = 30},
                         .step = {.instructions = 200,
                                  .cycles = 300,
                                  .samples = 7,
                                  .mips = step,
                                  .counting_mips = step,
                                  .sampling_cost = 12.5,
                                  .peak_mebibytes = 201},
                         .qemu_mips = 2500,
                         .rtl_megacycles = {},
                         .lockstep_megacycles = {}}};
    return results;
}

/// Of 100 MIPS, an idle encoder takes `idle`, records of six counters take `records` percent and
/// those of one counter half of that.
TraceResults trace(double idle, double records, double branch_mips) {
    return {.programs = {{.name = "int_mix",
                          .no_blocks_mips = 100,
                          .idle_mips = 100 - idle,
                          .timer_mips = 50,
                          .records = {{6, 21000, 10123.4, 50 - records / 2},
                                      {1, 21100, 10100, 50 - records / 4}},
                          .branch_mips = branch_mips,
                          .branch_bits = 3.791,
                          .history_mips = 15,
                          .history_bits = 1.09}},
            .records_megabytes = 100,
            .flow_megainstructions = 19.9};
}

TEST(BenchReport, AValueAtItsBarPasses) {
    const std::string table = text_table(results(100, 25));
    EXPECT_THAT(table, AllOf(HasSubstr("QEMU/25.0 (1/25 pass)"), HasSubstr("fast/4.0 (1/12 pass)"),
                             HasSubstr("9.9 % (<10 % pass)"), HasSubstr("9.9 (<10 pass)")));
}

TEST(BenchReport, CountersInRtlHaveRowsIfTheyWereMeasured) {
    Results measured = results(100, 25);
    EXPECT_THAT(text_table(measured), Not(HasSubstr("Mcycle/s")));
    measured.programs[0].rtl_megacycles = 3.0;
    measured.programs[0].lockstep_megacycles = 1.9;
    EXPECT_THAT(text_table(measured),
                AllOf(HasSubstr("3.0 Mcycle/s (3 pass)"), HasSubstr("1.9 Mcycle/s (2 MISS)")));
    EXPECT_EQ(nlohmann::json::parse(json(measured))["programs"][0]["lockstep_megacycles"], 1.9);
}

TEST(BenchReport, AValueBeyondItsBarIsAMiss) {
    const std::string table = text_table(results(99, 8));
    EXPECT_THAT(table, AllOf(HasSubstr("QEMU/25.3 (1/25 MISS)"), HasSubstr("fast/12.4 (1/12 MISS)"),
                             HasSubstr("12.5 % (<10 % MISS)"), HasSubstr("201 (<200 MISS)")));
}

TEST(BenchReport, WithoutQemuThereIsNoRatioToIt) {
    Results alone = results(100, 25);
    alone.programs[0].qemu_mips.reset();
    EXPECT_THAT(text_table(alone), Not(HasSubstr("QEMU/")));
    EXPECT_FALSE(nlohmann::json::parse(json(alone))["programs"][0].contains("qemu_mips"));
}

TEST(BenchReport, JsonHoldsTheRatiosThatTheTableShows) {
    const auto document = nlohmann::json::parse(json(results(50, 25)));
    EXPECT_EQ(document["programs"][0]["program"], "int_mix");
    EXPECT_DOUBLE_EQ(document["programs"][0]["fast_of_qemu"], 0.02);
    EXPECT_DOUBLE_EQ(document["programs"][0]["step_of_fast"], 0.5);
    EXPECT_EQ(document["programs"][0]["fast"]["samples"], 7);
}

TEST(BenchReport, OnlyTheResultsOfAPageAreReplaced) {
    const std::string page = "before\n<!-- results: written by pes-bench --markdown -->\nold\n"
                             "<!-- end of results -->\nafter\n";
    const std::string once = with_results(page, results(100, 25));
    EXPECT_THAT(once, AllOf(testing::StartsWith("before\n"), testing::EndsWith("after\n"),
                            HasSubstr("| int_mix | fast | 200 | 1.500 |"),
                            HasSubstr("| decoder | history trace |"), Not(HasSubstr("old"))));
    EXPECT_EQ(with_results(once, results(100, 25)), once);
    EXPECT_THROW(with_results("no marks\n", results(100, 25)), std::runtime_error);
}

TEST(BenchReport, TraceIsJudgedByWhatItTakesOfTheSpeedWithoutIt) {
    Results measured = results(100, 25);
    measured.trace = trace(1.5, 4.5, 10);
    EXPECT_THAT(text_table(measured),
                AllOf(HasSubstr("1.5 % (<2 % pass)"), HasSubstr("4.5 % (<5 % pass)"),
                      HasSubstr("10.0 MIPS (10 pass)"), HasSubstr("3.79 bits an instruction"),
                      HasSubstr("21000 records, 10123 instructions apart"),
                      HasSubstr("records of 6 counters"), HasSubstr("records of 1 counter ")));
    measured.trace = trace(2.5, 6, 9.9);
    EXPECT_THAT(text_table(measured),
                AllOf(HasSubstr("2.5 % (<2 % MISS)"), HasSubstr("6.0 % (<5 % MISS)"),
                      HasSubstr("3.0 % (<5 % pass)"), HasSubstr("9.9 MIPS (10 MISS)")));
}

TEST(BenchReport, DecoderSpeedsAreInTheReport) {
    Results measured = results(100, 25);
    measured.trace = trace(0, 0, 10);
    EXPECT_THAT(text_table(measured), AllOf(HasSubstr("100.0 MB/s (100 pass)"),
                                            HasSubstr("19.9 Minstruction/s (20 MISS)")));
    const auto decoder = nlohmann::json::parse(json(measured))["trace"]["decoder"];
    EXPECT_EQ(decoder["records_megabytes"], 100);
    EXPECT_EQ(decoder["flow_megainstructions"], 19.9);
}

TEST(BenchReport, WorkIsJudgedByWhatComesOnTop) {
    const Table table = work_table({{"int_mix", "records of 1 counter", 100, 104.9, 5},
                                    {"int_mix", "records of 6 counters", 100, 105.1, 5},
                                    {"int_mix", "encoder idle", 100.01, 100, 2}});
    EXPECT_THAT(text(table),
                AllOf(HasSubstr("104.9                      100.0    4.9 % (<5 % pass)"),
                      HasSubstr("5.1 % (<5 % MISS)"), HasSubstr(" 0.0 % (<2 % pass)")));
}

TEST(BenchReport, HostInstructionsAreTheTotalsOfCallgrind) {
    EXPECT_EQ(host_instructions("events: Ir\nfn=(1)\n1 2\n\ntotals: 1653871703\n"), 1653871703u);
    EXPECT_THROW(host_instructions("events: Ir\n"), std::runtime_error);
}

TEST(BenchReport, JsonHoldsTheCostsOfTraceInPercent) {
    Results measured = results(100, 25);
    measured.trace = trace(1.5, 4, 10);
    const auto program = nlohmann::json::parse(json(measured))["trace"]["programs"][0];
    EXPECT_NEAR(program["idle_cost_percent"], 1.5, 1e-9);
    EXPECT_NEAR(program["records"][0]["cost_percent"], 4, 1e-9);
    EXPECT_EQ(program["records"][1]["counters"], 1);
}

} // namespace
} // namespace pes::bench

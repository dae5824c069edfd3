// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/report.h"

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
    results.empty_milliseconds = 49.9;
    results.programs = {{.bar = kPrograms[0],
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

TEST(BenchReport, AValueAtItsBarPasses) {
    const std::string table = text_table(results(100, 25));
    EXPECT_THAT(table, AllOf(HasSubstr("QEMU/25.0 (1/25 pass)"), HasSubstr("fast/4.0 (1/4 pass)"),
                             HasSubstr("9.9 % (<10 % pass)"), HasSubstr("49.9 (<50 pass)")));
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
    const std::string table = text_table(results(99, 24));
    EXPECT_THAT(table, AllOf(HasSubstr("QEMU/25.3 (1/25 MISS)"), HasSubstr("fast/4.1 (1/4 MISS)"),
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
                            HasSubstr("| int_mix | fast | 200 | 1.500 |"), Not(HasSubstr("old"))));
    EXPECT_EQ(with_results(once, results(100, 25)), once);
    EXPECT_THROW(with_results("no marks\n", results(100, 25)), std::runtime_error);
}

} // namespace
} // namespace pes::bench

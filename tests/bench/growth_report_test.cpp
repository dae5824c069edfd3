// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/growth_report.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>

namespace pes::bench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A million instructions at 4 ns, then at 6, then at 12.2.
GrowthTable growing(Neighbour neighbour) {
    return {"harts",
            neighbour,
            {{.variant = "1 hart", .instructions = 1'000'000, .seconds = 4e-3},
             {.variant = "2 harts", .instructions = 1'000'000, .traps = 2000, .seconds = 6e-3},
             {.variant = "4 harts", .instructions = 1'000'000, .seconds = 12.2e-3}}};
}

GrowthResults results(GrowthTable table) {
    return {"A machine", 2, {std::move(table)}};
}

TEST(GrowthReport, ARowIsPutBesideTheOneBeforeIt) {
    EXPECT_THAT(text(growth_table(results(growing(Neighbour::Before)))),
                AllOf(HasSubstr("1 hart   1000000       250.0  4.00"), HasSubstr("1.50 (<2 pass)"),
                      HasSubstr("2.03 (<2 MISS)")));
}

TEST(GrowthReport, OrBesideTheFirst) {
    EXPECT_THAT(text(growth_table(results(growing(Neighbour::First)))),
                AllOf(HasSubstr("1.50 (<2 pass)"), HasSubstr("3.05 (<2 MISS)")));
}

TEST(GrowthReport, TheFirstRowHasNoNeighbour) {
    const Table table = growth_table(results(growing(Neighbour::Before)));
    EXPECT_EQ(table.rows[0][5], "");
    EXPECT_EQ(growing(Neighbour::Before).factor(0), 0);
}

TEST(GrowthReport, ATrapCostsWhatIsBeyondTheInstructions) {
    EXPECT_NEAR(growing(Neighbour::Before).nanoseconds_a_trap(1), 1000, 1e-6);
    EXPECT_EQ(growing(Neighbour::Before).nanoseconds_a_trap(2), 0);
}

TEST(GrowthReport, TrapsOfTheFirstRowAreNotCounted) {
    GrowthTable table = growing(Neighbour::Before);
    table.rows[0].traps = 1000;
    EXPECT_EQ(table.traps(0), 0u);
    EXPECT_EQ(table.traps(1), 1000u);
    EXPECT_EQ(table.traps(2), 0u);
    EXPECT_NEAR(table.nanoseconds_a_trap(1), 2000, 1e-6);
    table.rows[0].traps = 1001;
    EXPECT_EQ(table.nanoseconds_a_trap(1), 0); // of few
}

TEST(GrowthReport, ABarOfSpeedIsThatOfTheFirstRow) {
    GrowthTable table = growing(Neighbour::Before);
    table.rows[1].speed_bar = 60;
    table.rows[2].speed_bar = 80;
    EXPECT_THAT(text(growth_table(results(table))),
                AllOf(HasSubstr("66.7 % (60 pass)"), HasSubstr("32.8 % (80 MISS)")));
}

TEST(GrowthReport, JsonHoldsWhatTheTableShows) {
    const auto rows = nlohmann::json::parse(
        growth_json(results(growing(Neighbour::Before))))["series"][0]["rows"];
    EXPECT_FALSE(rows[0].contains("factor"));
    EXPECT_NEAR(rows[1]["factor"], 1.5, 1e-9);
    EXPECT_NEAR(rows[2]["nanoseconds"], 12.2, 1e-9);
    EXPECT_EQ(rows[1]["traps"], 2000);
}

TEST(GrowthReport, ThePageSaysHowItWasMeasured) {
    EXPECT_THAT(growth_markdown(results(growing(Neighbour::Before))),
                AllOf(testing::StartsWith("Machine: A machine. Best of 2 runs"),
                      HasSubstr("| harts | 4 harts | 1000000 |"),
                      Not(HasSubstr(" MISS) | 100 |"))));
}

TEST(GrowthSeries, HaveNamesOfTheirOwnAndANeighbourForEachRow) {
    const ScratchDirectory scratch;
    std::set<std::string> names;
    for (const GrowthSeries& series : growth_series(scratch)) {
        EXPECT_TRUE(names.insert(series.name).second) << series.name;
        EXPECT_GE(series.variants.size(), 2u) << series.name;
    }
}

} // namespace
} // namespace pes::bench

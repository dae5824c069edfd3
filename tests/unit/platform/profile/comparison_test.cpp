// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes {

static bool operator==(const ComparedRow& one, const ComparedRow& other) {
    return one.name == other.name && one.file == other.file && one.before == other.before &&
           one.now == other.now;
}

namespace {

using testing::UnorderedElementsAre;

using OfFunctions = std::vector<RunCosts::OfFunction>;
using OfLines = std::vector<RunCosts::OfLine>;

std::vector<ComparedRow> functions(OfFunctions before, OfFunctions now) {
    return compare_runs({.functions = std::move(before)}, {.functions = std::move(now)}).functions;
}

std::vector<ComparedRow> lines(const RunCosts& before, const RunCosts& now) {
    return compare_runs(before, now).lines;
}

TEST(Comparison, MatchesFunctionsOfAnotherFolder) {
    EXPECT_THAT(functions({{"sort", "/a/one/sort.c", 10}, {"sort", "/a/one/sort.c", 2}},
                          {{"sort", "/b/two/sort.c", 7}}),
                UnorderedElementsAre(ComparedRow{"sort", "/b/two/sort.c", 12, 7}));
}

TEST(Comparison, MatchesTheOnlyFunctionOfANameInARenamedFile) {
    EXPECT_THAT(functions({{"sort", "/a/sort.c", 10}}, {{"sort", "/a/quick.c", 7}}),
                UnorderedElementsAre(ComparedRow{"sort", "/a/quick.c", 10, 7}));
}

TEST(Comparison, TellsFunctionsOfEqualNameApartByTheEndOfThePath) {
    EXPECT_THAT(functions({{"init", "/a/net/main.c", 1}, {"init", "/a/disk/main.c", 2}},
                          {{"init", "/b/disk/main.c", 4}, {"init", "/b/net/main.c", 8}}),
                UnorderedElementsAre(ComparedRow{"init", "/b/net/main.c", 1, 8},
                                     ComparedRow{"init", "/b/disk/main.c", 2, 4}));
}

TEST(Comparison, GivesTheLongestEndItsPartnerFirst) {
    EXPECT_THAT(functions({{"init", "/a/list.c", 1}, {"init", "/a/lib/list.c", 2}},
                          {{"init", "/b/list.c", 4}, {"init", "/b/lib/list.c", 8}}),
                UnorderedElementsAre(ComparedRow{"init", "/b/list.c", 1, 4},
                                     ComparedRow{"init", "/b/lib/list.c", 2, 8}));
}

TEST(Comparison, NeverAddsUpWhatCouldBeOneOfSeveral) {
    EXPECT_THAT(functions({{"init", "/a/x/main.c", 1}, {"init", "/a/y/main.c", 2}},
                          {{"init", "/b/p/main.c", 4}, {"init", "/b/q/main.c", 8}}),
                UnorderedElementsAre(ComparedRow{"init", "/a/x/main.c", 1, 0},
                                     ComparedRow{"init", "/a/y/main.c", 2, 0},
                                     ComparedRow{"init", "/b/p/main.c", 0, 4},
                                     ComparedRow{"init", "/b/q/main.c", 0, 8}));
    EXPECT_THAT(functions({{"init", "one.c", 1}}, {{"init", "two.c", 2}, {"init", "three.c", 4}}),
                UnorderedElementsAre(ComparedRow{"init", "one.c", 1, 0},
                                     ComparedRow{"init", "two.c", 0, 2},
                                     ComparedRow{"init", "three.c", 0, 4}));
}

TEST(Comparison, KnowsARenamedFileByItsOtherFunctions) {
    EXPECT_THAT(functions({{"init", "one.c", 1}, {"init", "two.c", 2}, {"first", "one.c", 1}},
                          {{"init", "new.c", 4}, {"init", "two.c", 8}, {"first", "new.c", 1}}),
                UnorderedElementsAre(ComparedRow{"init", "new.c", 1, 4},
                                     ComparedRow{"init", "two.c", 2, 8},
                                     ComparedRow{"first", "new.c", 1, 1}));
}

TEST(Comparison, MatchesLinesByTextOrElseByNumber) {
    const OfLines old{{"/a/sort.c", 3, "x++;", 5}, {"/a/sort.c", 4, "y++;", 1}};
    EXPECT_THAT(lines({.lines = old}, {.lines = {{"/b/sort.c", 9, "x++;", 6}}}),
                UnorderedElementsAre(ComparedRow{"x++;", "/b/sort.c", 5, 6},
                                     ComparedRow{"y++;", "/b/sort.c", 1, 0}));
    EXPECT_THAT(lines({.lines = old}, {.lines = {{"/b/sort.c", 3, "", 6}}}),
                UnorderedElementsAre(ComparedRow{"line 3", "/b/sort.c", 5, 6},
                                     ComparedRow{"line 4", "/b/sort.c", 1, 0}));
}

TEST(Comparison, MatchesLinesOfARenamedFileByItsFunctions) {
    EXPECT_THAT(lines({.functions = {{"sort", "sort.c", 5}}, .lines = {{"sort.c", 3, "", 5}}},
                      {.functions = {{"sort", "quick.c", 4}}, .lines = {{"quick.c", 3, "", 4}}}),
                UnorderedElementsAre(ComparedRow{"line 3", "quick.c", 5, 4}));
}

TEST(Comparison, PutsTheLargestChangeFirst) {
    const auto rows =
        functions({{"a", "", 10}, {"b", "", 50}, {"idle", "", 0}}, {{"a", "", 12}, {"c", "", 5}});
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].name, "b");
    EXPECT_EQ(rows[1].name, "c");
    EXPECT_EQ(rows[2].name, "a");
}

TEST(Comparison, PutsTheHottestFirstIfNothingHasChanged) {
    const auto rows = functions({{"a", "", 10}, {"b", "", 50}}, {{"a", "", 10}, {"b", "", 50}});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].name, "b");
}

TEST(Comparison, TurnsRatiosRound) {
    EXPECT_EQ(speed_text(233'000, 1'000), "233 times faster");
    EXPECT_EQ(speed_text(1'000, 2'500), "2.50 times slower");
    EXPECT_EQ(speed_text(1'004, 1'000), "1.004 times faster");
    EXPECT_EQ(speed_text(7, 7), "as fast");
    EXPECT_EQ(speed_text(4'000'008, 4'000'041), "as fast");
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Metrics beside values that are calculated by hand from the formulas of the RISC-V performance
// events specification.
#include "platform/profile/metrics.h"
#include "platform/profile/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

namespace pes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// 1000 cycles of a hart that retires 400 instructions; every reason but `interrupt` and `device`.
RunFacts small_run() {
    return {.cycles = 1000,
            .instructions = 400,
            .reasons = {{"base", 450},
                        {"unit", 100},
                        {"dependency", 60.5},
                        {"l1d_miss", 119.5},
                        {"mispredict", 70},
                        {"flush", 30},
                        {"l1i_miss", 20},
                        {"itlb", 5},
                        {"dtlb", 10},
                        {"store_buffer", 35},
                        {"idle", 100}},
            .frontend_waits = 50,
            .events = {{Event::Cycles, 1000},
                       {Event::Instructions, 400},
                       {Event::L1IMiss, 2},
                       {Event::L1IAccess, 80},
                       {Event::L1DMiss, 6},
                       {Event::Load, 100},
                       {Event::Store, 20},
                       {Event::DtlbMiss, 3},
                       {Event::ItlbMiss, 1},
                       {Event::Branch, 50},
                       {Event::BranchMispredict, 7}}};
}

std::optional<double> value_of(const RunFacts& run, std::string_view name) {
    for (const auto& [metric, value] : metrics_of(run)) {
        if (metric->name == name) {
            return value;
        }
    }
    return std::nullopt;
}

TEST(Metrics, AreThoseOfTheSpecification) {
    const RunFacts run = small_run();
    EXPECT_DOUBLE_EQ(*value_of(run, "IPC"), 0.4);                          // 400 / 1000
    EXPECT_DOUBLE_EQ(*value_of(run, "CPI"), 2.5);                          // 1000 / 400
    EXPECT_DOUBLE_EQ(*value_of(run, "CACHE.L1I.RD.CODE.MPKI"), 5);         // 2 * 1000 / 400
    EXPECT_DOUBLE_EQ(*value_of(run, "CACHE.L1I.RD.CODE.MISS.RATE"), .025); // 2 / 80
    EXPECT_DOUBLE_EQ(*value_of(run, "CACHE.L1D.RD.DATA.MPKI"), 15);        // 6 * 1000 / 400
    EXPECT_DOUBLE_EQ(*value_of(run, "CACHE.L1D.RD.DATA.MISS.RATE"), .06);  // 6 / 100
    EXPECT_DOUBLE_EQ(*value_of(run, "TLB.L1I.CODE.MPKI"), 2.5);            // 1 * 1000 / 400
    EXPECT_DOUBLE_EQ(*value_of(run, "TLB.L1D.LDST.MPKI"), 7.5);            // 3 * 1000 / 400
    EXPECT_DOUBLE_EQ(*value_of(run, "TLB.L1D.LDST.MISS.RATE"), .025);      // 3 / (100 + 20)
    EXPECT_DOUBLE_EQ(*value_of(run, "INST.BRJMP.PKI"), 125);               // 50 * 1000 / 400
    EXPECT_DOUBLE_EQ(*value_of(run, "INST.MISPRED.PKI"), 17.5);            // 7 * 1000 / 400
    EXPECT_DOUBLE_EQ(*value_of(run, "INST.MISPRED.RATE"), .14);            // 7 / 50
}

TEST(Metrics, OfWhatWasNotCountedOrDividedByZeroAreAbsent) {
    RunFacts run = small_run();
    EXPECT_EQ(value_of(run, "INST.MISPRED.BRANCH.RATE"), std::nullopt); // not counted
    run.events = {{Event::ConditionalBranch, 0}, {Event::DirectionMispredict, 0}};
    EXPECT_EQ(value_of(run, "INST.MISPRED.BRANCH.RATE"), std::nullopt); // 0 / 0
    EXPECT_EQ(value_of(run, "IPC"), std::nullopt);
    EXPECT_TRUE(metrics_of(RunFacts{}).empty());
}

/// Shares of 1; the parts of each class add up to it.
double sum_of(const std::vector<TopDownClass>& classes) {
    return std::accumulate(classes.begin(), classes.end(), 0.0,
                           [](double sum, const TopDownClass& one) { return sum + one.share; });
}

TEST(TopDown, DividesTheSlotsByTheReasonsOfTheCycleStack) {
    // 900 slots: 1000 cycles without 100 asleep. 400 instructions retire in 450 cycles of `base`,
    // none together with another one.
    const auto classes = top_down(metrics_of(small_run()));
    ASSERT_EQ(classes.size(), 4U);
    EXPECT_EQ(classes[0].name, "retiring");
    EXPECT_DOUBLE_EQ(classes[0].share, 400.0 / 900);
    EXPECT_EQ(classes[1].name, "bad speculation");
    EXPECT_DOUBLE_EQ(classes[1].share, 100.0 / 900);
    EXPECT_DOUBLE_EQ(classes[1].parts[0].share, 70.0 / 900);
    EXPECT_DOUBLE_EQ(classes[1].parts[1].share, 30.0 / 900);
    EXPECT_EQ(classes[2].name, "frontend bound");
    EXPECT_DOUBLE_EQ(classes[2].share, 75.0 / 900);
    EXPECT_DOUBLE_EQ(classes[2].parts[0].share, 5.0 / 900);  // itlb
    EXPECT_DOUBLE_EQ(classes[2].parts[1].share, 20.0 / 900); // l1i_miss
    EXPECT_DOUBLE_EQ(classes[2].parts[2].share, 50.0 / 900); // the rest of base
    EXPECT_EQ(classes[3].name, "backend bound");
    EXPECT_DOUBLE_EQ(classes[3].share, 325.0 / 900);
    EXPECT_DOUBLE_EQ(classes[3].parts[0].share, 164.5 / 900); // l1d_miss, dtlb, store_buffer
    EXPECT_DOUBLE_EQ(classes[3].parts[1].share, 160.5 / 900); // unit, dependency
}

TEST(TopDown, TakesPairsOffWhatTheBackendWaits) {
    // 510 instructions in 400 cycles of `base`, and 50 in which the frontend is waited for: 110
    // have a slot in one of the 325 cycles in which the backend waits for an older one.
    RunFacts run = small_run();
    run.instructions = 510;
    const auto classes = top_down(metrics_of(run));
    EXPECT_DOUBLE_EQ(classes[0].share, 510.0 / 900); // UOP.RET / TOPDOWN.SLOTS
    EXPECT_DOUBLE_EQ(classes[2].parts[2].share, 50.0 / 900);
    EXPECT_DOUBLE_EQ(classes[3].share, 215.0 / 900);
    EXPECT_DOUBLE_EQ(classes[3].parts[0].share, 215.0 / 900 * 164.5 / 325);
}

TEST(TopDown, AddsUpAtBothLevels) {
    RunFacts run = small_run();
    for (run.instructions = 0; run.instructions <= 800; run.instructions += 100) {
        const auto classes = top_down(metrics_of(run));
        EXPECT_NEAR(sum_of(classes), 1, 1e-12) << run.instructions;
        for (const TopDownClass& one : classes) {
            EXPECT_GE(one.share, 0) << one.name;
            if (!one.parts.empty()) {
                EXPECT_NEAR(sum_of(one.parts), one.share, 1e-12) << one.name;
            }
        }
    }
    EXPECT_TRUE(top_down(metrics_of({.cycles = 5, .reasons = {{"idle", 5}}})).empty());
}

TEST(TopDown, StandsInTheHeadOfTheText) {
    Report report;
    report.run = small_run();
    std::ostringstream out;
    write_text(out, report, 10, {});
    EXPECT_THAT(out.str(),
                HasSubstr("\ntop-down\n   44.4 %  ###########               retiring\n"));
    EXPECT_THAT(out.str(), HasSubstr("  backend bound: memory bound 18.3 %, core bound 17.8 %\n"));
    EXPECT_THAT(out.str(), HasSubstr("\nmetrics\n     0.400  IPC  "));
    EXPECT_THAT(out.str(), HasSubstr("    14.0 %  INST.MISPRED.RATE\n\n"));
    report.run->reasons.clear();
    report.run->events.clear();
    out.str("");
    write_text(out, report, 10, {});
    EXPECT_THAT(out.str(), Not(HasSubstr("top-down")));
    EXPECT_THAT(out.str(), Not(HasSubstr("metrics")));
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
    const EventCount count = [](std::string_view name) -> std::optional<double> {
        return name == "A.B" ? 6 : name == "ZERO" ? 0 : std::optional<double>();
    };
    EXPECT_EQ(evaluate("2 + 3 * A.B", count), 20);
    EXPECT_EQ(evaluate("(2 + 3) * A.B / 4 - 1", count), 6.5);
    EXPECT_EQ(evaluate("8 - 2 - 1", count), 5);
    EXPECT_EQ(evaluate("1 / ZERO", count), std::nullopt);
    EXPECT_EQ(evaluate("1 + C", count), std::nullopt);
    EXPECT_THAT(events_in("(A.B + C_1 - A.B) * 2 / C_1"), ElementsAre("A.B", "C_1"));
    EXPECT_EQ(with_events("(A.B + 2) / C", [](auto name) { return "x." + std::string(name); }),
              "(x.A.B + 2) / x.C");
}

TEST(FormulaDeathTest, OfNoFormulaAborts) {
    const EventCount none = [](std::string_view) { return std::nullopt; };
    EXPECT_DEATH(evaluate("A +", none), "cannot be read");
    EXPECT_DEATH(evaluate("(A", none), "cannot be read");
    EXPECT_DEATH(evaluate("A B", none), "cannot be read");
}

} // namespace
} // namespace pes

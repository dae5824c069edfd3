// SPDX-License-Identifier: Apache-2.0
// Branch predictor and jump target cache: the states and indices of the specification.
#include "hw/interface/trace/etrace/prediction.h"

#include <gtest/gtest.h>

namespace pes::trace::etrace {
namespace {

constexpr Address kBranch = 0x1004;

TEST(BranchPredictor, ChangesItsMindWhenItHasBeenWrongTwice) {
    BranchPredictor predictor({.bpred_size = 6});
    // The state behind each outcome, and so the next prediction: from 01, which says not taken.
    struct Step {
        bool taken;
        bool then_predicts;
    };
    constexpr Step kSteps[] = {
        {false, false}, // 01 succeeds: 00
        {false, false}, // 00 stays
        {true, false},  // 00 fails: 01
        {true, true},   // 01 fails: 11
        {true, true},   // 11 stays
        {false, true},  // 11 fails: 10
        {true, true},   // 10 succeeds: 11
        {false, true},  // 11 fails: 10
        {false, false}, // 10 fails: 00
    };
    EXPECT_FALSE(predictor.predicts_taken(kBranch));
    for (const Step& step : kSteps) {
        predictor.learn(kBranch, step.taken);
        EXPECT_EQ(predictor.predicts_taken(kBranch), step.then_predicts) << &step - kSteps;
    }
}

TEST(BranchPredictor, FirstOutcomeDecides) {
    BranchPredictor predictor({.bpred_size = 6});
    predictor.learn(kBranch, true);
    EXPECT_TRUE(predictor.predicts_taken(kBranch)); // 01 fails: 11
    predictor.reset();
    EXPECT_FALSE(predictor.predicts_taken(kBranch));
}

TEST(BranchPredictor, IsIndexedByBitsFrom1To6) {
    BranchPredictor predictor({.bpred_size = 6});
    predictor.learn(0x1004, true);
    EXPECT_TRUE(predictor.predicts_taken(0x1004 + 0x80));
    EXPECT_FALSE(predictor.predicts_taken(0x1004 + 0x40));
    EXPECT_FALSE(predictor.predicts_taken(0x1006));
}

TEST(BranchPredictor, IsIndexedByBitsFrom2WithoutCompressedInstructions) {
    BranchPredictor predictor({.iaddress_lsb = 2, .bpred_size = 6});
    predictor.learn(0x1004, true);
    EXPECT_TRUE(predictor.predicts_taken(0x1004 + 0x100));
    EXPECT_FALSE(predictor.predicts_taken(0x1004 + 0x80));
}

TEST(JumpTargetCache, HasOneTargetForEachIndex) {
    JumpTargetCache cache({.cache_size = 5});
    EXPECT_EQ(cache.index(0x1006), 3U);
    EXPECT_FALSE(cache.holds(0x1006));
    EXPECT_EQ(cache.at(3), std::nullopt);
    cache.store(0x1006);
    EXPECT_TRUE(cache.holds(0x1006));
    EXPECT_EQ(cache.at(3), 0x1006U);
    cache.store(0x1006 + 0x40);
    EXPECT_FALSE(cache.holds(0x1006));
    EXPECT_EQ(cache.at(3), 0x1046U);
    cache.reset();
    EXPECT_EQ(cache.at(3), std::nullopt);
    EXPECT_EQ(cache.at(32), std::nullopt); // there is no such index
}

TEST(JumpTargetCache, DoesNotHoldAddress0AtFirst) {
    EXPECT_FALSE(JumpTargetCache({.cache_size = 5}).holds(0));
}

} // namespace
} // namespace pes::trace::etrace

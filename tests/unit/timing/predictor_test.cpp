// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/frontend/predictor.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

constexpr auto kTaken = BranchDirection::Taken;
constexpr auto kNotTaken = BranchDirection::NotTaken;
constexpr Address kPc = 0x8000'0100;

class PredictorUnderTest {
  public:
    Predictor* operator->() { return &predictor_; }

  private:
    Tables tables_{TimingConfig{}};
    Predictor predictor_{tables_};
};

TEST(Predictor, ColdBranchFollowsItsDirection) {
    PredictorUnderTest predictor;
    EXPECT_EQ(predictor->predict_branch(kPc, kTaken, 10), kTaken);
    EXPECT_EQ(predictor->predict_branch(kPc, kNotTaken, 10), kNotTaken);
}

TEST(Predictor, AfterAFlushOneOutcomeDecides) {
    PredictorUnderTest predictor;
    predictor->flush();
    predictor->update_branch(kPc, kNotTaken, 1);
    EXPECT_EQ(predictor->predict_branch(kPc, kTaken, 2), kNotTaken);
    predictor->update_branch(kPc, kTaken, 2);
    EXPECT_EQ(predictor->predict_branch(kPc, kNotTaken, 3), kTaken);
}

TEST(Predictor, TwoBitCounterForgivesOneExceptionOfAStrongHabit) {
    PredictorUnderTest predictor;
    for (Cycle cycle = 1; cycle < 6; ++cycle) {
        predictor->update_branch(kPc, kTaken, cycle);
    }
    predictor->update_branch(kPc, kNotTaken, 6);
    EXPECT_EQ(predictor->predict_branch(kPc, kTaken, 7), kTaken);
    predictor->update_branch(kPc, kNotTaken, 7);
    EXPECT_EQ(predictor->predict_branch(kPc, kTaken, 8), kNotTaken);
}

TEST(Predictor, HistoryIsReadWithTheNewValueFromTheNextCycleOn) {
    PredictorUnderTest predictor;
    predictor->flush();
    predictor->update_branch(kPc, kNotTaken, 20);
    EXPECT_EQ(predictor->predict_branch(kPc, kTaken, 20), kTaken);
    EXPECT_EQ(predictor->predict_branch(kPc, kTaken, 21), kNotTaken);
}

TEST(Predictor, HistoryHas64RowsOfTwoHalfWordsWithoutTag) {
    PredictorUnderTest predictor;
    predictor->flush();
    predictor->update_branch(kPc, kNotTaken, 1);
    EXPECT_EQ(predictor->predict_branch(kPc + 2, kTaken, 2), kTaken);
    EXPECT_EQ(predictor->predict_branch(kPc + 128, kTaken, 2), kTaken);
    EXPECT_EQ(predictor->predict_branch(kPc + 256, kTaken, 2), kNotTaken);
}

TEST(Predictor, TargetBufferHas16RowsOfTwo) {
    PredictorUnderTest predictor;
    EXPECT_FALSE(predictor->predict_jump(kPc, 1));
    predictor->update_jump(kPc, 0x1234, 1);
    EXPECT_EQ(predictor->predict_jump(kPc, 2), 0x1234u);
    EXPECT_EQ(predictor->predict_jump(kPc + 64, 2), 0x1234u);
    EXPECT_FALSE(predictor->predict_jump(kPc + 32, 2));
}

TEST(Predictor, ReturnStackKeepsTheTwoLatestCalls) {
    PredictorUnderTest predictor;
    predictor->push_return(0x100);
    predictor->push_return(0x200);
    predictor->push_return(0x300);
    EXPECT_EQ(predictor->pop_return(), 0x300u);
    EXPECT_EQ(predictor->pop_return(), 0x200u);
    EXPECT_FALSE(predictor->pop_return());
}

TEST(Predictor, FlushEmptiesAllThree) {
    PredictorUnderTest predictor;
    predictor->update_branch(kPc, kNotTaken, 1);
    predictor->update_jump(kPc, 0x1234, 1);
    predictor->push_return(0x100);
    predictor->flush();
    EXPECT_EQ(predictor->predict_branch(kPc, kTaken, 2), kTaken);
    EXPECT_FALSE(predictor->predict_jump(kPc, 2));
    EXPECT_FALSE(predictor->pop_return());
}

} // namespace
} // namespace pes

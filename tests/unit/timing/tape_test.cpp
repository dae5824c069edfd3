// SPDX-License-Identifier: Apache-2.0
// What was asked is on the tape, except what follows from the answers before.
#include "hw/core/timing/tables/tables.h"
#include "hw/core/timing/tables/tape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>

namespace pes {
namespace {

constexpr std::uint64_t kFar = 0xFFFF'FFFF'8000'1234;

TEST(Tape, KeepsWhatWasAsked) {
    Tape tape;
    tape.rewind({});
    tape.set_operand(5);
    tape.add(Query::JumpTarget, kFar, 0, kFar + 4);
    tape.add(Query::SendJump, kFar, kFar + 4, 0);
    tape.add(Query::BufferedWord, kFar, 0x1F, 3);
    const std::array expected{
        Question{.query = Query::JumpTarget, .subject = kFar, .answer = kFar + 4},
        Question{.query = Query::SendJump, .subject = kFar, .argument = kFar + 4},
        Question{.query = Query::BufferedWord, .operand = 5, .argument = 0x1F, .answer = 3}};
    EXPECT_TRUE(std::ranges::equal(tape.asked(), expected))
        << "the address of an access is that of its operand";
    EXPECT_FALSE(tape.spoilt());
}

TEST(Tape, IsSpoiltByWhatHasNoRoom) {
    Tape tape;
    tape.rewind({});
    for (std::size_t question = 0; question < Tape::kMost; ++question) {
        tape.add(Query::SendBranch, kFar, 1, 0);
    }
    EXPECT_FALSE(tape.spoilt());
    tape.add(Query::SendBranch, kFar, 1, 0);
    EXPECT_TRUE(tape.spoilt());
    tape.rewind({});
    EXPECT_FALSE(tape.spoilt());
    EXPECT_TRUE(tape.asked().empty());
}

TEST(Tape, GivesTheAnswersOfBefore) {
    const std::array<std::uint64_t, 2> answers{1, kFar};
    Tape tape;
    tape.rewind(answers);
    EXPECT_EQ(tape.given(), 1U);
    tape.add(Query::FetchLine, kFar, 0, 1);
    EXPECT_EQ(tape.given(), kFar);
    tape.add(Query::JumpTarget, kFar, 0, kFar);
    EXPECT_EQ(tape.given(), std::nullopt);
}

// --- What follows from answers before is not asked ----------------------------------------------

class TapeOfLines : public ::testing::Test {
  protected:
    TapeOfLines() { tables_.set_tape(&tape_); }

    /// True if it is a question.
    template <Query Q>
    bool asks(Address physical) {
        const std::size_t before = tape_.asked().size();
        tables_.ask<Q>(physical);
        return tape_.asked().size() != before;
    }

    const TimingConfig config_;
    Tape tape_;
    Tables tables_{config_};
    static constexpr Address kLine = 0x8000'0000;
    const Address in_line_ = kLine + config_.l1i.line_bytes - 8;
    const Address next_way_ = config_.l1i.bytes / config_.l1i.ways; ///< in the same set
};

TEST_F(TapeOfLines, ALineThatIsThereIsAskedForOnce) {
    EXPECT_TRUE(asks<Query::HasFetchLine>(kLine));
    EXPECT_FALSE(asks<Query::HasFetchLine>(in_line_)) << "it is not there";
    EXPECT_TRUE(asks<Query::FetchLine>(kLine)) << "it is filled";
    EXPECT_FALSE(asks<Query::FetchLine>(in_line_));
    EXPECT_FALSE(asks<Query::HasFetchLine>(kLine));
    EXPECT_TRUE(asks<Query::HasFetchLine>(kLine + config_.l1i.line_bytes)) << "another line";
    tape_.rewind({});
    EXPECT_TRUE(asks<Query::HasFetchLine>(kLine)) << "the next block knows nothing";
    EXPECT_FALSE(asks<Query::FetchLine>(kLine));
}

TEST_F(TapeOfLines, AFillMayTakeTheLinesOfItsSet) {
    tables_.ask<Query::FetchLine>(kLine);
    tables_.ask<Query::FetchLine>(kLine + config_.l1i.line_bytes);
    tables_.ask<Query::FetchLine>(kLine + next_way_);
    EXPECT_TRUE(asks<Query::FetchLine>(kLine));
    EXPECT_FALSE(asks<Query::FetchLine>(kLine + config_.l1i.line_bytes)) << "of another set";
    tables_.ask<Query::InvalidateCode>(0);
    EXPECT_TRUE(asks<Query::FetchLine>(kLine + config_.l1i.line_bytes));
}

/// The answers are those of tables without a tape, and those of the questions on the tape alone.
TEST_F(TapeOfLines, RandomQuestionsHaveTheirAnswers) {
    constexpr unsigned kBlocks = 400, kQuestions = 40, kLines = 24, kSets = 3;
    Tables plain(config_), again(config_);
    std::mt19937 random(1);
    std::size_t asked = 0;
    for (unsigned block = 0; block < kBlocks; ++block) {
        tape_.rewind({});
        for (unsigned question = 0; question < kQuestions; ++question) {
            const unsigned line = random() % kLines;
            const Address physical =
                kLine + line / kSets * next_way_ + line % kSets * config_.l1i.line_bytes;
            const unsigned which = random() % 100;
            if (which == 0) {
                tables_.ask<Query::InvalidateCode>(0);
                plain.ask<Query::InvalidateCode>(0);
            } else if (which < 50) {
                ASSERT_EQ(tables_.ask<Query::FetchLine>(physical),
                          plain.ask<Query::FetchLine>(physical));
            } else {
                ASSERT_EQ(tables_.ask<Query::HasFetchLine>(physical),
                          plain.ask<Query::HasFetchLine>(physical));
            }
        }
        for (const Question& each : tape_.asked()) {
            ASSERT_EQ(again.answer(each.query, each.subject, each.argument), each.answer);
        }
        asked += tape_.asked().size();
    }
    EXPECT_LT(asked, kBlocks * kQuestions * 9 / 10) << "some were known";
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// A question on the tape is what was asked, however it is laid out.
#include "hw/core/timing/tables/tables.h"
#include "hw/core/timing/tables/tape.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace pes {
namespace {

struct Case {
    Query query;
    std::uint64_t subject, argument, answer; ///< 0 where the question has none
};

constexpr std::uint64_t kFar = 0xFFFF'FFFF'8000'1234;

/// Those with the most numbers, or the longest; questions.h says what each has.
constexpr std::array kCases{
    Case{Query::NextPc, 0, 0, kFar},
    Case{Query::Noted, 0, 0, ~std::uint64_t{0}},
    Case{Query::DeviceAccess, 0, 70'000, 100'000},
    Case{Query::CounterRead, kFar, 70'000, 0},
    Case{Query::CodeAt, kFar, 0, 0},
    Case{Query::CodePage, kFar, 0, std::uint64_t{1} << 40},
    Case{Query::RegisterValue, kFar, 31, kFar + 8},
    Case{Query::SameWord, kFar, kFar + 1, 1},
    Case{Query::BranchTaken, kFar, kFar + 1, 1},
    Case{Query::DataAt, kFar, 31, 1},
    Case{Query::FetchLine, kFar, 0, 2},
    Case{Query::HasFetchLine, kFar, 0, 1},
    Case{Query::BranchDirection, kFar, arriving(8) | 1, 1},
    Case{Query::JumpTarget, kFar, 0, kFar + 4},
    Case{Query::PopReturn, 0, 0, kFar},
    Case{Query::PushReturn, kFar, 0, 0},
    Case{Query::SendBranch, kFar, 2, 0},
    Case{Query::SendJump, kFar, kFar + 4, 0},
    Case{Query::UpdatesArrive, 3, 0, 0},
    Case{Query::ReadLine, 0, 0, 2},
    Case{Query::ConflictingStore, 0, 7, 7},
    Case{Query::BufferedWord, 0, (std::uint64_t{1} << 33) - 1, 32},
    Case{Query::PushWrite, 0, store_size(8) | 31, 3},
    Case{Query::JoinWrite, 0, store_size(8) | not_sent(32) | 0xFFFF'FFFF, 3 << 8 | 32},
    Case{Query::DropWrite, 0, 32, 0},
    Case{Query::FailReservation, 0, 0, 0xFFFF},
};

TEST(Tape, KeepsWhatWasAsked) {
    for (const Case& each : kCases) {
        SCOPED_TRACE(static_cast<int>(each.query));
        Tape tape;
        tape.rewind({});
        tape.set_operand(5);
        tape.add(each.query, each.subject, each.argument, each.answer);
        const Asked& asked = tape.asked().back();
        EXPECT_EQ(asked.query, each.query);
        EXPECT_EQ(subject_of(asked), each.subject);
        EXPECT_EQ(argument_of(asked), each.argument);
        EXPECT_EQ(answer_of(asked), each.answer);
        EXPECT_EQ(tape.asked().size(), has_given(each.query) ? 2U : 1U);
        if (layout_of(each.query).subject == AskedPart::Fact || each.query == Query::DataAt) {
            EXPECT_EQ(asked.operand, 5U) << "the address is that of an operand";
        }
        EXPECT_FALSE(tape.spoilt());
    }
}

TEST(Tape, IsSpoiltByWhatHasNoRoom) {
    for (const Case& each :
         {Case{Query::FailReservation, 0, 0, 0x1'0000}, Case{Query::SendBranch, kFar, 0x100, 0}}) {
        Tape tape;
        tape.rewind({});
        tape.add(each.query, each.subject, each.argument, each.answer);
        EXPECT_TRUE(tape.spoilt()) << static_cast<int>(each.query);
    }
}

/// In the order of the places on the tape, of which some questions take two.
TEST(Tape, GivesTheAnswersOfBefore) {
    const std::array<std::uint64_t, 4> answers{1, 0, kFar, 2};
    Tape tape;
    tape.rewind(answers);
    EXPECT_EQ(tape.given(Query::FetchLine), 1U);
    tape.add(Query::FetchLine, kFar, 0, 1);
    EXPECT_EQ(tape.given(Query::JumpTarget), kFar) << "its subject lies before it";
    tape.add(Query::JumpTarget, kFar, 0, kFar);
    EXPECT_EQ(tape.given(Query::ReadLine), 2U);
    tape.add(Query::ReadLine, kFar, 0, 2);
    EXPECT_EQ(tape.given(Query::ReadLine), std::nullopt);
    EXPECT_EQ(tape.given(Query::JumpTarget), std::nullopt);
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
        for (const Asked& each : tape_.asked()) {
            ASSERT_EQ(again.answer(each.query, subject_of(each), argument_of(each)),
                      answer_of(each));
        }
        asked += tape_.asked().size();
    }
    EXPECT_LT(asked, kBlocks * kQuestions * 9 / 10) << "some were known";
}

} // namespace
} // namespace pes

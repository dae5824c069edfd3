// SPDX-License-Identifier: Apache-2.0
// A question is what it was, whether it has room in 8 bytes or lies apart.
#include "hw/core/blocks/asked.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>

namespace pes {
namespace {

constexpr Block kBlock{
    .pc = 0xFFFF'FFFF'8000'0100, .last_pc = 0xFFFF'FFFF'8000'0110, .physical = 0x8020'0100};
constexpr Address kMiB = 1 << 20;

/// What a kernel asks all the time.
constexpr std::array kUsual{
    Question{.query = Query::NextPc, .answer = kBlock.pc + 10 * kMiB},
    Question{.query = Query::NextPc, .answer = kBlock.pc - 10 * kMiB},
    Question{.query = Query::FetchLine, .subject = kBlock.physical + 30 * kMiB, .answer = 1},
    Question{.query = Query::HasFetchLine, .subject = kBlock.physical - 30 * kMiB, .answer = 1},
    Question{.query = Query::BranchDirection,
             .subject = kBlock.last_pc,
             .argument = arriving(8) | 1,
             .answer = 1},
    Question{.query = Query::SendBranch, .subject = kBlock.last_pc, .argument = 1},
    Question{.query = Query::JumpTarget, .subject = kBlock.last_pc, .answer = kBlock.pc + kMiB / 2},
    Question{.query = Query::SendJump, .subject = kBlock.last_pc, .argument = kBlock.pc - kMiB / 2},
    Question{.query = Query::PopReturn, .answer = kBlock.pc + kMiB},
    Question{.query = Query::PushReturn, .subject = kBlock.pc + 20},
    Question{.query = Query::ReadLine, .operand = 50, .answer = 2},
    Question{.query = Query::ConflictingStore, .operand = 9, .argument = 8, .answer = 8},
    Question{.query = Query::BufferedWord, .operand = 9, .argument = 0xFFF, .answer = 11},
    Question{.query = Query::PushWrite, .operand = 9, .argument = store_size(8) | 31, .answer = 7},
    Question{.query = Query::UpdatesArrive, .subject = 8},
};

TEST(Asked, HasRoomForWhatIsUsual) {
    for (const Question& question : kUsual) {
        const std::optional<Asked> asked = pack(question, kBlock);
        ASSERT_TRUE(asked) << static_cast<int>(question.query);
        EXPECT_EQ(unpack(*asked, kBlock), question) << static_cast<int>(question.query);
    }
}

/// None is a distance or a number that would be cut.
TEST(Asked, LeavesApartWhatHasNoRoom) {
    for (const Question& question :
         {Question{.query = Query::NextPc, .answer = kBlock.pc + 17 * kMiB},
          Question{.query = Query::NextPc, .answer = kBlock.pc + 1},
          Question{.query = Query::NextPc, .answer = 0x1'0000},
          Question{.query = Query::FetchLine, .subject = kBlock.physical - 33 * kMiB},
          Question{.query = Query::FetchLine, .subject = kBlock.physical + 4},
          Question{.query = Query::SendBranch, .subject = kBlock.last_pc, .argument = 2},
          Question{.query = Query::PushWrite, .operand = 1, .argument = store_size(8) | 32},
          Question{.query = Query::CodePage, .subject = 1, .answer = 1},
          Question{.query = Query::Noted, .operand = 1, .answer = ~std::uint64_t{0}}}) {
        EXPECT_EQ(pack(question, kBlock), std::nullopt) << static_cast<int>(question.query);
    }
}

TEST(Asked, IsEachQuestionOfAnyNumbers) {
    std::mt19937_64 random(1);
    const auto number = [&random] {
        const std::array bases{std::uint64_t{0}, kBlock.pc, kBlock.physical, store_size(8)};
        const std::uint64_t some = random() >> random() % 64;
        return bases[random() % bases.size()] + (random() % 2 != 0 ? some : -some);
    };
    const auto maybe = [&] { return random() % 2 != 0 ? number() : 0; };
    std::size_t packed = 0;
    for (unsigned count = 0; count < 200'000; ++count) {
        const Question question{
            .query = static_cast<Query>(random() % static_cast<std::uint64_t>(Query::Apart)),
            .operand = static_cast<std::uint8_t>(random() % 64),
            .subject = maybe(),
            .argument = maybe(),
            .answer = maybe()};
        Question asked = question;
        asked.operand = has_operand(question.query) ? question.operand : std::uint8_t{0};
        if (const std::optional<Asked> room = pack(asked, kBlock)) {
            ASSERT_EQ(unpack(*room, kBlock), asked) << static_cast<int>(asked.query);
            ++packed;
        }
    }
    EXPECT_GT(packed, 10'000U);
}

TEST(ApartQuestions, AreThereOnce) {
    ApartQuestions questions(HostPages::Copies::Whole);
    const Question one{.query = Query::CodePage, .subject = 0x1000, .answer = 7};
    Question other = one;
    other.answer = 8;
    const Asked first = questions.add(one);
    const std::size_t bytes = questions.bytes();
    EXPECT_EQ(questions.add(one).bits, first.bits);
    EXPECT_EQ(questions.bytes(), bytes);
    const Asked second = questions.add(other);
    EXPECT_EQ(questions[first], one);
    EXPECT_EQ(questions[second], other);
    EXPECT_EQ(first.query(), Query::Apart);
    questions.clear();
    EXPECT_EQ(questions[questions.add(other)], other);
}

} // namespace
} // namespace pes

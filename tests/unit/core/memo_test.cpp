// SPDX-License-Identifier: Apache-2.0
// The memory of the fast path: one place for each block, state and pair of them, and for each node
// a tree of questions that branches where an answer was another one.
#include "hw/core/blocks/memo.h"
#include "hw/core/blocks/native/native_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <span>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace pes {
namespace {

constexpr Address kPc = 0x8000'0100;

Question question(std::uint64_t line, std::uint64_t answer) {
    return {.query = Query::FetchLine, .subject = kPc + 16 * line, .answer = answer};
}

class MemoTree : public testing::Test {
  protected:
    const Block& block =
        memo().add_block({.pc = kPc, .last_pc = kPc, .physical = kPc, .longest = 10});
    PipelineState& state = memo().intern(std::vector<std::uint16_t>{1, 2, 3}, 5);
    Node& node = memo().node(block, state);

    Memo& memo() {
        static Memo one;
        return one;
    }
};

TEST(Memo, FindsABlockByAddressAndVersionOfTheCode) {
    Memo memo;
    EXPECT_EQ(memo.find_block(kPc, 7), nullptr);
    const Block& block = memo.add_block({.pc = kPc, .code_version = 7, .physical = 0x9000});
    EXPECT_EQ(memo.find_block(kPc, 7), &block);
    EXPECT_EQ(memo.find_block(kPc, 8), nullptr) << "other code at the same virtual address";
}

TEST(Memo, ABlockHasItsInstructionsAndTheirBounds) {
    const std::array<Instruction, 3> instructions{Instruction{.raw = 1}, {.raw = 2}, {.raw = 3}};
    const std::array<std::uint32_t, 3> bounds{7, 9, 60};
    Memo memo;
    const Block& block = memo.add_block({.pc = kPc, .physical = kPc}, instructions, bounds);
    memo.add_block({.pc = kPc + 64, .physical = kPc}, instructions, bounds);
    ASSERT_EQ(block.size(), instructions.size());
    for (std::size_t index = 0; index != bounds.size(); ++index) {
        EXPECT_EQ(block.instructions[index].raw, instructions[index].raw);
        EXPECT_EQ(block.decoded_within()[index], bounds[index]);
    }
}

/// Native code of fewer blocks costs more than it saves.
TEST(Memo, NativeCodeGoesOnForSeveralNodes) {
    std::array<Node, 6> nodes{};
    for (std::size_t index = 0; index + 1 < nodes.size(); ++index) {
        nodes[index].native = static_cast<std::uint32_t>(index + 1);
        nodes[index].followed_by = &nodes[index + 1];
    }
    EXPECT_TRUE(NativeCode::goes_on(nodes[0]));
    EXPECT_TRUE(NativeCode::goes_on(nodes[1])) << "four are enough";
    EXPECT_FALSE(NativeCode::goes_on(nodes[2])) << "the fourth has none";
    EXPECT_FALSE(NativeCode::goes_on(nodes[5])) << "has none itself";
    nodes[3].followed_by = nullptr;
    EXPECT_FALSE(NativeCode::goes_on(nodes[1])) << "what follows is not known";
    nodes[3].followed_by = &nodes[3];
    EXPECT_TRUE(NativeCode::goes_on(nodes[3])) << "a loop";
}

TEST(Memo, TheSameWordsAreTheSameState) {
    Memo memo;
    const std::vector<std::uint16_t> words{4, 0x8003, 9}, other{4, 0x8003, 8};
    const PipelineState& state = memo.intern(words, 7);
    EXPECT_EQ(&memo.intern(words, 7), &state);
    EXPECT_NE(&memo.intern(other, 7), &state);
}

/// What is known stays behind, and clear() makes the copy usable; without copies all goes along.
TEST(Memo, ACopyOfTheProcessBeginsAnew) {
    for (const auto copies : {HostPages::Copies::Empty, HostPages::Copies::Whole}) {
        Memo memo(copies);
        constexpr std::uint16_t kStates = 20'000; // the index of states grows
        const auto intern = [&memo](std::uint16_t number) {
            return &memo.intern(std::vector<std::uint16_t>{number, 1}, number);
        };
        for (std::uint16_t number = 0; number < kStates; ++number) {
            intern(number);
        }
        const PipelineState* const known = intern(7);
        const pid_t child = ::fork();
        if (child == 0) {
            if (copies == HostPages::Copies::Whole) {
                ::_exit(intern(7) == known ? 5 : 6);
            }
            memo.clear();
            const PipelineState* const first = intern(7);
            ::_exit(first == intern(7) && first != intern(8) && first->latest == 7 ? 5 : 6);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(WEXITSTATUS(status), 5);
        EXPECT_EQ(intern(7), known);
    }
}

TEST_F(MemoTree, ANodeMayTakeAsLongAsItsStateAndItsBlock) {
    EXPECT_EQ(node.longest, 15u);
    EXPECT_EQ(&memo().node(block, state), &node);
}

TEST_F(MemoTree, AnotherAnswerHasABranchOfItsOwn) {
    node.questions = nullptr;
    const std::vector hit{question(1, 0), question(2, 0)};
    const std::vector miss{question(2, 1), question(3, 0)};
    Outcome first{.cycles = 3}, second{.cycles = 9};
    memo().add(node, nullptr, hit, first);
    Asked& second_question = node.questions[1];
    memo().add(node, &second_question, miss, second);

    EXPECT_EQ(Memo::outcome(node.questions[2]).cycles, 3u);
    Asked* const branch = &memo().with_answer(second_question, block, 1).asked;
    EXPECT_EQ(memo().question(*branch, block), miss[0]);
    EXPECT_EQ(memo().question(branch[1], block), miss[1]);
    EXPECT_EQ(Memo::outcome(branch[2]).cycles, 9u);
}

/// Behind that cycle the log need not look at it.
TEST_F(MemoTree, AnOutcomeReachesAsFarAsItsLastChange) {
    node.questions = nullptr;
    Outcome& none = memo().add(node, nullptr, {}, {.cycles = 3});
    EXPECT_EQ(none.reach, 0u);
    node.questions = nullptr;
    const std::array<PulseChange, 2> changes{PulseChange{.shift = 5, .bits = 0b101},
                                             PulseChange{.shift = 6, .bits = 1}};
    EXPECT_EQ(memo().add(node, nullptr, {}, {.cycles = 3}, {}, changes).reach, 5u + 3u);
}

/// Two of them are close to the block, the others lie apart.
TEST_F(MemoTree, EveryAnswerIsFoundHoweverOftenTheyMove) {
    constexpr std::uint64_t kAnswers = 5;
    const auto target = [](std::uint64_t number) { return kPc + (number << 12 * number); };
    const auto to = [&](std::uint64_t number) {
        return Question{.query = Query::NextPc, .answer = target(number)};
    };
    node.questions = nullptr;
    for (std::uint32_t number = 0; number < kAnswers; ++number) {
        Asked* parent = nullptr;
        if (node.questions != nullptr) {
            const Memo::Found found = memo().with_answer(*node.questions, block, target(number));
            ASSERT_FALSE(found.has_it);
            parent = &found.asked;
        }
        memo().add(node, parent, std::vector{to(number)}, {.cycles = number});
    }
    for (const std::uint64_t number : {4U, 1U, 4U, 3U, 2U, 2U, 1U, 0U, 4U, 3U}) {
        const Memo::Found found = memo().with_answer(*node.questions, block, target(number));
        EXPECT_TRUE(found.has_it);
        EXPECT_EQ(memo().question(found.asked, block), to(number));
        EXPECT_EQ(Memo::outcome((&found.asked)[1]).cycles, number);
    }
    EXPECT_FALSE(memo().with_answer(*node.questions, block, target(kAnswers)).has_it);
}

/// A tree of four questions with three answers each, as full as it can be.
class MemoPaths : public MemoTree {
  protected:
    static constexpr std::size_t kQuestions = 4, kAnswers = 3, kPaths = 81;
    using Path = std::array<std::uint64_t, kQuestions>;

    static Path path_of(std::size_t number) {
        Path path{};
        for (std::uint64_t& answer : path) {
            answer = number % kAnswers;
            number /= kAnswers;
        }
        return path;
    }
    /// It depends on the answers before.
    static Question question_of(const Path& path, std::size_t at) {
        std::uint8_t before = 0;
        for (std::size_t index = 0; index != at; ++index) {
            before = static_cast<std::uint8_t>(kAnswers * before + path[index] + 1);
        }
        return {.query = Query::Noted, .operand = before, .answer = path[at]};
    }
    void add(std::size_t number) {
        const Path path = path_of(number);
        Asked* asked = node.questions;
        Asked* parent = nullptr;
        std::size_t known = 0;
        for (; asked != nullptr; ++known) {
            const Memo::Found found = memo().with_answer(*asked, block, path[known]);
            parent = &found.asked;
            asked = found.has_it ? parent + 1 : nullptr;
        }
        std::vector<Question> rest;
        for (std::size_t at = parent == nullptr ? 0 : known - 1; at != kQuestions; ++at) {
            rest.push_back(question_of(path, at));
        }
        memo().add(node, parent, rest, {.cycles = static_cast<std::uint32_t>(number)});
    }
    /// The end of the path.
    Asked& find(std::size_t number) {
        const Path path = path_of(number);
        Asked* asked = node.questions;
        for (std::size_t at = 0; at != kQuestions; ++at) {
            const Memo::Found found = memo().with_answer(*asked, block, path[at]);
            EXPECT_TRUE(found.has_it);
            EXPECT_EQ(memo().question(found.asked, block), question_of(path, at));
            asked = &found.asked + 1;
        }
        EXPECT_EQ(asked->query(), Query::End);
        EXPECT_EQ(Memo::outcome(*asked).cycles, number);
        return *asked;
    }
};

TEST_F(MemoPaths, EachIsFoundWhicheverIsTheFirst) {
    node.questions = nullptr;
    std::mt19937 random(1);
    std::vector<std::size_t> numbers(kPaths);
    std::iota(numbers.begin(), numbers.end(), 0U);
    std::ranges::shuffle(numbers, random);
    for (const std::size_t number : numbers) {
        add(number);
    }
    std::array<std::uint32_t, kPaths> times{};
    for (unsigned turn = 0; turn != 3000; ++turn) {
        const std::size_t number = random() % kPaths;
        ASSERT_EQ(++Memo::times_taken(find(number)), ++times[number]);
        if (random() % 4 == 0) {
            const Path path = path_of(number);
            const Outcome& outcome = memo().put_first(node, path);
            ASSERT_EQ(outcome.cycles, number);
            ASSERT_EQ(Memo::times_first_taken(node), times[number]);
            for (std::size_t at = 0; at != kQuestions; ++at) {
                ASSERT_EQ(memo().question(node.questions[at], block), question_of(path, at));
            }
            ASSERT_EQ(&Memo::outcome(node.questions[kQuestions]), &outcome);
        }
    }
}

/// With what lies behind its outcome.
TEST_F(MemoTree, AMovedPathTakesItsExtraAndItsChangesAlong) {
    node.questions = nullptr;
    const std::array<PulseChange, 2> changes{PulseChange{.track = 1, .bits = 2},
                                             PulseChange{.track = 3, .shift = 4, .bits = 1}};
    OutcomeExtra extra;
    extra.more[2] = 700;
    memo().add(node, nullptr, std::vector{question(1, 0)}, {.cycles = 3});
    memo().add(node, node.questions, std::vector{question(1, 1)}, {.cycles = 5}, extra, changes);
    const Outcome& moved = memo().put_first(node, std::array<std::uint64_t, 1>{1});
    EXPECT_EQ(moved.cycles, 5u);
    EXPECT_EQ(Memo::extra(moved), extra);
    EXPECT_TRUE(
        std::ranges::equal(std::as_bytes(Memo::changes(moved)), std::as_bytes(std::span(changes))));
    EXPECT_EQ(Memo::outcome((&memo().with_answer(*node.questions, block, 0).asked)[1]).cycles, 3u);
}

TEST(Memo, AStateThatManyBlocksBeginInHasANodeForEach) {
    constexpr std::size_t kBlocks = 20;
    Memo memo;
    PipelineState& state = memo.intern(std::vector<std::uint16_t>{1}, 0);
    std::vector<Node*> nodes;
    for (std::size_t index = 0; index < kBlocks; ++index) {
        const Block& block = memo.add_block({.pc = kPc + 4 * index, .physical = kPc});
        nodes.push_back(&memo.node(block, state));
        for (Node* const node : nodes) {
            EXPECT_EQ(&memo.node(*node->block, state), node);
        }
    }
}

/// More than one chunk of memory: what lies together stays together.
TEST(Memo, IsTheSameInManyMegabytes) {
    constexpr std::uint16_t kStates = 5000, kWords = 500, kQuestions = 240;
    Memo memo;
    const Block& block = memo.add_block({.pc = kPc, .physical = kPc});
    const auto words_of = [](std::uint16_t number) {
        std::vector<std::uint16_t> words(kWords, 7);
        words.back() = static_cast<std::uint16_t>(number + 1);
        return words;
    };
    for (std::uint16_t number = 0; number < kStates; ++number) {
        Node& node = memo.node(block, memo.intern(words_of(number), number));
        memo.add(node, nullptr, std::vector(kQuestions, question(number, 0)), {.cycles = number});
        memo.add(node, node.questions, std::vector(kQuestions, question(number, 1)),
                 {.cycles = number + 1U});
    }
    EXPECT_GT(memo.bytes(), 20U << 20);
    for (std::uint16_t number = 0; number < kStates; ++number) {
        PipelineState& state = memo.intern(words_of(number), 0);
        EXPECT_EQ(state.latest, number);
        const Node& node = memo.node(block, state);
        EXPECT_EQ(Memo::outcome(node.questions[kQuestions]).cycles, number);
        Asked* const other = &memo.with_answer(*node.questions, block, 1).asked;
        EXPECT_EQ(other[kQuestions].query(), Query::End);
        EXPECT_EQ(Memo::outcome(other[kQuestions]).cycles, number + 1U);
    }
}

/// Wherever a chunk ends.
TEST(Arena, KeepsTogetherWhatBelongsTogether) {
    struct alignas(16) Part {
        std::array<std::uint64_t, 4> words{};
    };
    constexpr std::size_t kMegabytes = 20; // more than two chunks
    for (std::size_t fillers = 1; fillers <= 4; ++fillers) {
        Arena arena(HostPages::Copies::Whole);
        while (arena.size() < kMegabytes << 20) {
            for (std::size_t filler = 0; filler < fillers; ++filler) {
                arena.add(std::array<std::uint64_t, 2>{});
            }
            arena.keep_together<Part>(2 * sizeof(Part));
            const std::uint32_t number = arena.next_number<Part>();
            const Part& first = arena.add(Part());
            ASSERT_EQ(&arena.add(Part()), &first + 1);
            ASSERT_EQ(&arena.object<Part>(number), &first);
        }
    }
}

TEST(Memo, ClearForgetsEverythingAndItsSize) {
    Memo memo;
    const std::size_t empty = memo.bytes();
    memo.add_block({.pc = kPc, .code_version = 7, .physical = kPc});
    memo.intern(std::vector<std::uint16_t>{1}, 0);
    EXPECT_GT(memo.bytes(), empty);
    memo.clear();
    EXPECT_EQ(memo.bytes(), empty);
    EXPECT_EQ(memo.find_block(kPc, 7), nullptr);
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Observers that take blocks hear of every instruction and trap that one hears of which takes
// instructions, in the same order and cycles, and change nothing in the hart.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace pes::test {
namespace {

/// Cycle, pc, next pc, bytes, and mode; of a trap cycle, epc, handler, 0, and the mode before.
using Step = std::tuple<Cycle, Address, Address, unsigned, Privilege>;

Step step_of(const Retirement& one) {
    return {one.cycle, one.pc, one.next_pc, one.length, one.privilege};
}

class StepRecorder : public HartObserver {
  public:
    void retired(const Retirement& retirement) override { steps.push_back(step_of(retirement)); }
    void trapped(const TrapTaken& trap) override {
        steps.emplace_back(trap.cycle, trap.epc, trap.vector, 0, trap.from);
    }

    std::vector<Step> steps;
};

/// Lets the hart run so many blocks ahead; 0 for a random number each time, which may be 0.
class BlockRecorder final : public StepRecorder {
  public:
    BlockRecorder(std::size_t ahead, unsigned seed) : ahead_(ahead), random_(seed) {}

    std::size_t blocks_ahead(Cycle at) override {
        EXPECT_GE(at, asked_at_);
        asked_at_ = at;
        return ahead_ != 0 ? ahead_ : random_() % 7;
    }
    void retired_blocks(std::span<const RetiredBlock> told) override {
        for (const RetiredBlock& block : told) {
            retired_block(block);
        }
    }

    std::uint64_t blocks = 0;
    std::vector<std::pair<Address, std::uint32_t>> words; ///< of last instructions
    std::function<void()> on_block;

  private:
    void retired_block(const RetiredBlock& block) {
        ++blocks;
        ASSERT_FALSE(block.steps.empty());
        for (std::size_t index = 0; index < block.steps.size(); ++index) {
            steps.push_back(step_of(retirement_in(block, index)));
            EXPECT_GT(std::get<0>(steps.back()), asked_at_) << "its cycle was asked for before";
        }
        EXPECT_EQ(block.last_pc, std::get<1>(steps.back()));
        EXPECT_EQ(block.flow, classify_flow(block.last_raw));
        words.emplace_back(block.last_pc, block.last_raw);
        if (on_block) {
            on_block();
        }
    }

    std::size_t ahead_;
    std::mt19937 random_;
    Cycle asked_at_ = 0;
};

/// Loops with reads of counters, accesses to a device, and traps from which the handler returns.
Word random_instruction(std::mt19937& random) {
    switch (random() % 24) {
    case 0:
        return csrr(random_register(random), csr::kMcycle);
    case 1:
        return csrr(random_register(random), csr::kMinstret);
    case 2:
        return sw(random_register(random), a6, 0);
    case 3:
        return lw(random_register(random), a6, 0);
    case 4:
        return random() % 4 == 0 ? kEcall : kNop;
    default:
        return random_plain_instruction(random);
    }
}

void prepare(BareMachine& machine, const std::vector<Word>& words) {
    machine.set(sp, BareMachine::kData);
    machine.set(a6, BareMachine::kDevice);
    machine.place(kCode, words);
    machine.place(BareMachine::kHandler,
                  {csrr(t4, csr::kMepc), addi(t4, t4, 4), csrw(csr::kMepc, t4), kMret});
    machine.hart().set_csr(csr::kMtvec, BareMachine::kHandler);
    machine.stop_observing();
}

class HartBlockObserver : public testing::TestWithParam<unsigned> {
  protected:
    /// A life with the observer, on the path.
    static Life live(ExecutionPath path, std::uint64_t jit_after, const std::vector<Word>& words,
                     HartObserver& observer, PathStatistics* statistics = nullptr) {
        HartConfig config = counting_everything(path);
        config.jit_after = jit_after;
        BareMachine machine(config);
        prepare(machine, words);
        machine.hart().add_observer(observer);
        machine.run_in_steps(kCode, kNowhere, 3'000, kLifetime);
        if (statistics != nullptr) {
            *statistics = machine.hart().path_statistics();
        }
        return life_of(machine);
    }
};

TEST_P(HartBlockObserver, HearsTheSameAsOneThatTakesInstructions) {
    for (unsigned seed = GetParam(); seed < GetParam() + 15; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        const std::vector<Word> words = random_loop(random, random_instruction);
        StepRecorder expected;
        const Life stepped = live(ExecutionPath::Step, kNever, words, expected);
        ASSERT_GT(expected.steps.size(), 1'000U);
        for (const std::uint64_t jit_after : {kNever, std::uint64_t{1}}) {
            for (const std::size_t ahead : {0U, 1U, 3U, 5U, 64U, 1'000U}) {
                SCOPED_TRACE(testing::Message() << ahead << " blocks ahead, " << jit_after);
                BlockRecorder recorder(ahead, seed);
                expect_equal(live(ExecutionPath::Auto, jit_after, words, recorder), stepped);
                ASSERT_EQ(recorder.steps, expected.steps);
                EXPECT_GT(recorder.blocks, 0U);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Each, HartBlockObserver, testing::Values(0U, 100U, 200U, 300U));

/// An inner loop, and a branch back around it.
const std::vector<Word>& plain_loop() {
    static const std::vector<Word> words{addi(a1, zero, 40), add(a2, a2, a1),    addi(a3, a3, 3),
                                         addi(a1, a1, -1),   bne(a1, zero, -12), j(-20)};
    return words;
}

TEST_F(HartBlockObserver, LeavesTheHartInItsBlocks) {
    BlockRecorder recorder(64, 0);
    PathStatistics path;
    const Life life = live(ExecutionPath::Auto, 1, plain_loop(), recorder, &path);
    EXPECT_GT(path.in_blocks, life.instret * 9 / 10);
    EXPECT_GT(path.native_nodes, 0U);
    EXPECT_GT(recorder.blocks, life.instret / 10);
}

TEST_F(HartBlockObserver, IsToldTheWordOfTheLastInstruction) {
    BlockRecorder recorder(1, 0);
    live(ExecutionPath::Auto, kNever, plain_loop(), recorder);
    ASSERT_FALSE(recorder.words.empty());
    for (const auto& [pc, word] : recorder.words) {
        EXPECT_EQ(word, plain_loop().at((pc - kCode) / 4)) << std::hex << pc;
    }
}

TEST_F(HartBlockObserver, TakesInstructionsAsLongAsAnotherOneDoes) {
    BlockRecorder blocks(64, 0);
    StepRecorder steps;
    BareMachine machine(counting_everything(ExecutionPath::Auto));
    prepare(machine, plain_loop());
    machine.hart().add_observer(blocks);
    machine.run(kCode, kNowhere, 10'000);
    const std::uint64_t before = blocks.blocks;
    EXPECT_GT(before, 0U);
    machine.hart().add_observer(steps);
    machine.resume(kNowhere, 10'000);
    EXPECT_EQ(blocks.blocks, before);
    ASSERT_GT(steps.steps.size(), 1'000U);
    EXPECT_TRUE(std::equal(steps.steps.rbegin(), steps.steps.rend(), blocks.steps.rbegin()));
    machine.hart().remove_observer(steps);
    machine.resume(kNowhere, 10'000);
    EXPECT_GT(blocks.blocks, before);
}

TEST_F(HartBlockObserver, MayLeaveInTheMiddleOfABlock) {
    StepRecorder expected;
    const Life stepped = live(ExecutionPath::Step, kNever, plain_loop(), expected);
    BareMachine machine(counting_everything(ExecutionPath::Auto));
    prepare(machine, plain_loop());
    BlockRecorder recorder(64, 0);
    recorder.on_block = [&] {
        if (recorder.blocks == 500) {
            machine.hart().remove_observer(recorder);
        }
    };
    machine.hart().add_observer(recorder);
    machine.run_in_steps(kCode, kNowhere, 3'000, kLifetime);
    expect_equal(life_of(machine), stepped);
    EXPECT_EQ(recorder.blocks, 500U);
    ASSERT_LT(recorder.steps.size(), expected.steps.size());
    EXPECT_TRUE(std::equal(recorder.steps.begin(), recorder.steps.end(), expected.steps.begin()));
}

} // namespace
} // namespace pes::test

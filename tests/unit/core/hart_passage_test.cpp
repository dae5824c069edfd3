// SPDX-License-Identifier: Apache-2.0
// The way of each instruction through the pipeline, as a sink is told of it.
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace pes::test {
namespace {

constexpr Cycle kPassageCycles = 30'000;

/// What is told, in order.
class PassageRecorder : public HartObserver, public PassageSink {
  public:
    struct Instruction {
        Address pc = 0;
        Passage passage{};
        std::vector<Wait> waits;
        bool trapped = false;
        Cycle ended = 0; ///< as the observers hear
        std::optional<std::uint32_t> word{};
    };

    explicit PassageRecorder(Hart& hart) : hart_(hart) {}

    void passed(const Passage& passage) override {
        EXPECT_FALSE(last_.has_value());
        last_ = {.passage = passage, .waits = {passage.waits.begin(), passage.waits.end()}};
    }
    void discarded(const DiscardedPassage& passage) override { thrown_away.push_back(passage); }
    void retired(const Retirement& retirement) override {
        end(retirement.pc, retirement.cycle, false);
        if (retirement.cycle >= leave_in) {
            hart_.leave_pipeline(*this);
        }
    }
    void trapped(const TrapTaken& trap) override {
        end(trap.epc, trap.cycle, true);
        seen.back().word = hart_.word_in_decode();
    }

    std::vector<Instruction> seen;
    std::vector<DiscardedPassage> thrown_away;
    Cycle leave_in = kNever;

  private:
    /// The one in decode when the watch begins has no passage if it began without.
    void end(Address pc, Cycle cycle, bool trapped) {
        ASSERT_TRUE(last_.has_value());
        last_->pc = pc;
        last_->ended = cycle;
        last_->trapped = trapped;
        EXPECT_EQ(last_->passage.ended, cycle);
        seen.push_back(*last_);
        last_.reset();
    }

    Hart& hart_;
    std::optional<Instruction> last_;
};

Cycle cost(const PassageRecorder::Instruction& instruction, CycleReason reason) {
    Cycle sum = 0;
    for (std::size_t index = 1; index < instruction.waits.size(); ++index) {
        if (instruction.waits[index].reason == reason) {
            sum += instruction.waits[index].until - instruction.waits[index - 1].until;
        }
    }
    return sum;
}

Cycle miss_cycles() {
    return BareMachine::default_config().timing.miss_cycles();
}

TEST(HartPassage, ASimpleInstructionIsFetchedInThreeCyclesAndRetiresThreeBehindDecode) {
    BareMachine machine;
    PassageRecorder recorder(machine.hart());
    machine.hart().watch_pipeline(recorder, recorder, 0);
    machine.execute({addi(a0, zero, 1), addi(a1, zero, 2), addi(a2, zero, 3), addi(a3, zero, 4)});
    ASSERT_EQ(recorder.seen.size(), 4U);
    EXPECT_EQ(recorder.seen.front().pc, kCode);
    const Passage& first = recorder.seen.front().passage;
    const Cycle missed = cost(recorder.seen.front(), CycleReason::L1IMiss);
    EXPECT_GE(missed, miss_cycles()); // more if the memory port is not free
    EXPECT_EQ(first.offered, first.requested + 3 + missed - 1);
    for (std::size_t index = 1; index < recorder.seen.size(); ++index) {
        const Passage& passage = recorder.seen[index].passage;
        EXPECT_EQ(passage.requested + 3, passage.offered);
        EXPECT_EQ(passage.issue, passage.decode + 1);
        EXPECT_EQ(passage.ready, passage.decode + 3);
        EXPECT_EQ(passage.ended, passage.decode + 3);
        EXPECT_FALSE(passage.request.has_value());
    }
}

TEST(HartPassage, ALoadThatMissesMakesItsUserWait) {
    BareMachine machine;
    machine.set(sp, BareMachine::kData);
    PassageRecorder recorder(machine.hart());
    machine.hart().watch_pipeline(recorder, recorder, 0);
    machine.execute({addi(a0, zero, 1), ld(a1, sp, 0), add(a2, a1, a1)});
    ASSERT_EQ(recorder.seen.size(), 3U);
    const PassageRecorder::Instruction& load = recorder.seen[1];
    const PassageRecorder::Instruction& user = recorder.seen[2];
    EXPECT_EQ(load.passage.request, load.passage.issue + 1);
    EXPECT_GE(cost(load, CycleReason::L1DMiss), miss_cycles());
    EXPECT_GT(cost(user, CycleReason::Dependency), miss_cycles());
    EXPECT_GE(user.passage.issue + 1, load.passage.ready);
}

TEST(HartPassage, TheOperandThatIssueWaitsForIsTold) {
    BareMachine machine;
    machine.set(sp, BareMachine::kData);
    PassageRecorder recorder(machine.hart());
    machine.hart().watch_pipeline(recorder, recorder, 0);
    machine.execute({addi(a0, zero, 1), ld(a1, sp, 0), add(a2, a0, a1), add(a3, a0, a0)});
    ASSERT_EQ(recorder.seen.size(), 4U);
    const auto registers = [&recorder](std::size_t index) {
        return recorder.seen[index].passage.registers;
    };
    EXPECT_EQ(registers(1).written, a1);
    EXPECT_EQ(registers(1).read[0], sp);
    EXPECT_EQ(registers(2).awaited, a1);
    EXPECT_EQ(registers(2).read[0], a0);
    EXPECT_EQ(registers(2).read[1], a1);
    EXPECT_EQ(registers(3).awaited, kNoRegister);
}

TEST(HartPassage, TwoWatchTogetherAndEachLeavesForItself) {
    BareMachine machine;
    PassageRecorder first(machine.hart());
    PassageRecorder second(machine.hart());
    machine.hart().watch_pipeline(first, first, 0);
    machine.hart().watch_pipeline(second, second, 0);
    first.leave_in = 0; // after one instruction
    machine.execute({addi(a0, zero, 1), addi(a1, zero, 2), addi(a2, zero, 3)});
    EXPECT_EQ(first.seen.size(), 1U);
    ASSERT_EQ(second.seen.size(), 3U);
    EXPECT_EQ(second.seen.front().passage.ended, first.seen.front().passage.ended);
}

TEST(HartPassage, WhatABranchThrowsAwayIsTold) {
    BareMachine machine;
    PassageRecorder recorder(machine.hart());
    machine.hart().watch_pipeline(recorder, recorder, 0);
    // Forward branches are first predicted not to be taken.
    machine.execute({addi(a0, zero, 1), addi(a1, zero, 1), beq(a0, a1, 16), addi(a2, zero, 2),
                     addi(a3, zero, 3), addi(a4, zero, 4), addi(a5, zero, 5)});
    ASSERT_EQ(recorder.seen.size(), 4U);
    EXPECT_EQ(recorder.seen.back().pc, kCode + 24);
    ASSERT_FALSE(recorder.thrown_away.empty());
    const Cycle resolved = recorder.seen[2].passage.issue + 1;
    Address pc = kCode + 12;
    for (const DiscardedPassage& passage : recorder.thrown_away) {
        EXPECT_EQ(passage.pc, pc);
        EXPECT_EQ(passage.raw, machine.peek<std::uint32_t>(pc));
        EXPECT_EQ(passage.flush, resolved);
        EXPECT_LE(passage.decode, passage.flush);
        EXPECT_LT(passage.requested, passage.decode);
        pc += 4;
    }
    EXPECT_GT(recorder.seen.back().passage.requested, resolved);
}

TEST(HartPassage, AnInstructionThatTrapsHasAPassageAndItsWord) {
    BareMachine machine;
    machine.stop_at_traps();
    PassageRecorder recorder(machine.hart());
    machine.hart().watch_pipeline(recorder, recorder, 0);
    machine.execute({addi(a0, zero, 1), 0xFFFF'FFFF, addi(a1, zero, 1)});
    ASSERT_GE(recorder.seen.size(), 2U);
    EXPECT_TRUE(recorder.seen[1].trapped);
    EXPECT_EQ(recorder.seen[1].word, 0xFFFF'FFFFU);
    EXPECT_LT(recorder.seen[1].passage.issue, recorder.seen[1].ended);
    ASSERT_FALSE(recorder.thrown_away.empty());
    EXPECT_EQ(recorder.thrown_away.front().flush, recorder.seen[1].ended);
}

TEST(HartPassage, AFetchThatFailsHasAPassageWithoutWord) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.set(a0, 0x4000'0000); // nothing is there
    PassageRecorder recorder(machine.hart());
    machine.hart().watch_pipeline(recorder, recorder, 0);
    machine.execute({jalr(zero, a0, 0)});
    ASSERT_GE(recorder.seen.size(), 2U);
    EXPECT_EQ(recorder.seen[1].pc, 0x4000'0000U);
    EXPECT_TRUE(recorder.seen[1].trapped);
    EXPECT_FALSE(recorder.seen[1].word.has_value());
    EXPECT_LT(recorder.seen[1].passage.decode, recorder.seen[1].ended);
}

/// An inner loop that the fast path likes.
void set_up_passages(BareMachine& machine) {
    machine.set(sp, BareMachine::kData);
    machine.place(kCode, {addi(a7, zero, 40), add(a1, sp, a2), ld(a3, a1, 0), addi(a2, a2, 8),
                          mul(a4, a3, a2), sd(a4, a1, 8), addi(a7, a7, -1), bne(a7, zero, -24),
                          addi(a2, zero, 0), addi(a5, a5, 1), j(-40)});
}

TEST(HartPassage, AWatchBeginsInItsCycleAndChangesNothing) {
    constexpr Cycle kFrom = 10'000;
    constexpr Cycle kTo = 12'000;
    BareMachine stepped;
    set_up_passages(stepped);
    stepped.run(kCode, kNowhere, kPassageCycles);
    BareMachine machine;
    set_up_passages(machine);
    machine.stop_observing();
    PassageRecorder recorder(machine.hart());
    recorder.leave_in = kTo;
    machine.hart().watch_pipeline(recorder, recorder, kFrom);
    machine.run(kCode, kNowhere, kPassageCycles);
    expect_equal(life_of(machine), life_of(stepped));

    ASSERT_FALSE(recorder.seen.empty());
    EXPECT_GE(recorder.seen.front().passage.decode, kFrom);
    EXPECT_LT(recorder.seen.front().passage.decode, kFrom + 20);
    EXPECT_LT(recorder.seen.back().ended, kTo + 20);
    auto retirement = std::ranges::find_if(stepped.retirements(), [&](const Retirement& one) {
        return one.cycle == recorder.seen.front().ended && one.pc == recorder.seen.front().pc;
    });
    for (const PassageRecorder::Instruction& instruction : recorder.seen) {
        ASSERT_NE(retirement, stepped.retirements().end());
        EXPECT_EQ(instruction.pc, retirement->pc);
        EXPECT_EQ(instruction.ended, retirement->cycle);
        ++retirement;
    }
    const PathStatistics& path = machine.hart().path_statistics();
    EXPECT_GT(path.in_blocks, stepped.retirements().size() / 2);
}

} // namespace
} // namespace pes::test

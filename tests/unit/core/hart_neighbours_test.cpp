// SPDX-License-Identifier: Apache-2.0
// Two harts on one memory: what ends a reservation (unprivileged specification, "Load-Reserved/
// Store-Conditional Instructions"), and how a hart sleeps beside another.
#include "tests/unit/core/bare_machine.h"

#include "hw/core/arch/csr_numbers.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace pes::test {
namespace {

using End = BareMachine::End;

constexpr Address kWord = BareMachine::kData;
constexpr Address kCodeOfOther = BareMachine::kCode + 0x1000;

HartConfig with_misaligned_access() {
    HartConfig config = BareMachine::default_config();
    config.misaligned_access = true;
    return config;
}

class TwoHarts : public testing::Test {
  protected:
    TwoHarts() : first(with_misaligned_access()), second(first, with_misaligned_access()) {
        second.set(a0, kWord);
        // The page is one that the second hart stores to without asking anybody.
        run_second({sd(zero, a0, 0), ld(zero, a0, 0)});
    }

    void run_second(std::initializer_list<Word> words) {
        second.hart().resume_among_neighbours();
        const Address end = second.place(kCodeOfOther, words);
        second.place(end, {j(0), kNop});
        // Code is written anew: what was decoded there is old.
        second.hart().code_changed();
        ASSERT_EQ(second.run(kCodeOfOther, end), End::Reached);
    }

    /// LR of the double word by the first hart, `between` by the second, SC by the first: 0 if it
    /// succeeds.
    std::uint64_t attempt(std::initializer_list<Word> between) {
        first.set(a0, kWord);
        first.set(a2, 77);
        const Address middle = first.place(BareMachine::kCode, {lr(Width::Double, a1, a0)});
        const Address end = first.place(middle, {sc(Width::Double, a3, a2, a0)});
        first.place(end, {j(0)});
        EXPECT_EQ(first.run(BareMachine::kCode, middle), End::Reached);
        run_second(between);
        first.hart().resume_among_neighbours();
        EXPECT_EQ(first.resume(end), End::Reached);
        return first.get(a3);
    }

    BareMachine first;
    BareMachine second;
};

TEST_F(TwoHarts, AReservationLastsWhileTheOtherHartDoesNotStoreToTheWord) {
    EXPECT_EQ(attempt({kNop}), 0U);
    EXPECT_EQ(first.peek<std::uint64_t>(kWord), 77U);
    EXPECT_EQ(attempt({ld(a1, a0, 0)}), 0U);
    EXPECT_EQ(attempt({sd(zero, a0, 8)}), 0U) << "the next word";
    EXPECT_EQ(attempt({sd(zero, a0, -8)}), 0U) << "the word before";
    EXPECT_EQ(attempt({lr(Width::Double, a1, a0)}), 0U) << "two harts may reserve one word";
    EXPECT_EQ(attempt({sc(Width::Double, a1, a0, a0)}), 0U) << "an SC that fails stores nothing";
}

TEST_F(TwoHarts, AStoreOfTheOtherHartToTheWordEndsTheReservation) {
    for (const Word store : {sd(zero, a0, 0), sw(zero, a0, 0), sw(zero, a0, 4), sh(zero, a0, 2),
                             sb(zero, a0, 7), amoadd(Width::Word, a1, zero, a0)}) {
        first.poke<std::uint64_t>(kWord, 5);
        EXPECT_EQ(attempt({store}), 1U) << std::hex << store;
        EXPECT_NE(first.peek<std::uint64_t>(kWord), 77U);
    }
}

TEST_F(TwoHarts, AMisalignedStoreIntoTheWordEndsItToo) {
    EXPECT_EQ(attempt({sd(zero, a0, -4)}), 1U);
    EXPECT_EQ(attempt({sw(zero, a0, 6)}), 1U);
    EXPECT_EQ(attempt({sw(zero, a0, -6)}), 0U) << "it ends two bytes before the word";
}

TEST_F(TwoHarts, OfTwoHartsThatHaveReservedAWordOneSucceeds) {
    second.set(a4, 99);
    EXPECT_EQ(attempt({lr(Width::Double, a1, a0), sc(Width::Double, a3, a4, a0)}), 1U);
    EXPECT_EQ(second.get(a3), 0U);
    EXPECT_EQ(first.peek<std::uint64_t>(kWord), 99U);
}

TEST_F(TwoHarts, EachStoreToAReservedPageIsSeen) {
    EXPECT_EQ(attempt({sd(zero, a0, 64), sd(zero, a0, 128), sd(zero, a0, 0)}), 1U);
}

TEST_F(TwoHarts, WrittenCodeRunsAfterTheReadersOwnFence) {
    const Address code = BareMachine::kCode;
    const Address end = first.place(code, {addi(a1, zero, 1), kNop});
    ASSERT_EQ(first.run(code, end), End::Reached);
    second.set(a1, addi(a1, zero, 2));
    second.set(a0, code);
    run_second({sw(a1, a0, 0), kFenceI});
    ASSERT_EQ(first.run(code, end), End::Reached);
    EXPECT_EQ(first.get(a1), 1U) << "a fence of the writer is not enough";
    first.hart().code_changed();
    ASSERT_EQ(first.run(code, end), End::Reached);
    EXPECT_EQ(first.get(a1), 2U);
}

TEST_F(TwoHarts, ASleepingHartFollowsItsCallersTime) {
    first.place(BareMachine::kCode, {kWfi, addi(a1, zero, 1), j(0)});
    const Address end = BareMachine::kCode + 8;
    first.set(a1, 0);
    first.set_csr(csr::kMie, 1U << 7);
    EXPECT_EQ(first.run(BareMachine::kCode, end), End::Waiting);
    const Cycle fell_asleep = first.hart().now();
    EXPECT_TRUE(first.hart().sleeps());
    EXPECT_LT(fell_asleep, 1000U) << "no time passes that nobody has asked for";
    first.hart().set_interrupt(Interrupt::MachineTimer, true, 5000);
    EXPECT_EQ(first.hart().wakes_by_itself(), 5000U);
    EXPECT_EQ(first.resume(end, 4000), End::Waiting);
    EXPECT_EQ(first.hart().now(), fell_asleep + 4000);
    EXPECT_EQ(first.resume(end), End::Reached);
    EXPECT_FALSE(first.hart().sleeps());
    EXPECT_GE(first.retirements().back().cycle, 5000U);
    EXPECT_LT(first.retirements().back().cycle, 5020U);
}

} // namespace
} // namespace pes::test

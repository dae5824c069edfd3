// SPDX-License-Identifier: Apache-2.0
// The promise behind the two-speed hart: inside safe_cycles() no line moves whatever the hart does,
// and the bound is the largest such number.
#include "hw/hpm/tlm_bank.h"
#include "tests/unit/hpm/bank_bench.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr Cycle kPracticallyForever = 1'000'000'000'000;

class SafeCycles : public testing::Test {
  protected:
    void arm_loads(std::uint64_t count, std::uint64_t threshold) {
        bench.write(kEvent3, 5);
        bench.write(kCounter3, count);
        bench.write(csr::kMhpmthreshold3, threshold);
    }
    TlmCounterBank bank;
    BankBench bench{bank};
};

TEST_F(SafeCycles, NothingArmedIsPracticallyForeverAndDoesNotOverflow) {
    EXPECT_GT(bank.safe_cycles(), kPracticallyForever);
    EXPECT_GT(bank.now() + bank.safe_cycles(), bank.now());
}

TEST_F(SafeCycles, EndsOneCycleBeforeAnEventCounterCanReachItsThreshold) {
    arm_loads(0, 100);
    EXPECT_EQ(bank.safe_cycles(), 99U);
    bench.cycles(99, {Event::Load});
    EXPECT_EQ(bank.safe_cycles(), 0U);
    EXPECT_FALSE(bench.irq());
    bench.cycle({Event::Load});
    EXPECT_TRUE(bench.irq());
}

TEST_F(SafeCycles, CountedSourcesAreThoseSelectedAndOneThatIsAboutToBe) {
    EXPECT_EQ(bank.counted(), EventMask());
    bench.write(kEvent3, 5);
    EXPECT_EQ(bank.counted(), event_bit(Event::Load));
    bank.write(kEvent3 + 1, 6);
    EXPECT_EQ(bank.counted(), event_bit(Event::Load) | event_bit(Event::Store));
    bench.cycle();
    EXPECT_EQ(bank.counted(), event_bit(Event::Load) | event_bit(Event::Store));
    bench.write(csr::kMcountinhibit, 0x18); // they may go on at any time
    EXPECT_EQ(bank.counted(), event_bit(Event::Load) | event_bit(Event::Store));
}

// Pulses of a source that nobody has counted may be in the totals alone.
TEST_F(SafeCycles, ACounterBeginsWithTheTotalsThatItIsTold) {
    bench.cycles(10);
    EventTotals totals = bench.totals();
    totals.events[static_cast<std::size_t>(Event::L1IAccess)] = 7;
    bank.write(kEvent3, 16);
    bank.set_totals(totals);
    bench.cycle({Event::L1IAccess}); // the write is applied behind it
    EXPECT_EQ(bench.read(kCounter3), 0U);
    totals.events[static_cast<std::size_t>(Event::L1IAccess)] = 8 + 3;
    bank.advance(totals, bank.now() + 20);
    EXPECT_EQ(bench.read(kCounter3), 3U);
}

TEST_F(SafeCycles, CountsTwoInstructionsACycleForInstret) {
    bench.write(csr::kMhpmthresholdInstret, 101);
    EXPECT_EQ(bank.safe_cycles(), 50U); // 100 instructions at most
    bench.write(csr::kMhpmthresholdInstret, 100);
    EXPECT_EQ(bank.safe_cycles(), 49U); // 50 cycles could retire all 100
}

TEST_F(SafeCycles, CycleCounterHasOneCertainCrossing) {
    bench.write(csr::kMhpmthresholdCycle, 1001); // mcycle is 1 after this
    ASSERT_EQ(bank.safe_cycles(), 999U);
    bench.advance(999);
    EXPECT_EQ(bench.read(csr::kMcycle), 1000U);
    EXPECT_EQ(bank.safe_cycles(), 0U);
    bench.cycle();
    EXPECT_TRUE(bench.irq());
    EXPECT_EQ(bench.irq_since(), 1002U); // the first cycle in which mcycle reads 1001
}

TEST_F(SafeCycles, TakesTheNearestOfSeveralComparators) {
    arm_loads(0, 100);
    bench.write(csr::kMhpmthresholdInstret, 61);
    EXPECT_EQ(bank.safe_cycles(), 30U);
}

TEST_F(SafeCycles, InhibitedOrEventlessCountersDoNotBound) {
    arm_loads(0, 2);
    bench.write(csr::kMcountinhibit, 0x8);
    EXPECT_GT(bank.safe_cycles(), kPracticallyForever);
    bench.write(csr::kMcountinhibit, 0);
    EXPECT_EQ(bank.safe_cycles(), 1U);
    bench.write(kEvent3, 0);
    EXPECT_GT(bank.safe_cycles(), kPracticallyForever);
    bench.write(kEvent3, 31); // reserved selector
    EXPECT_GT(bank.safe_cycles(), kPracticallyForever);
}

TEST_F(SafeCycles, IsZeroWhileAWriteIsPending) {
    bank.write(csr::kMhpmmoffset, 8);
    EXPECT_EQ(bank.safe_cycles(), 0U);
    bench.cycle();
    EXPECT_GT(bank.safe_cycles(), kPracticallyForever);
}

TEST_F(SafeCycles, RenewsItsBoundAfterASpanWithFewEvents) {
    arm_loads(0, 100);
    bench.advance(99, Event::Load, 10);
    EXPECT_EQ(bank.safe_cycles(), 89U);
}

TEST_F(SafeCycles, LineThatIsHighStaysHighUntilTheCounterCanWrap) {
    arm_loads(~std::uint64_t{0} - 10, 5);
    ASSERT_TRUE(bench.irq());
    ASSERT_EQ(bank.safe_cycles(), 10U);
    bench.advance(10, Event::Load, 10);
    EXPECT_TRUE(bench.irq());
    bench.cycle({Event::Load}); // wraps to 0
    EXPECT_FALSE(bench.irq());
    EXPECT_EQ(bench.irq_since(), bench.now() + 1);
}

TEST_F(SafeCycles, HighLineOfAnInhibitedCounterIsForGood) {
    arm_loads(7, 5);
    bench.write(csr::kMhpmthresholdCycle, kPracticallyForever);
    bench.write(csr::kMcountinhibit, 0x8);
    EXPECT_GT(bank.safe_cycles(), kPracticallyForever);
}

TEST_F(SafeCycles, SpansReadLikeSingleCycles) {
    bench.write(kEvent3, 5);
    bench.advance(1000, Event::Load, 300, 700);
    EXPECT_EQ(bench.read(kCounter3), 300U);
    EXPECT_EQ(bench.read(csr::kMcycle), 1001U);
    EXPECT_EQ(bench.read(csr::kMinstret), 700U);
    EXPECT_EQ(bench.now(), 1001U);
}

using SafeCyclesDeathTest = SafeCycles;

TEST_F(SafeCyclesDeathTest, AdvanceBeyondTheBoundAborts) {
    arm_loads(0, 100);
    EXPECT_DEATH(bench.advance(100, Event::Load, 100), "beyond safe_cycles");
}

TEST_F(SafeCyclesDeathTest, MoreThanOnePulseACycleAborts) {
    arm_loads(0, 100);
    EXPECT_DEATH(bench.advance(50, Event::Load, 100), "inside a safe span.*53");
}

TEST_F(SafeCyclesDeathTest, SkippedCycleAborts) {
    EXPECT_DEATH(bank.tick({}, 2), "skips or repeats");
}

TEST_F(SafeCyclesDeathTest, SecondWriteInOneCycleAborts) {
    bank.write(csr::kMcycle, 1);
    EXPECT_DEATH(bank.write(csr::kMinstret, 1), "two CSR writes");
}

TEST_F(SafeCyclesDeathTest, ForeignCsrAborts) {
    EXPECT_DEATH(bank.read(0x300), "does not own");
    EXPECT_DEATH(bank.write(0xB01, 0), "does not own");
}

TEST_F(SafeCyclesDeathTest, ConfigurationOutOfRangeAborts) {
    EXPECT_DEATH(TlmCounterBank(CounterConfig{.programmable = 30}), "out of range");
    EXPECT_DEATH(TlmCounterBank(CounterConfig{.width = 31}), "out of range");
    EXPECT_DEATH(TlmCounterBank(CounterConfig{.width = 65}), "out of range");
}

// --- The same promise in pulses ------------------------------------------------------------------

TEST_F(SafeCycles, RoomIsOnePulseShortOfTheThresholdAndUnboundedElsewhere) {
    bench.cycles(7, {Event::Load});
    arm_loads(0, 100);
    const PulseRoom room = bank.room();
    EXPECT_EQ(room.most(Event::Load), 7U + 99U);
    EXPECT_FALSE(room.bounded.has(Event::Store));
    EXPECT_EQ(room.retired, kNever);
    EXPECT_EQ(room.cycle, kNever);
}

TEST_F(SafeCycles, AnySpanInsideTheRoomIsLegal) {
    arm_loads(0, 100);
    bench.advance(1'000'000, Event::Load, 99);
    EXPECT_FALSE(bench.irq());
    bench.cycle({Event::Load});
    EXPECT_TRUE(bench.irq());
}

TEST_F(SafeCycles, RoomOfTheFixedCountersIsInCyclesAndInstructions) {
    bench.write(csr::kMhpmthresholdInstret, 101);
    bench.write(csr::kMhpmthresholdCycle, 1001);
    EXPECT_EQ(bank.room().retired, 100U);
    EXPECT_EQ(bank.room().cycle, 1000U);
}

TEST_F(SafeCycles, ThereIsNoRoomWhileALineIsHighOrAWriteIsPending) {
    arm_loads(0, 1);
    bench.cycle({Event::Load});
    ASSERT_TRUE(bench.irq());
    EXPECT_FALSE(bank.room().holds({}, bank.now()));
    bench.write(csr::kMhpmthreshold3, 100);
    bank.write(kCounter3, 0);
    EXPECT_FALSE(bank.room().holds({}, bank.now()));
}

} // namespace
} // namespace pes::test

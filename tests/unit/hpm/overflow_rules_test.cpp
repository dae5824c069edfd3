// SPDX-License-Identifier: Apache-2.0
// Overflow bit, overflow request and privilege filters, one test a rule, run on the model and on
// the naive reference. Source: RISC-V privileged specification, chapters Sscofpmf and Smcntrpmf.
#include "hw/hpm/tlm_bank.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/reference_bank.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint16_t kCycleConfig = 0x321, kInstretConfig = 0x322;
constexpr std::uint64_t kSelectCycles = 23;
constexpr std::uint64_t kSelectInstructions = 24;
constexpr std::uint64_t kNotInSupervisor = 1ULL << 61, kNotInUser = 1ULL << 60;

template <typename Bank>
class OverflowRules : public testing::Test {
  protected:
    /// Counter 3 counts loads and is one before its wrap; OF = 0.
    void arm() {
        bench.write(kEvent3, kSelectLoad);
        bench.write(kCounter3, kAllOnes);
    }

    Bank bank{};
    BankBench bench{bank};
};

using Banks = testing::Types<TlmCounterBank, ReferenceBank>;
TYPED_TEST_SUITE(OverflowRules, Banks);

TYPED_TEST(OverflowRules, WrapSetsTheBitAndRequestsForTheOneCycleThatFollows) {
    this->arm();
    EXPECT_FALSE(this->bench.overflow());
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    EXPECT_EQ(this->bench.read(kEvent3), kOverflow | kSelectLoad);
    EXPECT_EQ(this->bench.read(kScountovf), 1U << 3);
    EXPECT_TRUE(this->bench.overflow());
    EXPECT_EQ(this->bench.overflow_since(), this->bench.now() + 1);
    this->bench.cycle();
    EXPECT_FALSE(this->bench.overflow());
    EXPECT_EQ(this->bench.overflow_since(), this->bench.now() + 1);
    EXPECT_EQ(this->bench.read(kScountovf), 1U << 3) << "the bit is sticky";
}

TYPED_TEST(OverflowRules, WithTheBitSetACounterGoesOnAndRequestsNothing) {
    this->bench.write(kEvent3, kOverflow | kSelectLoad);
    this->bench.write(kCounter3, kAllOnes);
    this->bench.cycle({Event::Load});
    EXPECT_FALSE(this->bench.overflow());
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
    EXPECT_FALSE(this->bench.overflow());
}

TYPED_TEST(OverflowRules, ClearedBitLetsTheNextOverflowRequestAgain) {
    this->arm();
    this->bench.cycle({Event::Load});
    this->bench.write(kEvent3, kSelectLoad);
    EXPECT_EQ(this->bench.read(kScountovf), 0U);
    this->bench.write(kCounter3, kAllOnes - 1);
    this->bench.cycle({Event::Load});
    EXPECT_FALSE(this->bench.overflow());
    this->bench.cycle({Event::Load});
    EXPECT_TRUE(this->bench.overflow());
}

TYPED_TEST(OverflowRules, WrapWhileTheBitWasSetIsForgottenWhenItIsCleared) {
    this->bench.write(kEvent3, kOverflow | kSelectLoad);
    this->bench.write(kCounter3, kAllOnes);
    this->bench.cycle({Event::Load});
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.cycle({Event::Load});
    EXPECT_FALSE(this->bench.overflow());
    EXPECT_EQ(this->bench.read(kEvent3), kSelectLoad);
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
}

TYPED_TEST(OverflowRules, WritesNeverOverflow) {
    this->arm();
    this->bench.write(kCounter3, 0);
    this->bench.write(kCounter3, kAllOnes, {Event::Load});
    EXPECT_FALSE(this->bench.overflow());
    EXPECT_EQ(this->bench.read(kScountovf), 0U);
}

TYPED_TEST(OverflowRules, SoftwareMaySetTheBitWithoutARequest) {
    this->bench.write(kEvent3, kOverflow);
    EXPECT_EQ(this->bench.read(kScountovf), 1U << 3);
    EXPECT_FALSE(this->bench.overflow());
}

TYPED_TEST(OverflowRules, OverflowRegisterDropsWrites) {
    this->bench.write(kScountovf, kAllOnes);
    EXPECT_EQ(this->bench.read(kScountovf), 0U);
}

TYPED_TEST(OverflowRules, EachOverflowOfTwoCyclesInSequenceIsRequested) {
    this->arm();
    this->bench.write(kEvent4, kSelectStore);
    this->bench.write(kCounter4, kAllOnes);
    this->bench.cycle({Event::Load});
    this->bench.cycle({Event::Store});
    EXPECT_TRUE(this->bench.overflow());
    this->bench.cycle();
    EXPECT_FALSE(this->bench.overflow());
    EXPECT_EQ(this->bench.read(kScountovf), 0x18U);
}

TYPED_TEST(OverflowRules, InhibitedCounterDoesNotOverflow) {
    this->arm();
    this->bench.write(csr::kMcountinhibit, 1U << 3);
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kScountovf), 0U);
    EXPECT_EQ(this->bench.read(kCounter3), kAllOnes);
}

TYPED_TEST(OverflowRules, FixedCountersWrapWithoutARequest) {
    this->bench.write(csr::kMcycle, kAllOnes);
    this->bench.write(csr::kMinstret, kAllOnes);
    this->bench.cycles(2, {}, 1);
    EXPECT_FALSE(this->bench.overflow());
    EXPECT_EQ(this->bench.read(kScountovf), 0U);
}

TYPED_TEST(OverflowRules, CyclesAndInstructionsCountInAProgrammableCounter) {
    this->bench.write(kEvent3, kSelectCycles);
    this->bench.write(kEvent4, kSelectInstructions);
    const std::uint64_t cycles = this->bench.read(kCounter3);
    this->bench.cycle({}, 2);
    this->bench.cycle({}, 0);
    this->bench.cycle({}, 1);
    EXPECT_EQ(this->bench.read(kCounter3) - cycles, 3U);
    EXPECT_EQ(this->bench.read(kCounter4), 3U);
}

TYPED_TEST(OverflowRules, InstructionsMayStepOverTheWrap) {
    this->bench.write(kEvent3, kSelectInstructions);
    this->bench.write(kCounter3, kAllOnes);
    this->bench.cycle({}, 2);
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
    EXPECT_TRUE(this->bench.overflow());
}

TYPED_TEST(OverflowRules, FilterStopsACounterInItsModeOnly) {
    const std::pair<std::uint64_t, Privilege> filters[] = {
        {kNotInMachine, Privilege::Machine},
        {kNotInSupervisor, Privilege::Supervisor},
        {kNotInUser, Privilege::User}};
    for (const auto& [filter, stopped] : filters) {
        this->bench.write(kEvent3, filter | kSelectLoad);
        for (const Privilege mode : {Privilege::User, Privilege::Supervisor, Privilege::Machine}) {
            this->bench.change_privilege(mode);
            this->bench.cycle();
            const std::uint64_t before = this->bench.read(kCounter3);
            this->bench.cycle({Event::Load});
            EXPECT_EQ(this->bench.read(kCounter3) - before, mode == stopped ? 0U : 1U);
        }
    }
}

TYPED_TEST(OverflowRules, ModeOfACycleDecidesAboutItsPulse) {
    this->bench.write(kEvent3, kNotInMachine | kSelectLoad);
    this->bench.change_privilege(Privilege::User); // from the cycle after the next on
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    this->bench.change_privilege(Privilege::Machine);
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
}

TYPED_TEST(OverflowRules, FilterOfAModeThatBeganEarlierTakesEffectAfterItsWrite) {
    this->bench.change_privilege(Privilege::User);
    this->bench.cycles(3, {Event::Load});
    this->bench.write(kEvent3, kNotInUser | kSelectLoad);
    this->bench.cycles(3, {Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    this->bench.write(kEvent3, kNotInMachine | kSelectLoad);
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
}

TYPED_TEST(OverflowRules, FilteredCounterDoesNotOverflow) {
    this->arm();
    this->bench.write(kEvent3, kNotInMachine | kSelectLoad);
    this->bench.cycle({Event::Load});
    EXPECT_FALSE(this->bench.overflow());
    EXPECT_EQ(this->bench.read(kCounter3), kAllOnes);
}

TYPED_TEST(OverflowRules, FixedCountersHaveFiltersOfTheirOwn) {
    this->bench.write(kCycleConfig, kAllOnes);
    this->bench.write(kInstretConfig, kAllOnes);
    const std::uint64_t all = kNotInMachine | kNotInSupervisor | kNotInUser;
    EXPECT_EQ(this->bench.read(kCycleConfig), all) << "no OF, no VS, no VU";
    EXPECT_EQ(this->bench.read(kInstretConfig), all);

    this->bench.write(kCycleConfig, kNotInMachine);
    this->bench.write(kInstretConfig, kNotInUser);
    const std::uint64_t cycles = this->bench.read(csr::kMcycle);
    const std::uint64_t instructions = this->bench.read(csr::kMinstret);
    this->bench.change_privilege(Privilege::User);
    this->bench.cycle({}, 1); // M
    EXPECT_EQ(this->bench.read(csr::kMcycle), cycles);
    EXPECT_EQ(this->bench.read(csr::kMinstret), instructions + 1);
    this->bench.cycle({}, 1); // U
    EXPECT_EQ(this->bench.read(csr::kMcycle), cycles + 1);
    EXPECT_EQ(this->bench.read(csr::kMinstret), instructions + 1);
}

template <typename Bank>
class OverflowShapes : public testing::Test {};
TYPED_TEST_SUITE(OverflowShapes, Banks);

TYPED_TEST(OverflowShapes, NarrowCounterOverflowsAtItsOwnWidth) {
    TypeParam bank(CounterConfig{.width = 40});
    BankBench bench(bank);
    bench.write(kEvent3, kSelectLoad);
    bench.write(kCounter3, (1ULL << 40) - 1);
    bench.cycle({Event::Load});
    EXPECT_EQ(bench.read(kCounter3), 0U);
    EXPECT_EQ(bench.read(kScountovf), 1U << 3);
    EXPECT_TRUE(bench.overflow());
}

TYPED_TEST(OverflowShapes, WithoutSscofpmfThereIsNothingOfIt) {
    TypeParam bank(CounterConfig{.sscofpmf = false});
    BankBench bench(bank);
    EXPECT_FALSE(bank.owns(kScountovf));
    EXPECT_TRUE(bank.owns(kCycleConfig));
    bench.write(kEvent3, kAllOnes);
    EXPECT_EQ(bench.read(kEvent3), 0x1FU);
    bench.write(kEvent3, kSelectCycles);
    bench.write(kEvent4, kSelectInstructions);
    bench.cycles(3, {}, 1);
    EXPECT_EQ(bench.read(kCounter3), 0U);
    EXPECT_EQ(bench.read(kCounter4), 0U);
    bench.write(kEvent3, kSelectLoad);
    bench.write(kCounter3, kAllOnes);
    bench.cycle({Event::Load});
    EXPECT_EQ(bench.read(kCounter3), 0U);
    EXPECT_EQ(bench.read(kEvent3), kSelectLoad);
    EXPECT_FALSE(bench.overflow());
}

TYPED_TEST(OverflowShapes, WithoutSmcntrpmfTheFixedCountersHaveNoFilterRegisters) {
    TypeParam bank(CounterConfig{.smcntrpmf = false});
    EXPECT_FALSE(bank.owns(kCycleConfig));
    EXPECT_FALSE(bank.owns(kInstretConfig));
    EXPECT_TRUE(bank.owns(kScountovf));
}

TYPED_TEST(OverflowShapes, RequestIsNotLostToAWriteOfTheBitInTheSameCycle) {
    TypeParam bank(CounterConfig{.write_freezes = false});
    BankBench bench(bank);
    bench.write(kEvent3, kSelectLoad);
    bench.write(kCounter3, kAllOnes);
    bench.write(kEvent3, kSelectLoad, {Event::Load});
    EXPECT_TRUE(bench.overflow());
    EXPECT_EQ(bench.read(kEvent3), kSelectLoad) << "the written value wins";
}

// --- The promise of quiet cycles
// ------------------------------------------------------------------

TEST(OverflowPromise, ReachesUpToTheLastCycleBeforeTheWrap) {
    TlmCounterBank bank;
    BankBench bench(bank);
    bench.write(kEvent3, kSelectLoad);
    bench.write(kCounter3, kAllOnes - 9);
    EXPECT_EQ(bank.safe_cycles(), 9U); // the tenth load wraps
    EXPECT_EQ(bank.room().most(Event::Load), 9U);
    bench.advance(9, Event::Load, 9);
    EXPECT_EQ(bank.safe_cycles(), 0U);
    bench.cycle({Event::Load});
    EXPECT_TRUE(bench.overflow());
    EXPECT_EQ(bank.safe_cycles(), 0U) << "the request ends with the next cycle";
    bench.cycle();
    EXPECT_GT(bank.safe_cycles(), 1'000'000'000U) << "OF = 1 asks for nothing";
}

TEST(OverflowPromise, TwoInstructionsACycleHalveIt) {
    TlmCounterBank bank;
    BankBench bench(bank);
    bench.write(kEvent3, kSelectInstructions);
    bench.write(kCounter3, kAllOnes - 9);
    EXPECT_EQ(bank.safe_cycles(), 4U); // 8 instructions; 2 more may wrap
    EXPECT_EQ(bank.room().retired, 9U);
}

TEST(OverflowPromise, CounterThatItsFilterStopsBoundsNothing) {
    TlmCounterBank bank;
    BankBench bench(bank);
    bench.write(kEvent3, kNotInMachine | kSelectLoad);
    bench.write(kCounter3, kAllOnes);
    EXPECT_GT(bank.safe_cycles(), 1'000'000'000U);
    const Cycle from = bank.now() + 10;
    bank.set_privilege(Privilege::User, from);
    EXPECT_EQ(bank.safe_cycles(), from - 2 - bank.now()); // the counter runs from then on
    EXPECT_EQ(bank.room().cycle, from - 1);
}

TEST(OverflowPromise, PrivilegeCostsNothingWithoutAFilter) {
    TlmCounterBank bank;
    BankBench bench(bank);
    bench.write(kEvent3, kSelectLoad);
    const Cycle before = bank.safe_cycles();
    for (Cycle from = 10; from < 1000; from += 10) { // more than any queue would hold
        bank.set_privilege(from % 20 == 0 ? Privilege::User : Privilege::Machine, from);
    }
    EXPECT_EQ(bank.safe_cycles(), before);
}

} // namespace
} // namespace pes::test

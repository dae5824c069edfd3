// SPDX-License-Identifier: Apache-2.0
// Counters with the U74's profile, one test a rule, run on the model and on the naive reference.
// Source: U74-MC manual, chapter Hardware Performance Monitor; privileged specification, Sscofpmf.
#include "hw/hpm/tlm_bank.h"
#include "hw/interface/pmu/profile_u74.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/reference_bank.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint64_t kLargest = (1ULL << 40) - 1;
constexpr std::uint16_t kThreshold3 = 0xB23;
constexpr std::uint16_t kInhibit = 0x320;
constexpr std::uint64_t kLoadOrBranch = 0x4200; ///< the manual's example
constexpr std::uint64_t kLoadEvents = 0x0200;

template <typename Bank>
class U74Rules : public testing::Test {
  protected:
    Bank bank{counters_of(kU74Profile)};
    BankBench bench{bank};
};

using Banks = testing::Types<TlmCounterBank, ReferenceBank>;
TYPED_TEST_SUITE(U74Rules, Banks);

TYPED_TEST(U74Rules, CounterOfSeveralEventsAddsAtMostOneACycle) {
    this->bench.write(kEvent3, kLoadOrBranch);
    this->bench.cycle({Event::IntegerLoad});
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
    this->bench.cycle({Event::ConditionalBranch});
    EXPECT_EQ(this->bench.read(kCounter3), 2U);
    this->bench.cycle({Event::IntegerLoad, Event::ConditionalBranch});
    EXPECT_EQ(this->bench.read(kCounter3), 3U);
    this->bench.cycle({Event::IntegerStore, Event::DivideStall}, 2);
    EXPECT_EQ(this->bench.read(kCounter3), 3U) << "neither is in the mask of the class";
}

TYPED_TEST(U74Rules, SameMaskBitIsAnotherEventInAnotherClass) {
    this->bench.write(kEvent3, 0x0801); // I-cache busy
    this->bench.write(kEvent4, 0x0802); // ITLB miss
    this->bench.cycles(3, {Event::FetchBusy});
    this->bench.cycles(2, {Event::ItlbMiss});
    this->bench.cycles(5, {Event::Atomic}); // class 0
    EXPECT_EQ(this->bench.read(kCounter3), 3U);
    EXPECT_EQ(this->bench.read(kCounter4), 2U);
}

TYPED_TEST(U74Rules, EventsThatTheHartDoesNotHaveNeverCount) {
    this->bench.write(kEvent3, 0x2402); // write-back or UTLB miss
    this->bench.write(kEvent4, 0x2602); // those or D-cache miss
    this->bench.cycles(4, {Event::None, Event::DataMissOrIo});
    this->bench.cycles(3, {Event::None});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    EXPECT_EQ(this->bench.read(kCounter4), 4U);
}

TYPED_TEST(U74Rules, ReservedMaskBitsAndClassesAreStoredAndNeverCount) {
    constexpr std::uint64_t kReserved = 0x00FF'FFFF'FC00'0000;
    this->bench.write(kEvent3, kReserved);
    this->bench.write(kEvent4, 0x00FF'FFFF'FFFF'FF03);
    for (unsigned source = 0; source < kEventCount; ++source) {
        this->bench.cycle({static_cast<Event>(source)}, 2);
    }
    EXPECT_EQ(this->bench.read(kEvent3), kReserved);
    EXPECT_EQ(this->bench.read(kEvent4), 0x00FF'FFFF'FFFF'FF03U);
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    EXPECT_EQ(this->bench.read(kCounter4), 0U);
}

TYPED_TEST(U74Rules, SelectorStoresClassMaskFiltersAndOverflowBit) {
    this->bench.write(kEvent3, kAllOnes);
    // 55:0, 62:60 filters of M, S, U; 59:58 are of modes that do not exist, 57:56 are reserved.
    EXPECT_EQ(this->bench.read(kEvent3), 0xF0FF'FFFF'FFFF'FFFFU);
    this->bench.write(kEvent3, 0);
    EXPECT_EQ(this->bench.read(kEvent3), 0U);
}

TYPED_TEST(U74Rules, CounterOfSeveralEventsWrapsAfter40BitsAndSetsOverflow) {
    this->bench.write(kEvent3, kLoadOrBranch);
    this->bench.write(kCounter3, kAllOnes - 1);
    EXPECT_EQ(this->bench.read(kCounter3), kLargest - 1) << "40 bits are stored";
    this->bench.cycle({Event::IntegerLoad, Event::ConditionalBranch});
    EXPECT_EQ(this->bench.read(kCounter3), kLargest);
    EXPECT_FALSE(this->bench.overflow());
    this->bench.cycle({Event::ConditionalBranch});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    EXPECT_EQ(this->bench.read(kEvent3), kOverflow | kLoadOrBranch);
    EXPECT_EQ(this->bench.read(kScountovf), 1U << 3);
    EXPECT_TRUE(this->bench.overflow());
    EXPECT_EQ(this->bench.overflow_since(), this->bench.now() + 1);
    this->bench.cycle();
    EXPECT_FALSE(this->bench.overflow());
}

TYPED_TEST(U74Rules, ThresholdOfSeveralEventsIsReachedOnTheCycleOfTheLastOne) {
    this->bench.write(kEvent3, kLoadOrBranch);
    this->bench.write(kThreshold3, 3);
    this->bench.cycles(2, {Event::IntegerLoad, Event::ConditionalBranch});
    EXPECT_FALSE(this->bench.irq());
    this->bench.cycle({Event::IntegerLoad});
    EXPECT_TRUE(this->bench.irq());
    EXPECT_EQ(this->bench.irq_since(), this->bench.now() + 1);
}

TYPED_TEST(U74Rules, FilterAndInhibitHoldACounterOfSeveralEvents) {
    this->bench.write(kEvent3, kNotInMachine | kLoadOrBranch);
    this->bench.cycles(4, {Event::IntegerLoad});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    this->bench.change_privilege(Privilege::User);
    this->bench.cycle({Event::IntegerLoad}); // still in M-mode
    this->bench.cycles(4, {Event::IntegerLoad, Event::ConditionalBranch});
    EXPECT_EQ(this->bench.read(kCounter3), 4U);
    this->bench.write(kInhibit, 1U << 3, {Event::ConditionalBranch}); // the last one that counts
    this->bench.cycles(4, {Event::IntegerLoad});
    EXPECT_EQ(this->bench.read(kCounter3), 5U);
    this->bench.write(kInhibit, 0, {Event::IntegerLoad});
    this->bench.cycles(2, {Event::IntegerLoad});
    EXPECT_EQ(this->bench.read(kCounter3), 7U);
}

TYPED_TEST(U74Rules, NewSelectorKeepsTheValue) {
    this->bench.write(kEvent3, kLoadOrBranch);
    this->bench.cycles(5, {Event::ConditionalBranch});
    this->bench.write(kEvent3, kLoadEvents,
                      {Event::ConditionalBranch}); // the last one of the old mask
    this->bench.cycles(2, {Event::ConditionalBranch, Event::IntegerLoad});
    EXPECT_EQ(this->bench.read(kCounter3), 8U);
    this->bench.write(kEvent3, kLoadOrBranch);
    this->bench.cycle({Event::ConditionalBranch});
    EXPECT_EQ(this->bench.read(kCounter3), 9U);
}

TYPED_TEST(U74Rules, WriteOfOneCounterDoesNotStopTheOther) {
    this->bench.write(kEvent3, kLoadOrBranch);
    this->bench.write(kEvent4, kLoadOrBranch, {Event::IntegerLoad});
    this->bench.write(kCounter4, 7, {Event::IntegerLoad});
    EXPECT_EQ(this->bench.read(kCounter3), 2U);
    EXPECT_EQ(this->bench.read(kCounter4), 7U) << "the write wins over the increment";
}

TYPED_TEST(U74Rules, CountersOfAbsentNumbersReadZero) {
    this->bench.write(kEvent3, kLoadEvents);
    for (std::uint16_t index = 5; index < 32; ++index) {
        this->bench.write(static_cast<std::uint16_t>(kCounter3 + index - 3), kAllOnes);
        this->bench.write(static_cast<std::uint16_t>(kEvent3 + index - 3), kLoadEvents);
    }
    this->bench.cycles(3, {Event::IntegerLoad});
    EXPECT_EQ(this->bench.read(kCounter3), 3U);
    for (std::uint16_t index = 5; index < 32; ++index) {
        EXPECT_EQ(this->bench.read(static_cast<std::uint16_t>(kCounter3 + index - 3)), 0U);
        EXPECT_EQ(this->bench.read(static_cast<std::uint16_t>(kEvent3 + index - 3)), 0U);
    }
}

TYPED_TEST(U74Rules, FiltersOfTheFixedCountersDoNotExist) {
    EXPECT_FALSE(this->bank.owns(0x321)); // mcyclecfg
    EXPECT_FALSE(this->bank.owns(0x322)); // minstretcfg
    EXPECT_TRUE(this->bank.owns(kScountovf));
    EXPECT_TRUE(this->bank.owns(0x33F)); // mhpmevent31
}

TEST(U74Spans, OnlyACounterOfSeveralLiveEventsNeedsSingleCycles) {
    TlmCounterBank bank(counters_of(kU74Profile));
    BankBench bench(bank);
    const auto spans = [&bank] { return bank.safe_cycles() > 1'000'000 && bank.room().cycle != 0; };
    EXPECT_TRUE(spans());
    bench.write(kEvent3, kOverflow | 0x0602); // D-cache miss or write-back: one is live
    EXPECT_TRUE(spans());
    bench.advance(1000, Event::DataMissOrIo, 70);
    EXPECT_EQ(bench.read(kCounter3), 70U);
    bench.write(kEvent3, kOverflow | kLoadOrBranch);
    EXPECT_EQ(bank.safe_cycles(), 0U);
    EXPECT_EQ(bank.room().cycle, 0U);
    bench.write(kInhibit, 1U << 3);
    EXPECT_TRUE(spans());
    bench.write(kInhibit, 0);
    EXPECT_EQ(bank.safe_cycles(), 0U);
    bench.write(kEvent3, kOverflow | kNotInMachine | kLoadOrBranch);
    EXPECT_TRUE(spans());
    bench.change_privilege(Privilege::User);
    bench.cycle();
    EXPECT_EQ(bank.safe_cycles(), 0U);
}

} // namespace
} // namespace pes::test

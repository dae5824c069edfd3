// SPDX-License-Identifier: Apache-2.0
// The rules every counter bank obeys, one test a rule, run on the model and on the naive reference.
// Sources: CVA6 v5.3.0 behaviour of the counter block and CSR file; privileged specification.
#include "hw/hpm/tlm_bank.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/reference_bank.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint16_t kCounter8 = 0xB08;
constexpr std::uint64_t kSelectFloat = 21;

template <typename Bank>
class CounterRules : public testing::Test {
  protected:
    Bank bank{};
    BankBench bench{bank};
};

using Banks = testing::Types<TlmCounterBank, ReferenceBank>;
TYPED_TEST_SUITE(CounterRules, Banks);

TYPED_TEST(CounterRules, EverythingIsZeroAfterResetButTheBufferControl) {
    for (unsigned csr = 0; csr < 0x1000; ++csr) {
        if (this->bank.owns(static_cast<std::uint16_t>(csr))) {
            EXPECT_EQ(this->bench.read(static_cast<std::uint16_t>(csr)), csr == 0xBC3 ? 0x801U : 0U)
                << std::hex << csr;
        }
    }
    EXPECT_FALSE(this->bench.irq());
    EXPECT_FALSE(this->bench.full());
    EXPECT_EQ(this->bench.now(), 0U);
}

TYPED_TEST(CounterRules, OwnsExactlyTheMachineLevelCounterCsrs) {
    const auto expected = [](unsigned csr) {
        return csr == 0xB00 || (csr >= 0xB02 && csr <= 0xB1F) || csr == 0x320 ||
               (csr >= 0x323 && csr <= 0x33F) || (csr >= 0xB21 && csr <= 0xB3F) ||
               (csr >= 0xBC0 && csr <= 0xBC3) || (csr >= 0x321 && csr <= 0x322) || csr == 0xDA0;
    };
    for (unsigned csr = 0; csr < 0x1000; ++csr) {
        EXPECT_EQ(this->bank.owns(static_cast<std::uint16_t>(csr)), expected(csr))
            << std::hex << csr;
    }
}

TYPED_TEST(CounterRules, CycleCountsEveryCycleAndInstretWhatRetires) {
    this->bench.cycle({}, 2);
    this->bench.cycle({}, 0);
    this->bench.cycle({}, 1);
    EXPECT_EQ(this->bench.read(csr::kMcycle), 3U);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 3U);
}

TYPED_TEST(CounterRules, EachSelectorCountsItsOwnEventOnly) {
    for (std::uint64_t selector = 0; selector < 32; ++selector) {
        this->bench.write(kEvent3, selector);
        this->bench.write(kCounter3, 0);
        for (std::uint64_t source = 1; source < kBaseEventCount; ++source) {
            const std::uint64_t before = this->bench.read(kCounter3);
            this->bench.cycle({static_cast<Event>(source)});
            constexpr std::uint64_t kSelectCycles = 23;
            const bool counts = source == selector || selector == kSelectCycles;
            EXPECT_EQ(this->bench.read(kCounter3) - before, counts ? 1U : 0U)
                << "selector " << selector << " source " << source;
        }
    }
}

TYPED_TEST(CounterRules, SelectorKeepsFiveBitsAndWhatSscofpmfDefinesForMachineSupervisorAndUser) {
    this->bench.write(kEvent3, 0xFFFF'FFFF'FFFF'FFF5);
    EXPECT_EQ(this->bench.read(kEvent3), 0xF000'0000'0000'0015);
}

TYPED_TEST(CounterRules, WrittenCounterValueReplacesTheIncrementOfThatCycle) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.cycles(3, {Event::Load});
    this->bench.write(kCounter3, 100, {Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 100U);
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 101U);
}

TYPED_TEST(CounterRules, WriteIsNotVisibleBeforeItsCycleEnds) {
    this->bank.write(csr::kMcycle, 500);
    EXPECT_EQ(this->bench.read(csr::kMcycle), 0U);
    this->bench.cycle();
    EXPECT_EQ(this->bench.read(csr::kMcycle), 500U);
}

TYPED_TEST(CounterRules, CycleWriteWinsOverTheIncrement) {
    this->bench.cycles(5);
    this->bench.write(csr::kMcycle, 1000);
    EXPECT_EQ(this->bench.read(csr::kMcycle), 1000U);
    this->bench.cycle();
    EXPECT_EQ(this->bench.read(csr::kMcycle), 1001U);
}

TYPED_TEST(CounterRules, InstretWriteDoesNotCountTheWritingInstruction) {
    this->bench.cycles(5, {}, 2);
    this->bench.write(csr::kMinstret, 40, {}, 1);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 40U);
    this->bench.cycle({}, 1);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 41U);
}

TYPED_TEST(CounterRules, WriteToOneCounterFreezesAllProgrammableOnesForThatCycle) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.write(kEvent4, kSelectStore);
    const std::uint64_t cycle = this->bench.read(csr::kMcycle);
    const std::uint64_t instret = this->bench.read(csr::kMinstret);
    this->bench.write(kCounter8, 7, {Event::Load, Event::Store}, 1);
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    EXPECT_EQ(this->bench.read(kCounter4), 0U);
    EXPECT_EQ(this->bench.read(csr::kMcycle), cycle + 1);
    EXPECT_EQ(this->bench.read(csr::kMinstret), instret + 1);
    this->bench.cycle({Event::Load, Event::Store});
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
    EXPECT_EQ(this->bench.read(kCounter4), 1U);
}

TYPED_TEST(CounterRules, WriteToASelectorFreezesToo) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.write(kEvent4, kSelectLoad, {Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
}

TYPED_TEST(CounterRules, WriteToAnUnimplementedCounterStillFreezes) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.write(0xB1F, 5, {Event::Load});
    this->bench.write(0x33F, 5, {Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
}

TYPED_TEST(CounterRules, OtherWritesDoNotFreeze) {
    this->bench.write(kEvent3, kSelectLoad);
    std::uint64_t expected = 0;
    for (const std::uint16_t csr : {csr::kMcycle, csr::kMinstret, csr::kMcountinhibit,
                                    csr::kMhpmthreshold3, csr::kMhpmmmaped, csr::kMhpmmoffset}) {
        this->bench.write(csr, 0, {Event::Load});
        EXPECT_EQ(this->bench.read(kCounter3), ++expected) << std::hex << csr;
    }
}

TYPED_TEST(CounterRules, NewSelectorCountsFromTheNextCycleAndKeepsTheValue) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.cycles(4, {Event::Load});
    this->bench.write(kEvent3, kSelectStore, {Event::Store});
    EXPECT_EQ(this->bench.read(kCounter3), 4U);
    this->bench.cycle({Event::Load, Event::Store});
    EXPECT_EQ(this->bench.read(kCounter3), 5U);
}

TYPED_TEST(CounterRules, InhibitTakesEffectInTheCycleAfterTheWrite) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.write(csr::kMcountinhibit, 0xD, {Event::Load}, 1); // this instruction still counts
    const std::uint64_t cycle = this->bench.read(csr::kMcycle);
    EXPECT_EQ(cycle, 2U);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 1U);
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
    this->bench.cycles(3, {Event::Load}, 2);
    this->bench.write(csr::kMcountinhibit, 0, {Event::Load}, 1); // this one does not
    EXPECT_EQ(this->bench.read(csr::kMcycle), cycle);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 1U);
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
    this->bench.cycle({Event::Load}, 1);
    EXPECT_EQ(this->bench.read(csr::kMcycle), cycle + 1);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 2U);
    EXPECT_EQ(this->bench.read(kCounter3), 2U);
}

TYPED_TEST(CounterRules, InhibitBitsAreIndependent) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.write(kEvent4, kSelectLoad);
    this->bench.write(csr::kMcountinhibit, 0x10);
    const std::uint64_t cycle = this->bench.read(csr::kMcycle);
    this->bench.cycle({Event::Load}, 1);
    EXPECT_EQ(this->bench.read(kCounter3), 1U);
    EXPECT_EQ(this->bench.read(kCounter4), 0U);
    EXPECT_EQ(this->bench.read(csr::kMcycle), cycle + 1);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 1U);
}

TYPED_TEST(CounterRules, InhibitStoresTheBitsOfExistingCountersOnly) {
    this->bench.write(csr::kMcountinhibit, kAllOnes);
    EXPECT_EQ(this->bench.read(csr::kMcountinhibit), 0x1FDU); // 0, 2, 3..8
}

TYPED_TEST(CounterRules, InhibitedCounterAndSelectorCanBeWritten) {
    this->bench.write(csr::kMcountinhibit, 0xD);
    this->bench.write(csr::kMcycle, 10);
    this->bench.write(csr::kMinstret, 20, {}, 1);
    this->bench.write(kEvent3, kSelectStore);
    this->bench.write(kCounter3, 30);
    this->bench.cycle({Event::Store}, 1);
    EXPECT_EQ(this->bench.read(csr::kMcycle), 10U);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 20U);
    EXPECT_EQ(this->bench.read(kCounter3), 30U);
    this->bench.write(csr::kMcountinhibit, 0);
    this->bench.cycle({Event::Store}, 1);
    EXPECT_EQ(this->bench.read(kCounter3), 31U);
}

TYPED_TEST(CounterRules, UnimplementedCountersReadZeroAndDropWrites) {
    for (unsigned n = 9; n < 32; ++n) {
        for (const unsigned csr : {0xB00 + n, 0x320 + n, 0xB20 + n}) {
            this->bench.write(static_cast<std::uint16_t>(csr), kAllOnes);
            this->bench.cycle({Event::Load});
            EXPECT_EQ(this->bench.read(static_cast<std::uint16_t>(csr)), 0U) << std::hex << csr;
        }
    }
    EXPECT_FALSE(this->bench.irq());
}

TYPED_TEST(CounterRules, SixtyFourBitCountersWrapSilently) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.write(kCounter3, kAllOnes);
    this->bench.cycle({Event::Load});
    EXPECT_EQ(this->bench.read(kCounter3), 0U);
    this->bench.write(csr::kMinstret, kAllOnes);
    this->bench.cycle({}, 2);
    EXPECT_EQ(this->bench.read(csr::kMinstret), 1U);
    EXPECT_FALSE(this->bench.irq());
}

TYPED_TEST(CounterRules, ThresholdLineRisesInTheCycleAfterTheCountReachesIt) {
    this->bench.write(kEvent3, kSelectFloat);
    this->bench.write(csr::kMhpmthreshold3, 3);
    this->bench.cycles(2, {Event::FloatingPoint});
    EXPECT_FALSE(this->bench.irq());
    this->bench.cycles(4);
    this->bench.cycle({Event::FloatingPoint}); // retires at T
    EXPECT_TRUE(this->bench.irq());
    EXPECT_EQ(this->bench.irq_since(), this->bench.now() + 1); // T + 1
    this->bench.cycles(5, {Event::FloatingPoint});
    EXPECT_EQ(this->bench.read(kCounter3), 8U); // a level line does not stop the counter
    EXPECT_TRUE(this->bench.irq());
    EXPECT_EQ(this->bench.irq_since(), this->bench.now() - 4);
}

TYPED_TEST(CounterRules, ThresholdNumbersAreCycleInstretThenCounterThree) {
    struct Case {
        std::uint16_t threshold, counter;
    };
    for (const Case& test :
         {Case{0xB21, 0xB00}, Case{0xB22, 0xB02}, Case{0xB23, 0xB03}, Case{0xB28, 0xB08}}) {
        this->bench.write(test.counter, 1ULL << 40);
        this->bench.write(test.threshold, 1ULL << 40);
        EXPECT_TRUE(this->bench.irq()) << std::hex << test.threshold;
        this->bench.write(test.counter, 0);
        EXPECT_FALSE(this->bench.irq()) << std::hex << test.threshold;
        this->bench.write(test.threshold, 0);
    }
}

TYPED_TEST(CounterRules, ZeroThresholdIsOff) {
    this->bench.write(kCounter3, kAllOnes);
    this->bench.write(csr::kMhpmthreshold3, 0);
    EXPECT_FALSE(this->bench.irq());
}

TYPED_TEST(CounterRules, LineIsTheOrOfAllComparators) {
    this->bench.write(kCounter3, 10);
    this->bench.write(kCounter4, 10);
    this->bench.write(csr::kMhpmthreshold3, 10);
    const Cycle since = this->bench.irq_since();
    this->bench.write(csr::kMhpmthreshold3 + 1, 5);
    this->bench.write(kCounter3, 0);
    EXPECT_TRUE(this->bench.irq());
    EXPECT_EQ(this->bench.irq_since(), since);
    this->bench.write(kCounter4, 4);
    EXPECT_FALSE(this->bench.irq());
    EXPECT_EQ(this->bench.irq_since(), this->bench.now() + 1);
}

TYPED_TEST(CounterRules, LineStaysHighWhileInhibitedUntilTheCounterIsReset) {
    this->bench.write(kCounter3, 3);
    this->bench.write(csr::kMhpmthreshold3, 3);
    this->bench.write(csr::kMcountinhibit, 0x8);
    this->bench.cycles(3);
    EXPECT_TRUE(this->bench.irq());
    this->bench.write(kCounter3, 0);
    EXPECT_FALSE(this->bench.irq());
}

TYPED_TEST(CounterRules, ThresholdWriteInTheCycleOfTheCrossingMovesTheThreshold) {
    this->bench.write(kEvent3, kSelectLoad);
    this->bench.write(csr::kMhpmthreshold3, 3);
    this->bench.cycles(2, {Event::Load});
    this->bench.write(csr::kMhpmthreshold3, 4, {Event::Load}); // 3 counted, 4 wanted from now on
    EXPECT_FALSE(this->bench.irq());
    this->bench.cycle({Event::Load});
    EXPECT_TRUE(this->bench.irq());
    EXPECT_EQ(this->bench.irq_since(), this->bench.now() + 1);
}

TYPED_TEST(CounterRules, InstretCanJumpOverItsThreshold) {
    this->bench.write(csr::kMhpmthresholdInstret, 3);
    this->bench.cycle({}, 2);
    EXPECT_FALSE(this->bench.irq());
    this->bench.cycle({}, 2);
    EXPECT_TRUE(this->bench.irq());
    EXPECT_EQ(this->bench.read(csr::kMinstret), 4U);
}

TYPED_TEST(CounterRules, BufferRegistersStoreWhatIsWritten) {
    this->bench.write(csr::kMhpmmmaped, 0x8020'0000);
    this->bench.write(csr::kMhpmmsize, 0x1000);
    this->bench.write(csr::kMhpmmoffset, 0x40);
    this->bench.write(csr::kMhpmmcontrol, kAllOnes);
    EXPECT_EQ(this->bench.read(csr::kMhpmmmaped), 0x8020'0000U);
    EXPECT_EQ(this->bench.read(csr::kMhpmmsize), 0x1000U);
    EXPECT_EQ(this->bench.read(csr::kMhpmmoffset), 0x40U);
    EXPECT_EQ(this->bench.read(csr::kMhpmmcontrol), 0xFF01U); // full bit is not stored
}

TYPED_TEST(CounterRules, BufferIsFullWhenTheNextRecordDoesNotFit) {
    this->bench.write(csr::kMhpmmsize, 128);
    this->bench.write(csr::kMhpmmoffset, 64);
    EXPECT_FALSE(this->bench.full()); // 64 + 64 fits exactly
    EXPECT_EQ(this->bench.read(csr::kMhpmmcontrol) >> 63, 0U);
    this->bench.write(csr::kMhpmmoffset, 65);
    EXPECT_TRUE(this->bench.full());
    EXPECT_EQ(this->bank.interrupt(BankLine::BufferFull).since, this->bench.now() + 1);
    EXPECT_EQ(this->bench.read(csr::kMhpmmcontrol) >> 63, 1U);
    EXPECT_FALSE(this->bench.irq());              // its own line
    this->bench.write(csr::kMhpmmcontrol, 0x701); // records of 56 bytes
    EXPECT_FALSE(this->bench.full());
    this->bench.write(csr::kMhpmmoffset, 73);
    EXPECT_TRUE(this->bench.full());
    this->bench.write(csr::kMhpmmcontrol, 0x700); // comparator off
    EXPECT_FALSE(this->bench.full());
    EXPECT_EQ(this->bench.read(csr::kMhpmmcontrol), 0x700U);
}

TYPED_TEST(CounterRules, BufferOfSizeZeroIsNeverFullAndTheSumDoesNotWrap) {
    this->bench.write(csr::kMhpmmoffset, kAllOnes);
    EXPECT_FALSE(this->bench.full());
    this->bench.write(csr::kMhpmmsize, 4096);
    EXPECT_TRUE(this->bench.full());
    this->bench.write(csr::kMhpmmoffset, 0);
    EXPECT_FALSE(this->bench.full());
    this->bench.write(csr::kMhpmmsize, 63); // smaller than one record
    EXPECT_TRUE(this->bench.full());
}

template <typename Bank>
class CounterShapes : public testing::Test {};
TYPED_TEST_SUITE(CounterShapes, Banks);

TYPED_TEST(CounterShapes, NarrowCountersWrapAndLowerTheLine) {
    TypeParam bank(CounterConfig{.width = 40});
    BankBench bench(bank);
    constexpr std::uint64_t kLargest = (1ULL << 40) - 1;
    bench.write(kEvent3, kSelectLoad);
    bench.write(kCounter3, kAllOnes);
    EXPECT_EQ(bench.read(kCounter3), kLargest);
    bench.write(csr::kMhpmthreshold3, kLargest);
    EXPECT_TRUE(bench.irq());
    bench.cycle({Event::Load});
    EXPECT_EQ(bench.read(kCounter3), 0U);
    EXPECT_FALSE(bench.irq());
    EXPECT_EQ(bench.irq_since(), bench.now() + 1);
}

TYPED_TEST(CounterShapes, ThresholdBeyondTheWidthNeverFires) {
    TypeParam bank(CounterConfig{.width = 32});
    BankBench bench(bank);
    bench.write(kEvent3, kSelectLoad);
    bench.write(csr::kMhpmthreshold3, 1ULL << 32);
    EXPECT_EQ(bench.read(csr::kMhpmthreshold3), 1ULL << 32);
    bench.write(kCounter3, 0xFFFF'FFFF);
    bench.cycle({Event::Load});
    EXPECT_EQ(bench.read(kCounter3), 0U);
    EXPECT_FALSE(bench.irq());
}

TYPED_TEST(CounterShapes, FixedCountersKeep64BitsWhenTheOthersAreNarrow) {
    TypeParam bank(CounterConfig{.width = 32});
    BankBench bench(bank);
    bench.write(csr::kMcycle, 0xFFFF'FFFF);
    bench.cycle();
    EXPECT_EQ(bench.read(csr::kMcycle), 0x1'0000'0000U);
}

TYPED_TEST(CounterShapes, WithoutTheSharedStrobeAWriteTouchesOneCounterOnly) {
    TypeParam bank(CounterConfig{.write_freezes = false});
    BankBench bench(bank);
    bench.write(kEvent3, kSelectLoad);
    bench.write(kCounter4, 9, {Event::Load});
    EXPECT_EQ(bench.read(kCounter3), 1U);
    bench.write(kCounter3, 50, {Event::Load});
    EXPECT_EQ(bench.read(kCounter3), 50U);
}

TYPED_TEST(CounterShapes, ProgrammableCountersMayBeNoneOrTwentyNine) {
    TypeParam none(CounterConfig{.programmable = 0});
    BankBench none_bench(none);
    none_bench.write(csr::kMcountinhibit, kAllOnes);
    none_bench.write(kCounter3, 1);
    EXPECT_EQ(none_bench.read(csr::kMcountinhibit), 0x5U);
    EXPECT_EQ(none_bench.read(kCounter3), 0U);

    TypeParam all(CounterConfig{.programmable = 29});
    BankBench all_bench(all);
    all_bench.write(csr::kMhpmevent31, kSelectLoad);
    all_bench.write(csr::kMhpmthreshold31, 1);
    all_bench.cycle({Event::Load});
    EXPECT_EQ(all_bench.read(csr::kMhpmcounter31), 1U);
    EXPECT_TRUE(all_bench.irq());
    all_bench.write(csr::kMcountinhibit, kAllOnes);
    EXPECT_EQ(all_bench.read(csr::kMcountinhibit), 0xFFFF'FFFDU);
}

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// The PCER unit: its registers one by one, and random streams against a naive second model, ticked
// and in spans. Expected values: the register description in docs/counters-cv32e40p.md.
#include "hw/hpm/pcer_bank.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/pcer_reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

namespace pes::test {
namespace {

constexpr std::uint16_t kPcmr = 0x7E1, kPcer = 0x7E0, kAll = 0x79F;
constexpr std::uint16_t kUserPcmr = 0xCC1, kUserPcer = 0xCC0;
constexpr std::uint64_t kLargest = 0xFFFF'FFFF;
constexpr std::uint64_t kEvents = 0x1F'FFFF;
constexpr unsigned kInstructions = 1, kLoadUse = 2, kLoads = 5, kStores = 6, kTcdm = 15;

constexpr std::uint16_t pccr(unsigned n) {
    return static_cast<std::uint16_t>(0x780 + n);
}
constexpr std::uint16_t user_pccr(unsigned n) {
    return static_cast<std::uint16_t>(0xC80 + n);
}
constexpr std::uint64_t bit(unsigned n) {
    return std::uint64_t{1} << n;
}

CounterConfig config_of(PcerVariant variant) {
    return counters_of(variant == PcerVariant::Shared ? kCv32e40pAsicProfile : kCv32e40pProfile);
}

class PcerTest : public testing::TestWithParam<PcerVariant> {
  protected:
    bool shared() const { return GetParam() == PcerVariant::Shared; }
    PcerBank bank{config_of(GetParam())};
    BankBench bench{bank};
};

std::string variant_name(const testing::TestParamInfo<PcerVariant>& info) {
    return info.param == PcerVariant::Shared ? "Shared" : "PerEvent";
}
INSTANTIATE_TEST_SUITE_P(Variants, PcerTest,
                         testing::Values(PcerVariant::PerEvent, PcerVariant::Shared), variant_name);

// --- Both variants ------------------------------------------------------------------------------

TEST_P(PcerTest, OwnsItsRegistersAndTheirUserAliasesAndNoStandardCounter) {
    std::vector<std::uint16_t> expected;
    for (const unsigned base : {0x780U, 0xC80U}) {
        for (unsigned n = 0; n < 32; ++n) {
            expected.push_back(static_cast<std::uint16_t>(base + n));
        }
    }
    expected.insert(expected.end(), {kPcer, kPcmr, kUserPcer, kUserPcmr});
    std::ranges::sort(expected);
    EXPECT_EQ(owned_csrs(bank), expected);
}

TEST_P(PcerTest, ResetLeavesItEnabledSaturatingAndWithoutEvents) {
    EXPECT_EQ(bench.read(kPcmr), 3U);
    EXPECT_EQ(bench.read(kPcer), 0U);
    bench.cycles(10, {Event::Load}, 2);
    for (unsigned n = 0; n <= 31; ++n) {
        EXPECT_EQ(bench.read(pccr(n)), 0U) << n;
    }
}

TEST_P(PcerTest, UserAliasesShowTheSameValues) {
    bench.write(kPcer, bit(kLoads));
    bench.cycles(7, {Event::Load});
    bench.write(kPcmr, 1);
    EXPECT_EQ(bench.read(kUserPcmr), 1U);
    EXPECT_EQ(bench.read(kUserPcer), bit(kLoads));
    EXPECT_EQ(bench.read(user_pccr(kLoads)), 7U);
    for (unsigned n = 0; n <= 31; ++n) {
        EXPECT_EQ(bench.read(user_pccr(n)), bench.read(pccr(n))) << n;
    }
}

TEST_P(PcerTest, StoresOnlyBitsThatMeanSomething) {
    bench.write(kPcmr, ~std::uint64_t{0});
    bench.write(kPcer, ~std::uint64_t{0});
    EXPECT_EQ(bench.read(kPcmr), 3U);
    EXPECT_EQ(bench.read(kPcer), kEvents);
    bench.write(kPcer, 0);
    bench.write(pccr(kLoads), 0xDEAD'BEEF'1234'5678);
    EXPECT_EQ(bench.read(pccr(kLoads)), 0x1234'5678U);
}

TEST_P(PcerTest, GlobalEnableStopsWithTheNextCycleAndKeepsValues) {
    bench.write(kPcer, bit(kLoads));
    bench.cycles(3, {Event::Load});
    bench.write(kPcmr, 2, {Event::Load}); // this cycle still counts
    EXPECT_EQ(bench.read(pccr(kLoads)), 4U);
    bench.cycles(5, {Event::Load});
    bench.write(kPcmr, 3, {Event::Load}); // this one does not yet
    EXPECT_EQ(bench.read(pccr(kLoads)), 4U);
    bench.cycle({Event::Load});
    EXPECT_EQ(bench.read(pccr(kLoads)), 5U);
}

TEST_P(PcerTest, SaturatesAtTheLargestValueUntilItMayWrap) {
    bench.write(kPcer, bit(kLoads));
    bench.write(pccr(kLoads), kLargest - 1);
    bench.cycles(5, {Event::Load});
    EXPECT_EQ(bench.read(pccr(kLoads)), kLargest);
    bench.write(kPcmr, 1);
    EXPECT_EQ(bench.read(pccr(kLoads)), kLargest); // what was clamped is lost
    bench.cycles(3, {Event::Load});
    EXPECT_EQ(bench.read(pccr(kLoads)), 2U);
    bench.write(kPcmr, 3);
    EXPECT_EQ(bench.read(pccr(kLoads)), 2U);
}

TEST_P(PcerTest, WrapsInOneLongSpanAsOftenAsItHasTo) {
    bench.write(kPcmr, 1);
    bench.write(kPcer, bit(kLoads));
    bench.advance(0x3'0000'0000, Event::Load, 0x2'0000'0007);
    EXPECT_EQ(bench.read(pccr(kLoads)), 7U);
}

TEST_P(PcerTest, AWrittenCounterDoesNotCountThePulseOfThatCycle) {
    bench.write(kPcer, bit(kLoads));
    bench.write(pccr(kLoads), 100, {Event::Load});
    EXPECT_EQ(bench.read(pccr(kLoads)), 100U);
    bench.write(kAll, 200, {Event::Load});
    EXPECT_EQ(bench.read(pccr(kLoads)), 200U);
    bench.cycle({Event::Load});
    EXPECT_EQ(bench.read(pccr(kLoads)), 201U);
}

TEST_P(PcerTest, WriteAllReachesEveryCounter) {
    bench.write(kAll, 0x1'2345'6789);
    for (unsigned n = 0; n <= 30; ++n) {
        EXPECT_EQ(bench.read(pccr(n)), 0x2345'6789U) << n;
    }
}

TEST_P(PcerTest, EventsWithoutASourceNeverCount) {
    bench.write(kPcer, bit(kTcdm) | bit(17) | bit(18) | bit(20));
    bench.advance(1000, Event::Load, 1000, 2000);
    for (unsigned n = 0; n <= 31; ++n) {
        EXPECT_EQ(bench.read(pccr(n)), 0U) << n;
    }
}

TEST_P(PcerTest, LinesStayLowAndTheModeOfTheHartDoesNotMatter) {
    bench.write(kPcmr, 1);
    bench.write(kPcer, bit(kLoads));
    bench.write(pccr(kLoads), kLargest);
    bench.change_privilege(Privilege::User);
    bench.cycles(3, {Event::Load});
    EXPECT_EQ(bench.read(pccr(kLoads)), 2U);
    EXPECT_FALSE(bench.irq() || bench.full() || bench.overflow());
    EXPECT_FALSE(bank.can_interrupt(Privilege::User, CountedEvents::All));
}

TEST_P(PcerTest, StandsStillInDebugMode) {
    bench.write(kPcer, bit(kLoads));
    bench.cycle({Event::Load});
    bank.set_debug(true);
    bench.cycles(5, {Event::Load});
    bank.set_debug(false);
    bench.cycle({Event::Load});
    EXPECT_EQ(bench.read(pccr(kLoads)), 2U);
}

using PcerDeathTest = PcerTest;
INSTANTIATE_TEST_SUITE_P(Variants, PcerDeathTest,
                         testing::Values(PcerVariant::PerEvent, PcerVariant::Shared), variant_name);

TEST_P(PcerDeathTest, AbortsOnWhatTheHartMustNotDo) {
    EXPECT_DEATH(bank.write(kUserPcmr, 0), "does not own");
    EXPECT_DEATH(bank.write(0xB00, 0), "does not own");
    EXPECT_DEATH(bank.read(0xB00), "does not own");
    EXPECT_DEATH(bank.tick({}, 2), "skips or repeats");
    CounterConfig narrow = config_of(GetParam());
    narrow.programmable = 6;
    EXPECT_DEATH(PcerBank{narrow}, "out of range");
}

// --- A counter an event -------------------------------------------------------------------------

TEST(PcerPerEvent, EachEventHasItsOwnCounter) {
    PcerBank bank(config_of(PcerVariant::PerEvent));
    BankBench bench(bank);
    bench.write(kPcer, kEvents);
    bench.cycles(3, {Event::Load});
    bench.cycles(2, {Event::Load, Event::Store}, 2);
    bench.cycle({Event::LoadUseStall}, 1);
    EXPECT_EQ(bench.read(pccr(0)), 6U);
    EXPECT_EQ(bench.read(pccr(kInstructions)), 5U);
    EXPECT_EQ(bench.read(pccr(kLoads)), 5U);
    EXPECT_EQ(bench.read(pccr(kStores)), 2U);
    EXPECT_EQ(bench.read(pccr(kLoadUse)), 1U);
    EXPECT_EQ(bench.read(kAll), 0U); // no counter is behind PCCR31
}

TEST(PcerPerEvent, TwoInstructionsInACycleSaturateToo) {
    PcerBank bank(config_of(PcerVariant::PerEvent));
    BankBench bench(bank);
    bench.write(kPcer, bit(kInstructions));
    bench.write(pccr(kInstructions), kLargest - 1);
    bench.cycle({}, 2);
    EXPECT_EQ(bench.read(pccr(kInstructions)), kLargest);
    bench.write(kPcmr, 1);
    bench.cycle({}, 2);
    EXPECT_EQ(bench.read(pccr(kInstructions)), 1U);
}

TEST(PcerPerEvent, SpansOfAnyLengthAreSafeExceptWhileAWriteWaits) {
    PcerBank bank(config_of(PcerVariant::PerEvent));
    BankBench bench(bank);
    bench.write(kPcer, kEvents);
    EXPECT_GT(bank.safe_cycles(), Cycle{1} << 60);
    bank.write(kPcmr, 0);
    EXPECT_EQ(bank.safe_cycles(), 0U);
    bench.cycle();
    EXPECT_GT(bank.safe_cycles(), Cycle{1} << 60);
}

// --- One counter for all ------------------------------------------------------------------------

TEST(PcerShared, CountsACycleOnceHoweverManyEventsPulse) {
    PcerBank bank(config_of(PcerVariant::Shared));
    BankBench bench(bank);
    bench.write(kPcer, bit(kLoads) | bit(kStores) | bit(kInstructions));
    bench.cycle({Event::Load, Event::Store}, 2);
    bench.cycle({Event::Load}, 1);
    bench.cycle({}, 2);
    bench.cycle({Event::Compressed});
    for (unsigned n = 0; n <= 31; ++n) {
        EXPECT_EQ(bench.read(pccr(n)), 3U) << n;
    }
}

TEST(PcerShared, WantsSingleCyclesOnlyWhereTotalsDoNotTell) {
    PcerBank bank(config_of(PcerVariant::Shared));
    BankBench bench(bank);
    const auto spans = [&](std::uint64_t events) {
        bench.write(kPcer, events);
        EXPECT_EQ(bank.safe_cycles() == 0, !bank.room().holds({}, bank.now()));
        return bank.safe_cycles() != 0;
    };
    EXPECT_TRUE(spans(0));
    EXPECT_TRUE(spans(bit(kLoads)));
    EXPECT_TRUE(spans(bit(kLoads) | bit(kTcdm)));
    EXPECT_TRUE(spans(bit(0) | bit(kLoads))); // every cycle counts anyway
    EXPECT_FALSE(spans(bit(kLoads) | bit(kStores)));
    EXPECT_FALSE(spans(bit(kInstructions))); // two of a cycle count once
    bench.write(kPcmr, 2);
    EXPECT_NE(bank.safe_cycles(), 0U);
}

// --- Random streams -----------------------------------------------------------------------------

class Streams {
  public:
    Streams(std::uint64_t seed, PcerVariant variant)
        : random_(seed), reference_(variant), ticked_(config_of(variant)),
          spanned_(config_of(variant)), csrs_(owned_csrs(ticked_)), pulse_share_(below(60)) {}

    /// The first difference, or nothing.
    std::string run(Cycle cycles) {
        while (ticked_.now() < cycles) {
            if (below(12) == 0) {
                write();
            } else {
                const Cycle most = std::min<Cycle>(spanned_.safe_cycles(), 50);
                most == 0 || below(3) == 0 ? step() : span(1 + below(most));
            }
            if (std::string difference = compare(); !difference.empty()) {
                return difference;
            }
        }
        return {};
    }
    Cycle spanned() const { return in_spans_; }

  private:
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

    CyclePulses pulses() {
        CyclePulses result{.events = {}, .retired = static_cast<std::uint8_t>(below(3))};
        for (std::size_t source = 0; source < kEventCount; ++source) { // None counts nothing
            if (below(100) < pulse_share_) {
                result.events |= event_bit(static_cast<Event>(source));
                ++totals_.events[source];
            }
        }
        totals_.retired += result.retired;
        return result;
    }
    void step() {
        const CyclePulses now = pulses();
        reference_.clock_edge(now);
        ticked_.tick(now, ticked_.now() + 1);
        spanned_.tick(now, spanned_.now() + 1);
    }
    void span(Cycle length) {
        in_spans_ += length;
        for (Cycle i = 0; i < length; ++i) {
            const CyclePulses now = pulses();
            reference_.clock_edge(now);
            ticked_.tick(now, ticked_.now() + 1);
        }
        spanned_.advance(totals_, ticked_.now());
    }
    std::uint64_t value_for(std::uint16_t csr) {
        if (csr == kPcmr) {
            return random_() & (below(4) == 0 ? 2 : 3);
        }
        if (csr == kPcer) {
            const std::uint64_t choices[] = {random_(), kEvents,
                                             bit(static_cast<unsigned>(below(21))),
                                             random_() & random_() & random_()};
            return choices[below(4)];
        }
        return below(2) == 0 ? kLargest - below(8) : random_();
    }
    void write() {
        constexpr std::uint16_t kControls[] = {kPcmr, kPcer, kAll};
        const std::uint16_t csr =
            below(2) == 0 ? kControls[below(3)] : pccr(static_cast<unsigned>(below(31)));
        const std::uint64_t value = value_for(csr);
        const CyclePulses now = pulses();
        ticked_.write(csr, value);
        spanned_.write(csr, value);
        reference_.clock_edge(now, csr, value);
        ticked_.tick(now, ticked_.now() + 1);
        spanned_.tick(now, spanned_.now() + 1);
    }
    std::string compare() const {
        for (const std::uint16_t csr : csrs_) {
            const std::uint64_t expected = reference_.read(csr);
            if (ticked_.read(csr) != expected || spanned_.read(csr) != expected) {
                std::ostringstream text;
                text << "CSR 0x" << std::hex << csr << " after cycle " << std::dec << ticked_.now()
                     << ": " << expected << ", ticked " << ticked_.read(csr) << ", in spans "
                     << spanned_.read(csr);
                return text.str();
            }
        }
        return {};
    }

    std::mt19937_64 random_;
    PcerReference reference_;
    PcerBank ticked_, spanned_;
    std::vector<std::uint16_t> csrs_;
    std::uint64_t pulse_share_;
    EventTotals totals_;
    Cycle in_spans_ = 0;
};

TEST_P(PcerTest, AgreesWithTheNaiveModelOnRandomStreamsTickedAndInSpans) {
    Cycle spanned = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Streams streams(seed, GetParam());
        ASSERT_EQ(streams.run(5000), "") << "seed " << seed;
        spanned += streams.spanned();
    }
    EXPECT_GT(spanned, 20'000U); // the ways really differ
}

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// Crossings: every one is told, with its cycle, whatever the line does and however the bank is
// driven. The judge counts pulses one by one.
#include "hw/hpm/host_counters.h"
#include "hw/hpm/tlm_bank.h"
#include "tests/unit/hpm/bank_bench.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

namespace pes::test {
namespace {

constexpr std::uint64_t kLoads = 5, kStores = 6, kInstructions = 24;

using Told = std::vector<std::tuple<unsigned, Crossing::Kind, Cycle, unsigned>>;

struct Listener : CrossingSink {
    void crossed(const Crossing& crossing) override {
        told.emplace_back(crossing.counter, crossing.kind, crossing.cycle, crossing.beyond);
        last = crossing;
    }
    Told told;
    Crossing last;
};

class Crossings : public testing::Test {
  protected:
    Crossings() { EXPECT_TRUE(bank.watch_crossings(listener)); }

    TlmCounterBank bank;
    BankBench bench{bank};
    Listener listener;
};

TEST_F(Crossings, AreToldWhileTheLineIsHigh) {
    bench.write(kEvent3, kLoads);
    bench.write(kEvent4, kStores);
    bench.write(csr::kMhpmthreshold3, 2);
    bench.write(csr::kMhpmthreshold3 + 1, 3);
    bench.cycles(2, {Event::Load});
    const Cycle first = bench.now();
    EXPECT_EQ(bank.safe_cycles(), 2U) << "the second is two stores away";
    bench.advance(2, Event::Store, 2);
    bench.cycle({Event::Store});
    EXPECT_EQ(listener.told, (Told{{3, Crossing::Kind::Threshold, first, 0},
                                   {4, Crossing::Kind::Threshold, first + 3, 0}}));
    EXPECT_EQ(listener.last.selector, kStores);
    EXPECT_EQ(listener.last.sources, event_bit(Event::Store));
}

TEST_F(Crossings, SayWhichOfTwoRetirementsGotThere) {
    bench.write(kEvent3, kInstructions);
    bench.write(csr::kMhpmthreshold3, 3);
    bench.cycle({}, 2);
    bench.cycle({}, 2); // 4: the older of the two
    ASSERT_EQ(listener.told.size(), 1U);
    EXPECT_EQ(listener.last.beyond, 1U);
    EXPECT_EQ(listener.last.sources, event_bit(Event::Instructions));
}

TEST_F(Crossings, ByAWriteHaveNoSource) {
    bench.write(kEvent3, kLoads);
    bench.write(kCounter3, 100);
    bench.write(csr::kMhpmthreshold3, 50);
    ASSERT_EQ(listener.told.size(), 1U);
    EXPECT_FALSE(listener.last.sources.any());
}

/// The cycle of a trap belongs to the mode that it leaves, and so does what crosses in it.
TEST_F(Crossings, InTheLastCycleOfACountedModeHaveTheirSource) {
    for (const std::uint64_t event : {kLoads, kInstructions}) {
        bench.write(kEvent3, event | csr::kMhpmeventMachineInhibit);
        bench.write(kCounter3, 0);
        bench.write(csr::kMhpmthreshold3, 2);
        bank.set_privilege(Privilege::User, bank.now() + 2);
        bench.cycles(3);
        listener.told.clear();
        bank.set_privilege(Privilege::Machine, bank.now() + 3);
        bench.cycle({Event::Load}, 1);
        bench.cycle({Event::Load}, 1);
        ASSERT_EQ(listener.told.size(), 1U);
        EXPECT_TRUE(listener.last.sources.any()) << event;
        bench.cycles(3);
        EXPECT_EQ(listener.told.size(), 1U);
    }
}

/// What a bank foresees from pulses is what it tells when it counts them; it changes nothing.
TEST_F(Crossings, OverflowsAreForeseen) {
    std::mt19937 random(1);
    std::size_t foreseen = 0;
    for (int round = 0; round < 300; ++round) {
        bench.write(kEvent3, round % 2 == 0 ? kLoads : kInstructions);
        bench.write(kCounter3, 0 - std::uint64_t{1 + random() % 20});
        std::vector<CyclePulses> coming(30);
        for (CyclePulses& pulses : coming) {
            pulses = {.events = random() % 2 == 0 ? event_bit(Event::Load) : EventMask(),
                      .retired = static_cast<std::uint8_t>(random() % 3)};
        }
        listener.told.clear();
        const auto ahead = bank.overflow_ahead(coming);
        EXPECT_TRUE(listener.told.empty());
        for (const CyclePulses& pulses : coming) {
            bank.tick(pulses, bank.now() + 1);
        }
        ASSERT_EQ(ahead.has_value(), !listener.told.empty()) << "round " << round;
        if (ahead) {
            EXPECT_EQ(ahead->cycle, std::get<Cycle>(listener.told[0]));
            EXPECT_EQ(ahead->beyond, listener.last.beyond);
            ++foreseen;
        }
    }
    EXPECT_GT(foreseen, 100U);
}

TEST_F(Crossings, CyclesAreNotForeseen) {
    bench.write(kEvent3, 23); // every cycle
    bench.write(kCounter3, 0 - std::uint64_t{5});
    EXPECT_FALSE(bank.overflow_ahead(std::vector<CyclePulses>(20)));
}

TEST_F(Crossings, OverflowsAreToldOnceForEachTimeThatOfIsClear) {
    bench.write(kEvent3, kLoads);
    bench.write(kCounter3, ~std::uint64_t{0});
    bench.cycle({Event::Load});
    const Cycle first = bench.now();
    bench.write(kCounter3, ~std::uint64_t{0});
    bench.cycle({Event::Load}); // OF is set
    EXPECT_EQ(listener.told, (Told{{3, Crossing::Kind::Overflow, first, 0}}));
}

/// A counter with a threshold that is set anew some time after each crossing.
struct NaiveCounter {
    std::uint64_t value = 0, threshold = 0;
    bool reached = false;

    void step(std::uint64_t by, unsigned counter, Cycle cycle, Told& told) {
        value += by;
        const bool now = threshold != 0 && value >= threshold;
        if (now && !reached) {
            told.emplace_back(counter, Crossing::Kind::Threshold, cycle,
                              static_cast<unsigned>(value - threshold));
        }
        reached = now;
    }
};

TEST_F(Crossings, AreWhatACountOfEveryPulseSays) {
    std::mt19937 random(1);
    std::array<NaiveCounter, 2> naive;
    Told expected;
    bench.write(kEvent3, kLoads);
    bench.write(kEvent4, kStores);
    while (bench.now() < 200'000) {
        Cycle safe = std::min<Cycle>(bank.safe_cycles(), 1 + random() % 100);
        const std::size_t which = random() % 2;
        if (safe == 0 || random() % 4 == 0) {
            if (naive[which].threshold == 0 || naive[which].reached) {
                NaiveCounter& counter = naive[which];
                counter.threshold = counter.value + 1 + random() % 30;
                bench.write(csr::kMhpmthreshold3 + static_cast<std::uint16_t>(which),
                            counter.threshold);
                counter.reached = false;
                continue;
            }
            const Event event = which == 0 ? Event::Load : Event::Store;
            bench.cycle({event});
            naive[which].step(1, 3 + static_cast<unsigned>(which), bench.now(), expected);
            continue;
        }
        // At most one pulse a cycle: no counter gets to its threshold in here.
        const std::uint64_t pulses = random() % (safe + 1);
        bench.advance(safe, which == 0 ? Event::Load : Event::Store, pulses);
        naive[which].step(pulses, 3 + static_cast<unsigned>(which), 0, expected);
    }
    EXPECT_EQ(listener.told, expected);
    EXPECT_GT(expected.size(), 1000U);
}

// --- Counters of the host -----------------------------------------------------------------------

TEST(HostCounters, CrossEveryPeriodAndCountOn) {
    TlmCounterBank guest;
    Listener listener;
    HostCounters bank(guest,
                      {{.sources = event_bit(Event::Load), .period = 3},
                       {.sources = event_bit(Event::Store)},
                       {.sources = event_bit(Event::Cycles), .period = 8}},
                      listener);
    BankBench bench(bank);
    EXPECT_EQ(bank.safe_cycles(), 2U);
    EXPECT_EQ(bank.room().most(Event::Load), 2U);
    EXPECT_EQ(bank.room().cycle, 7U);
    bench.advance(2, Event::Load, 2);
    bench.cycle({Event::Load, Event::Store});
    bench.cycles(3, {Event::Load});
    bench.cycles(2);
    EXPECT_EQ(listener.told, (Told{{0, Crossing::Kind::Threshold, 3, 0},
                                   {0, Crossing::Kind::Threshold, 6, 0},
                                   {2, Crossing::Kind::Threshold, 8, 0}}));
    EXPECT_EQ(bank.counted(0), 6U);
    EXPECT_EQ(bank.counted(1), 1U);
}

TEST(HostCounters, OneWithoutAPeriodCrossesWhenAskedTo) {
    TlmCounterBank guest;
    Listener listener;
    HostCounters bank(
        guest,
        {{.sources = event_bit(Event::Load), .period = 5}, {.sources = event_bit(Event::Load)}},
        listener);
    BankBench bench(bank);
    EXPECT_EQ(bank.next_crossing(0), 5U);
    EXPECT_EQ(bank.next_crossing(1), kNever);
    bank.cross_once(1, bank.next_crossing(0) - 2);
    EXPECT_EQ(bank.room().most(Event::Load), 2U);
    bench.cycles(7, {Event::Load});
    EXPECT_EQ(listener.told,
              (Told{{1, Crossing::Kind::Threshold, 3, 0}, {0, Crossing::Kind::Threshold, 5, 0}}));
    EXPECT_EQ(bank.next_crossing(0), 10U);
    EXPECT_EQ(bank.next_crossing(1), kNever);
}

TEST(HostCounters, SpreadPeriodsHaveTheirMeanAndStayInside) {
    TlmCounterBank guest;
    Listener listener;
    HostCounters bank(
        guest, {{.sources = event_bit(Event::Cycles), .period = 100, .spread = 30, .seed = 5}},
        listener);
    BankBench bench(bank);
    bench.cycles(200'000);
    ASSERT_GT(listener.told.size(), 1900U);
    EXPECT_LT(listener.told.size(), 2100U);
    std::set<Cycle> seen;
    for (std::size_t index = 1; index < listener.told.size(); ++index) {
        const Cycle interval =
            std::get<Cycle>(listener.told[index]) - std::get<Cycle>(listener.told[index - 1]);
        seen.insert(interval);
    }
    EXPECT_EQ(*seen.begin(), 70U);
    EXPECT_EQ(*seen.rbegin(), 130U);
    EXPECT_LE(std::get<Cycle>(listener.told[0]), 100U);
}

TEST(HostCounters, BeginWithARestoredHart) {
    TlmCounterBank saved;
    BankBench before(saved);
    before.cycles(7, {Event::Load}, 1);
    Archive archive;
    saved.state(archive);

    TlmCounterBank guest;
    Listener listener;
    HostCounters bank(guest,
                      {{.sources = event_bit(Event::Load), .period = 3},
                       {.sources = event_bit(Event::Cycles), .period = 10}},
                      listener);
    Archive from(archive.bytes());
    bank.state(from);
    bank.restored(before.totals());
    EXPECT_EQ(bank.began(), 7U);
    EXPECT_EQ(bank.counted(0), 0U);
    EXPECT_EQ(bank.room().most(Event::Load), 9U);
    EXPECT_EQ(bank.room().cycle, 16U);
    EventTotals totals = before.totals();
    totals.events[static_cast<std::size_t>(Event::Load)] += 2;
    bank.advance(totals, 12);
    for (Cycle cycle = 13; cycle <= 17; ++cycle) {
        bank.tick({.events = event_bit(Event::Load), .retired = 0}, cycle);
    }
    EXPECT_EQ(listener.told, (Told{{0, Crossing::Kind::Threshold, 13, 0},
                                   {0, Crossing::Kind::Threshold, 16, 0},
                                   {1, Crossing::Kind::Threshold, 17, 0}}));
}

TEST(HostCounters, TheGuestSeesNothingOfThem) {
    TlmCounterBank guest;
    Listener listener;
    HostCounters bank(guest, {{.sources = event_bit(Event::Load), .period = 1}}, listener);
    BankBench bench(bank);
    bench.write(kEvent4, kLoads);
    bench.cycles(5, {Event::Load});
    EXPECT_EQ(bench.read(kCounter4), 5U);
    EXPECT_FALSE(bench.irq());
    EXPECT_EQ(listener.told.size(), 5U);
}

TEST(HostCounters, ACounterOfSeveralSourcesCountsOnceACycle) {
    TlmCounterBank guest;
    Listener listener;
    HostCounters bank(guest,
                      {{.sources = event_bit(Event::Load) | event_bit(Event::Store), .period = 2}},
                      listener);
    BankBench bench(bank);
    EXPECT_EQ(bank.safe_cycles(), 0U);
    bench.cycle({Event::Load, Event::Store});
    EXPECT_TRUE(listener.told.empty());
    bench.cycle({Event::Store});
    EXPECT_EQ(listener.told.size(), 1U);
}

} // namespace
} // namespace pes::test

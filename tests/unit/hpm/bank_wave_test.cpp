// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/pcer_bank.h"
#include "hw/hpm/tlm_bank.h"
#include "hw/interface/pmu/profile_cv32e40p.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/recorded_wave.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace pes::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(BankWave, DeclaresTheSignalsOfThePublishedFigures) {
    RecordedWave wave(0, 100);
    TlmCounterBank bank;
    bank.attach_wave(wave, "hart0.hpm");
    for (const char* name :
         {"cycle_q", "instret_q", "generic_counter_q(1)", "generic_counter_q(6)", "threshold_q(1)",
          "threshold_q(6)", "threshold_cycle_q", "threshold_instret_q", "mmaped_addr_d",
          "mmaped_addr_q", "mmaped_size_q", "mmaped_offset_q"}) {
        EXPECT_EQ(wave.widths[std::string("hart0.hpm.") + name], 64U) << name;
    }
    EXPECT_EQ(wave.widths["hart0.hpm.mhpmevent_q(1)"], 5U);
    EXPECT_EQ(wave.widths["hart0.hpm.mhpmevent_q(6)"], 5U);
    EXPECT_EQ(wave.widths["hart0.hpm.mcountinhibit_q"], 32U);
    EXPECT_EQ(wave.widths["hart0.hpm.perf_counter_irq_o"], 1U);
    EXPECT_EQ(wave.widths["hart0.hpm.buffer_full_irq_o"], 1U);
    EXPECT_EQ(wave.widths["hart0.hpm.overflow_q"], 32U);
    EXPECT_EQ(wave.widths["hart0.hpm.overflow_irq_o"], 1U);
    EXPECT_EQ(wave.widths.size(), 2U + 6U * 3U + 2U + 1U + 4U + 2U + 2U);
}

TEST(BankWave, ThePcerUnitShowsModeEnablesAndItsCounters) {
    for (const PmuProfile* profile : {&kCv32e40pProfile, &kCv32e40pAsicProfile}) {
        RecordedWave wave(0, 100);
        PcerBank bank(counters_of(*profile));
        bank.attach_wave(wave, "hpm");
        const bool shared = profile->registers == RegisterSet::PcerShared;
        EXPECT_EQ(wave.widths.size(), shared ? 3U : 33U);
        EXPECT_EQ(wave.initials["hpm.pcmr_q"], 3U);
        BankBench bench(bank);
        bench.write(csr::kPcer, 1);        // cycle 1: cycles count
        bench.cycle();                     // cycle 2
        bench.write(csr::kPcmr, 0);        // cycle 3 still counts
        EXPECT_EQ(bank.safe_cycles(), 0U); // inside the window
        EXPECT_THAT(wave.changes["hpm.pcer_q"], ElementsAre(Pair(2, 1)));
        EXPECT_THAT(wave.changes["hpm.pcmr_q"], ElementsAre(Pair(4, 0)));
        EXPECT_THAT(wave.changes["hpm.pccr_q(0)"], ElementsAre(Pair(3, 1), Pair(4, 2)));
    }
}

TEST(BankWave, InputOfTheBufferAddressIsOneCycleAheadOfTheRegister) {
    RecordedWave wave(0, 100);
    TlmCounterBank bank;
    bank.attach_wave(wave, "hpm");
    BankBench bench(bank);
    bench.cycle();                              // cycle 1
    bench.write(csr::kMhpmmmaped, 0x8000'1000); // cycle 2
    EXPECT_THAT(wave.changes["hpm.mmaped_addr_d"], ElementsAre(Pair(2, 0x8000'1000)));
    EXPECT_THAT(wave.changes["hpm.mmaped_addr_q"], ElementsAre(Pair(3, 0x8000'1000)));
}

TEST(BankWave, ReportsEachChangeInsideTheWindowOnItsCycle) {
    RecordedWave wave(0, 100);
    TlmCounterBank bank;
    bank.attach_wave(wave, "hpm");
    BankBench bench(bank);
    EXPECT_EQ(bank.safe_cycles(), 0U);
    bench.write(0x323, 21);                 // cycle 1
    bench.write(csr::kMhpmthreshold3, 2);   // cycle 2
    bench.cycle({Event::FloatingPoint}, 1); // cycle 3
    bench.cycle();                          // cycle 4
    bench.cycle({Event::FloatingPoint}, 2); // cycle 5
    bench.write(csr::kMcountinhibit, 8);    // cycle 6
    EXPECT_THAT(wave.changes["hpm.mhpmevent_q(1)"], ElementsAre(Pair(2, 21)));
    EXPECT_THAT(wave.changes["hpm.threshold_q(1)"], ElementsAre(Pair(3, 2)));
    EXPECT_THAT(wave.changes["hpm.generic_counter_q(1)"], ElementsAre(Pair(4, 1), Pair(6, 2)));
    EXPECT_THAT(wave.changes["hpm.perf_counter_irq_o"], ElementsAre(Pair(6, 1)));
    EXPECT_THAT(wave.changes["hpm.instret_q"], ElementsAre(Pair(4, 1), Pair(6, 3)));
    EXPECT_THAT(wave.changes["hpm.mcountinhibit_q"], ElementsAre(Pair(7, 8)));
    EXPECT_EQ(wave.changes["hpm.cycle_q"].size(), 6U);
    EXPECT_EQ(wave.changes.count("hpm.generic_counter_q(2)"), 0U);
}

TEST(BankWave, AsksForSingleCyclesOnlyForTheWindow) {
    RecordedWave wave(1000, 1010); // registers of cycle 1000 change by the pulses of cycle 999
    TlmCounterBank bank;
    bank.attach_wave(wave, "hpm");
    BankBench bench(bank);
    ASSERT_EQ(bank.safe_cycles(), 998U);
    bench.advance(998, Event::Load, 10, 500);
    EXPECT_EQ(wave.changes["hpm.cycle_q"].back(), (std::pair<Cycle, std::uint64_t>{999, 998}));
    EXPECT_EQ(wave.changes["hpm.instret_q"].back(), (std::pair<Cycle, std::uint64_t>{999, 500}));
    for (Cycle cycle = 999; cycle <= 1008; ++cycle) {
        ASSERT_EQ(bank.safe_cycles(), 0U) << cycle;
        bench.cycle();
        EXPECT_EQ(wave.changes["hpm.cycle_q"].back(),
                  (std::pair<Cycle, std::uint64_t>{cycle + 1, cycle}));
    }
    EXPECT_GT(bank.safe_cycles(), 1'000'000U);
}

TEST(BankWave, ChangesBeforeTheWindowAreNotDatedIntoIt) {
    RecordedWave wave(100, 110);
    TlmCounterBank bank;
    bank.attach_wave(wave, "hpm");
    BankBench bench(bank);
    bench.write(0x323, 21); // ticked outside the window, then single cycles up to its start
    bench.cycles(98);
    ASSERT_EQ(wave.changes["hpm.mhpmevent_q(1)"].size(), 1U);
    EXPECT_LT(wave.changes["hpm.mhpmevent_q(1)"][0].first, 100U);
    EXPECT_EQ(wave.changes["hpm.mhpmevent_q(1)"][0].second, 21U);
}

TEST(BankWave, UnwantedGroupCostsNothing) {
    RecordedWave wave(0, 100, "plic");
    TlmCounterBank bank;
    bank.attach_wave(wave, "hpm");
    EXPECT_TRUE(wave.widths.empty());
    EXPECT_GT(bank.safe_cycles(), 1'000'000U);
}

TEST(BankWave, StartsFromTheValuesAtTheTimeOfAttaching) {
    RecordedWave wave(0, 100);
    TlmCounterBank bank;
    BankBench bench(bank);
    bench.write(csr::kMhpmmmaped, 0x8000'0000);
    bank.attach_wave(wave, "hpm");
    EXPECT_EQ(wave.initials["hpm.mmaped_addr_q"], 0x8000'0000U);
}

} // namespace
} // namespace pes::test

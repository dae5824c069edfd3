// SPDX-License-Identifier: Apache-2.0
// What the comparison with the model cannot show: pins that no hart drives, the RTL's own idea of
// which CSR numbers are its, its sample capture, and what lockstep says about a difference.
#include "hw/hpm/counter_csr.h"
#include "hw/hpm/lockstep_bank.h"
#include "hw/hpm/rtl_bank.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string_view>

namespace pes::test {
namespace {

using testing::HasSubstr;

RtlFactory cva6_rtl() {
    return test_models().front().make;
}

RtlFactory mutant(std::string_view name) {
    for (const Mutant& candidate : mutants()) {
        if (candidate.name == name) {
            return candidate.make;
        }
    }
    return nullptr;
}

std::string contents(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

class Rtl : public testing::Test {
  protected:
    void retire(Address pc, Privilege privilege = Privilege::User) {
        bank_.observer()->retired({.cycle = bank_.now() + 1,
                                   .pc = pc,
                                   .next_pc = pc + 4,
                                   .raw = 0,
                                   .length = 4,
                                   .privilege = privilege});
    }

    RtlCounterBank bank_{CounterConfig{}, cva6_rtl()()};
    BankBench bench_{bank_};
};

TEST_F(Rtl, ClaimsExactlyTheCsrNumbersOfTheModel) {
    for (std::uint16_t number = 0; number < 0x1000; ++number) {
        EXPECT_EQ(bank_.model().hit(number),
                  decode_counter_csr(number).kind != CounterRegister::None)
            << std::hex << number;
    }
}

TEST_F(Rtl, ReadsZeroWhereItHasNoRegister) {
    bench_.cycles(5, {Event::Load}, 2);
    for (const std::uint16_t number : {0xB01, 0xB20, 0x321, 0x322, 0x300, 0xC00}) {
        EXPECT_EQ(bank_.model().read(number), 0U) << std::hex << number;
    }
}

TEST_F(Rtl, StandsStillInDebugModeButForTheFixedCounters) {
    bench_.write(csr::kMhpmevent3, 5);
    bank_.set_debug(true);
    bench_.cycles(3, {Event::Load}, 1);
    bank_.set_debug(false);
    bench_.cycle({Event::Load}, 1);
    EXPECT_EQ(bench_.read(csr::kMhpmcounter3), 1U);
    EXPECT_EQ(bench_.read(csr::kMcycle), 5U);
    EXPECT_EQ(bench_.read(csr::kMinstret), 4U);
}

TEST_F(Rtl, CapturesTheInstructionWhoseEventReachedTheThreshold) {
    bench_.write(csr::kMhpmevent3, 5);
    bench_.write(csr::kMhpmthreshold3, 2);
    retire(0x1000);
    bench_.cycle({Event::Load}, 1);
    retire(0x1004);
    retire(0x1008);
    bench_.cycle({Event::Load}, 2); // cycle 4: the counter gets 2
    EXPECT_TRUE(bench_.irq());
    EXPECT_EQ(bank_.outputs().sample_pc, 0U); // the line is up in 5, the sample there in 6
    retire(0x100C);
    bench_.cycle({Event::Load}, 1);
    EXPECT_EQ(bank_.outputs().sample_pc, 0x1008U);
    EXPECT_EQ(bank_.outputs().sample_cycle, 4U); // mcycle as read in cycle 5
    EXPECT_EQ(bank_.outputs().sample_reached, 1U << 3);
    EXPECT_EQ(bank_.outputs().sample_privilege, static_cast<unsigned>(Privilege::User));
}

TEST_F(Rtl, RestoresTheStateThatItSaved) {
    bench_.write(csr::kMhpmthreshold3, 77);
    bench_.cycles(10, {}, 2);
    std::string state;
    bank_.model().save(state);
    bench_.cycles(10, {}, 2);
    EXPECT_EQ(bench_.read(csr::kMinstret), 40U);
    bank_.model().restore(state);
    EXPECT_EQ(bench_.read(csr::kMinstret), 20U);
    EXPECT_EQ(bench_.read(csr::kMhpmthreshold3), 77U);
}

class Lockstep : public testing::Test {
  protected:
    LockstepBank::Hooks hooks() {
        return {.on_difference =
                    [this](const std::string& text) {
                        report_ = text;
                        ++reports_;
                    },
                .vcd = (directory_.path() / "window.vcd").string()};
    }

    static constexpr CounterConfig kMutantConfig{.programmable = 2, .width = 40};

    TemporaryDirectory directory_;
    std::string report_;
    unsigned reports_ = 0;
};

TEST_F(Lockstep, IsSilentWhereModelAndRtlAgree) {
    LockstepBank bank(CounterConfig{}, cva6_rtl(), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3, 20);
    bench.cycles(3000, {Event::Integer}, 1);
    EXPECT_EQ(bench.read(csr::kMhpmcounter3), 3000U);
    EXPECT_EQ(reports_, 0U);
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "window.vcd"));
}

TEST_F(Lockstep, NamesCyclePcSignalBothValuesAndTheLastPulses) {
    LockstepBank bank(kMutantConfig, mutant("threshold_one_too_high"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3, 5);     // cycle 1
    bench.write(csr::kMhpmthreshold3, 3); // cycle 2
    bench.cycles(40, {Event::Store}, 1);  // ..42
    for (Address pc = 0x8000'0100; pc != 0x8000'010C; pc += 4) {
        bank.observer()->retired({.cycle = bank.now() + 1,
                                  .pc = pc,
                                  .next_pc = pc + 4,
                                  .raw = 0,
                                  .length = 4,
                                  .privilege = Privilege::User});
        bench.cycle({Event::Load}, 1); // 43, 44, 45
    }
    EXPECT_EQ(reports_, 1U);
    ASSERT_TRUE(bank.difference());
    EXPECT_EQ(bank.difference()->cycle, 46U);
    EXPECT_EQ(bank.difference()->pc, 0x8000'0108U);
    EXPECT_EQ(bank.difference()->signal, "threshold_irq_o");
    EXPECT_EQ(bank.difference()->model, 1U);
    EXPECT_EQ(bank.difference()->rtl, 0U);
    EXPECT_THAT(report_, HasSubstr("counters differ in cycle 46, pc 0x80000108: threshold_irq_o is "
                                   "0x1 in the model and 0x0 in the RTL"));
    EXPECT_THAT(report_, HasSubstr("the last 32 cycles:\n  cycle 14: 1 retired, store\n"));
    EXPECT_THAT(report_, HasSubstr("  cycle 45: 1 retired, load\n"));
    bench.cycles(5, {Event::Load}, 1);
    EXPECT_EQ(reports_, 1U) << "only the first difference counts";
}

TEST_F(Lockstep, WritesTheWindowBeforeTheDifference) {
    LockstepBank bank(kMutantConfig, mutant("second_retirement_missed"), hooks());
    BankBench bench(bank);
    bench.cycles(5000, {Event::Load}, 1);
    EXPECT_EQ(reports_, 0U);
    bench.cycle({}, 2);
    bench.cycles(64); // the idle read port comes by minstret
    ASSERT_EQ(reports_, 1U);
    EXPECT_THAT(report_, HasSubstr("CSR 0xB02 is 0x138a in the model and 0x1389 in the RTL"));
    const std::string vcd = contents(directory_.path() / "window.vcd");
    EXPECT_THAT(vcd, HasSubstr("threshold_irq_o"));
    EXPECT_THAT(vcd, HasSubstr("value_q")); // internal
    const std::string end = "\n#" + std::to_string((bank.difference()->cycle) * 10) + "\n";
    EXPECT_THAT(vcd, HasSubstr(end));
    EXPECT_THAT(vcd, testing::Not(HasSubstr("\n#30000\n"))) << "more than two intervals";
}

TEST_F(Lockstep, FindsADifferenceThatSoftwareReads) {
    LockstepBank bank(kMutantConfig, mutant("inhibit_stores_absent_bits"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMcountinhibit, 0x80);
    EXPECT_EQ(bench.read(csr::kMcountinhibit), 0U); // the model's
    EXPECT_EQ(reports_, 1U);
}

TEST_F(Lockstep, SaysSoIfTheWindowCannotBeWritten) {
    LockstepBank::Hooks where = hooks();
    where.vcd = (directory_.path() / "absent" / "window.vcd").string();
    LockstepBank bank(kMutantConfig, mutant("threshold_zero_fires"), where);
    BankBench bench(bank);
    bench.cycle();
    EXPECT_THAT(report_, HasSubstr("cannot write "));
}

} // namespace
} // namespace pes::test

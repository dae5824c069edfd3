// SPDX-License-Identifier: Apache-2.0
// CSR instructions of a whole hart: rights, side effects, counters as instructions see them, trap
// returns and the traps of mstatus.TSR, TVM and TW's neighbours.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

using End = BareMachine::End;

void expect_illegal(const BareMachine& machine, Word word) {
    ASSERT_TRUE(machine.trap().has_value()) << std::hex << word;
    EXPECT_EQ(machine.trap()->cause, static_cast<std::uint64_t>(Cause::IllegalInstruction));
    EXPECT_EQ(machine.trap()->tval, word);
}

/// Runs one instruction in a mode on a fresh machine; true if it is illegal there.
bool is_illegal(Privilege mode, Word word, std::uint64_t status = 0,
                const std::function<void(BareMachine&)>& prepare = {},
                const HartConfig& config = BareMachine::default_config()) {
    BareMachine machine(config);
    machine.open_protection();
    machine.stop_at_traps();
    machine.set_csr(csr::kMstatus, status);
    if (prepare) {
        prepare(machine);
    }
    machine.execute_in(mode, {word, kNop});
    if (machine.traps().empty()) {
        return false;
    }
    expect_illegal(machine, word);
    return true;
}

// --- Rights -------------------------------------------------------------------------------------

TEST(HartCsr, RegistersOfAHigherModeAreIllegal) {
    for (const std::uint16_t number : {csr::kMstatus, csr::kMepc, csr::kMhartid, csr::kMcycle}) {
        EXPECT_FALSE(is_illegal(Privilege::Machine, csrr(a0, number)));
        EXPECT_TRUE(is_illegal(Privilege::Supervisor, csrr(a0, number)));
        EXPECT_TRUE(is_illegal(Privilege::User, csrr(a0, number)));
    }
    EXPECT_FALSE(is_illegal(Privilege::Supervisor, csrr(a0, csr::kSscratch)));
    EXPECT_TRUE(is_illegal(Privilege::User, csrr(a0, csr::kSscratch)));
}

TEST(HartCsr, ReadOnlyRegistersMayBeReadByEveryFormAndWrittenByNone) {
    EXPECT_FALSE(is_illegal(Privilege::Machine, csrrs(a0, csr::kMhartid, zero)));
    EXPECT_FALSE(is_illegal(Privilege::Machine, csrrc(a0, csr::kMhartid, zero)));
    EXPECT_FALSE(is_illegal(Privilege::Machine, csrrsi(a0, csr::kMhartid, 0)));
    EXPECT_TRUE(is_illegal(Privilege::Machine, csrrs(a0, csr::kMhartid, a1))) << "even of zero";
    EXPECT_TRUE(is_illegal(Privilege::Machine, csrrw(zero, csr::kMhartid, zero)));
    EXPECT_TRUE(is_illegal(Privilege::Machine, csrrsi(a0, csr::kMhartid, 1)));
}

TEST(HartCsr, UnknownNumbersAreIllegal) {
    for (const std::uint16_t number : {0x3A1, 0xB01, 0xB20, 0xDA1, 0xC80, 0x5C0, 0x7B0}) {
        EXPECT_TRUE(is_illegal(Privilege::Machine, csrr(a0, number))) << std::hex << number;
    }
}

TEST(HartCsr, AnIllegalAccessChangesNothing) {
    BareMachine machine;
    machine.open_protection();
    machine.stop_at_traps();
    machine.set(a0, 5);
    machine.set(a1, ~std::uint64_t{0});
    machine.execute_in(Privilege::User, {csrrw(a0, csr::kMscratch, a1)});
    EXPECT_EQ(machine.get(a0), 5U);
    EXPECT_EQ(machine.csr(csr::kMscratch), 0U);
}

TEST(HartCsr, ReadModifyWriteFormsReturnTheOldValue) {
    BareMachine machine;
    machine.set_csr(csr::kMscratch, 0b1100);
    machine.set(a1, 0b1010);
    machine.execute({csrrs(a2, csr::kMscratch, a1), csrrc(a3, csr::kMscratch, a1),
                     csrrw(a1, csr::kMscratch, a1), csrrsi(a4, csr::kMscratch, 0x11)});
    EXPECT_EQ(machine.get(a2), 0b1100U);
    EXPECT_EQ(machine.get(a3), 0b1110U);
    EXPECT_EQ(machine.get(a1), 0b0100U) << "swap with one register";
    EXPECT_EQ(machine.get(a4), 0b1010U);
    EXPECT_EQ(machine.csr(csr::kMscratch), 0b11011U);
}

TEST(HartCsr, FloatRegistersAndInstructionsNeedFloatState) {
    for (const Word word : {csrr(a0, csr::kFcsr), fadd_s(1, 2, 3)}) {
        EXPECT_TRUE(is_illegal(Privilege::Machine, word, 0));
        EXPECT_FALSE(is_illegal(Privilege::Machine, word, std::uint64_t{1} << 13));
    }
}

TEST(HartCsr, ReservedDynamicRoundingModesMakeArithmeticIllegal) {
    for (std::uint64_t mode = 0; mode < 8; ++mode) {
        const bool illegal =
            is_illegal(Privilege::Machine, fadd_s(1, 2, 3), mstatus::kFs,
                       [&](BareMachine& machine) { machine.set_csr(csr::kFrm, mode); });
        EXPECT_EQ(illegal, mode > 4) << mode;
    }
}

TEST(HartCsr, UserShadowsNeedTheEnablesOfEveryModeAbove) {
    for (const std::uint16_t number :
         {csr::kCycle, csr::kTime, csr::kInstret, csr::kHpmcounter31}) {
        const std::uint64_t bit = std::uint64_t{1} << (number - csr::kCycle);
        for (unsigned enables = 0; enables < 4; ++enables) {
            const auto prepare = [&](BareMachine& machine) {
                machine.set_csr(csr::kMcounteren, (enables & 1) != 0 ? bit : ~bit);
                machine.set_csr(csr::kScounteren, (enables & 2) != 0 ? bit : ~bit);
            };
            const Word read = csrr(a0, number);
            EXPECT_FALSE(is_illegal(Privilege::Machine, read, 0, prepare));
            EXPECT_EQ(is_illegal(Privilege::Supervisor, read, 0, prepare), (enables & 1) == 0);
            EXPECT_EQ(is_illegal(Privilege::User, read, 0, prepare), enables != 3);
            EXPECT_TRUE(is_illegal(Privilege::Machine, csrw(number, a0), 0, prepare));
        }
    }
}

TEST(HartCsr, TimeIsThePlatformsTimeOrDoesNotExist) {
    BareMachine machine;
    machine.set_time_offset(1'000'000);
    machine.execute({kNop, csrr(a0, csr::kTime)});
    EXPECT_EQ(machine.get(a0), 1'000'000 + machine.retirements().at(1).cycle);

    HartConfig config = BareMachine::default_config();
    config.time_csr = false;
    EXPECT_TRUE(is_illegal(Privilege::Machine, csrr(a0, csr::kTime), 0, {}, config));
}

// --- Trap returns and their traps ---------------------------------------------------------------

TEST(HartReturn, MachineReturnIsForMachineModeOnly) {
    EXPECT_TRUE(is_illegal(Privilege::Supervisor, kMret));
    EXPECT_TRUE(is_illegal(Privilege::User, kMret));
}

TEST(HartReturn, SupervisorReturnTrapsInUserModeAndWithTsr) {
    const auto prepare = [](BareMachine& machine) { machine.set_csr(csr::kSepc, kCode + 4); };
    EXPECT_TRUE(is_illegal(Privilege::User, kSret));
    EXPECT_FALSE(is_illegal(Privilege::Supervisor, kSret, mstatus::kSpp, prepare));
    EXPECT_TRUE(is_illegal(Privilege::Supervisor, kSret, mstatus::kTsr));
    EXPECT_FALSE(is_illegal(Privilege::Machine, kSret, mstatus::kTsr | mstatus::kSpp, prepare));
}

TEST(HartReturn, TvmTrapsTranslationControlOfSupervisorMode) {
    for (const Word word : {csrr(a0, csr::kSatp), csrw(csr::kSatp, zero), sfence_vma(zero, zero)}) {
        EXPECT_TRUE(is_illegal(Privilege::User, word));
        EXPECT_FALSE(is_illegal(Privilege::Supervisor, word));
        EXPECT_TRUE(is_illegal(Privilege::Supervisor, word, mstatus::kTvm));
        EXPECT_FALSE(is_illegal(Privilege::Machine, word, mstatus::kTvm));
    }
}

TEST(HartReturn, ReturnsChangeTheMode) {
    BareMachine machine;
    machine.open_protection();
    machine.stop_at_traps();
    machine.set_csr(csr::kSepc, kCode + 8);
    machine.execute_in(Privilege::Supervisor, {kSret, kNop, kEcall});
    ASSERT_TRUE(machine.trap());
    EXPECT_EQ(machine.trap()->cause, static_cast<std::uint64_t>(Cause::EcallFromUser));
    EXPECT_EQ(machine.trap()->epc, kCode + 8);
}

// --- Counters -----------------------------------------------------------------------------------

TEST(HartCounter, InstretShowsEveryInstructionBeforeTheReadAndNotTheRead) {
    BareMachine machine;
    machine.execute(
        {kNop, kNop, mul(a1, a1, a1), csrr(a0, csr::kMinstret), kNop, csrr(a2, csr::kInstret)});
    EXPECT_EQ(machine.get(a0), 3U);
    EXPECT_EQ(machine.get(a2), 5U);
}

TEST(HartCounter, CycleShowsTheCyclesBeforeTheRead) {
    BareMachine machine;
    machine.execute({kNop, csrr(a0, csr::kMcycle), kNop, kNop, csrr(a1, csr::kCycle)});
    // Cycle 1 is the first that counts, and the increment of the read's own cycle is not seen.
    EXPECT_EQ(machine.get(a0), machine.retirements()[1].cycle - 1);
    EXPECT_EQ(machine.get(a1), machine.retirements()[4].cycle - 1);
}

TEST(HartCounter, AWriteOfInstretWinsOverItsOwnIncrement) {
    BareMachine machine;
    machine.set(a1, 1000);
    machine.execute(
        {csrw(csr::kMinstret, a1), csrr(a0, csr::kMinstret), kNop, csrr(a2, csr::kMinstret)});
    EXPECT_EQ(machine.get(a0), 1000U);
    EXPECT_EQ(machine.get(a2), 1002U);
}

TEST(HartCounter, AWriteOfCycleIsTheValueOfTheNextCycle) {
    BareMachine machine;
    machine.set(a1, 5'000'000);
    machine.execute({csrw(csr::kMcycle, a1), csrr(a0, csr::kMcycle)});
    const Cycle between = machine.retirements()[1].cycle - machine.retirements()[0].cycle;
    EXPECT_EQ(machine.get(a0), 5'000'000 + between - 1);
}

TEST(HartCounter, InhibitCountsItsOwnWriterAndNotTheOneThatLiftsIt) {
    BareMachine machine;
    machine.set(a1, 4); // minstret
    machine.execute({kNop, csrw(csr::kMcountinhibit, a1), kNop, kNop, csrr(a0, csr::kMinstret),
                     csrw(csr::kMcountinhibit, zero), kNop, csrr(a2, csr::kMinstret)});
    EXPECT_EQ(machine.get(a0), 2U) << "the setter is counted, what follows is not";
    EXPECT_EQ(machine.get(a2), 3U) << "the one that clears it is not";
}

TEST(HartCounter, TrappingInstructionsDoNotRetire) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.execute({kNop, kIllegal});
    // nop, then the handler's three instructions
    EXPECT_EQ(machine.counter(csr::kMinstret), 4U);
    EXPECT_EQ(machine.hart().instret(), 4U);
    EXPECT_EQ(machine.hart().traps(), 1U);
}

TEST(HartCounter, EventsCountTheProgramsInstructions) {
    BareMachine machine;
    machine.set(a1, 9); // branches
    machine.set(a2, 5); // loads
    machine.set(a3, 10);
    machine.set(sp, BareMachine::kData);
    machine.execute({csrw(csr::kMhpmevent3, a1), csrw(csr::kMhpmevent3 + 1, a2), lw(a4, sp, 0),
                     addi(a3, a3, -1), bne(a3, zero, -8), csrr(a5, csr::kMhpmcounter3),
                     csrr(a6, csr::kMhpmcounter3 + 1)});
    EXPECT_EQ(machine.get(a5), 10U);
    EXPECT_EQ(machine.get(a6), 10U);
}

} // namespace
} // namespace pes::test

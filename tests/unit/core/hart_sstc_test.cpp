// SPDX-License-Identifier: Apache-2.0
// Sstc in a whole hart: who may access stimecmp, when the timer learns of a write, and the
// interrupt. The comparison itself is the machine timer's (clint_test.cpp).
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

using End = BareMachine::End;

constexpr std::uint64_t kStce = std::uint64_t{1} << 63;
constexpr std::uint64_t kTm = 1U << 1;
constexpr std::uint64_t kStip = 1U << 5;
constexpr Privilege kRisingModes[] = {Privilege::User, Privilege::Supervisor, Privilege::Machine};

HartConfig with_sstc(bool present = true) {
    HartConfig config = BareMachine::default_config();
    config.extensions.sstc = present;
    return config;
}

struct Sstc : BareMachine {
    explicit Sstc(bool present = true) : BareMachine(with_sstc(present)) {
        open_protection();
        stop_at_traps();
    }
    void enable() {
        set_csr(csr::kMenvcfg, kStce);
        set_csr(csr::kMcounteren, kTm);
    }
    bool is_illegal(Privilege mode, Word word) {
        execute_in(mode, {word});
        return trap() && trap()->cause == static_cast<std::uint64_t>(Cause::IllegalInstruction) &&
               trap()->tval == word;
    }
};

TEST(HartSstc, ThereIsNoStimecmpWithoutTheExtension) {
    for (const Privilege mode : kRisingModes) {
        for (const Word word : {csrr(a0, csr::kStimecmp), csrw(csr::kStimecmp, a0)}) {
            Sstc machine(false);
            machine.set_csr(csr::kMenvcfg, kStce);
            machine.set_csr(csr::kMcounteren, ~std::uint64_t{0});
            EXPECT_TRUE(machine.is_illegal(mode, word));
            EXPECT_TRUE(machine.timer_writes().empty());
        }
    }
}

/// "Machine Environment Configuration" (STCE) and "Machine Counter-Enable" (TM) close it to every
/// mode but M; its number closes it to U-mode.
TEST(HartSstc, StimecmpIsOpenToSupervisorModeWithBothEnables) {
    for (unsigned enables = 0; enables < 4; ++enables) {
        for (const Privilege mode : kRisingModes) {
            for (const Word word : {csrr(a0, csr::kStimecmp), csrw(csr::kStimecmp, a0)}) {
                Sstc machine;
                machine.set_csr(csr::kMenvcfg, (enables & 1) != 0 ? kStce : 0);
                machine.set_csr(csr::kMcounteren, (enables & 2) != 0 ? kTm : ~kTm);
                machine.set_csr(csr::kScounteren, ~std::uint64_t{0});
                const bool open =
                    mode == Privilege::Machine || (mode == Privilege::Supervisor && enables == 3);
                EXPECT_EQ(machine.is_illegal(mode, word), !open) << enables;
            }
        }
    }
}

TEST(HartSstc, AWriteReachesTheTimerInTheCycleOfItsRetirement) {
    Sstc machine;
    machine.enable();
    machine.set(a1, 1000);
    machine.set(a2, 0x0F);
    machine.execute_in(Privilege::Supervisor,
                       {kNop, csrrw(a3, csr::kStimecmp, a1), csrrs(a4, csr::kStimecmp, a2),
                        csrr(a5, csr::kStimecmp)});
    EXPECT_EQ(machine.get(a3), ~std::uint64_t{0});
    EXPECT_EQ(machine.get(a4), 1000U);
    EXPECT_EQ(machine.get(a5), 1007U);
    const auto& retired = machine.retirements(); // mret and nop come first
    EXPECT_EQ(machine.timer_writes(),
              (std::vector<TimerWrite>{{1000, retired.at(2).cycle}, {1007, retired.at(3).cycle}}));
}

TEST(HartSstc, TheTimerInterruptsSupervisorModeWithoutMachineMode) {
    Sstc machine;
    machine.enable();
    machine.set_csr(csr::kMideleg, kStip);
    machine.set_csr(csr::kMie, kStip);
    machine.set_csr(csr::kStvec, BareMachine::kHandler);
    machine.set_csr(csr::kMstatus, mstatus::kSie);
    machine.hart().set_interrupt(Interrupt::SupervisorTimer, true, 200);
    machine.execute_in(Privilege::Supervisor, {j(0)});
    ASSERT_FALSE(machine.traps().empty());
    const TrapTaken& trap = machine.traps().front();
    EXPECT_EQ(trap.cause, kInterruptBit | 5);
    EXPECT_EQ(trap.to, Privilege::Supervisor);
    EXPECT_GE(trap.cycle, 200U);
}

TEST(HartSstc, TheTimerEndsAWait) {
    Sstc machine;
    machine.enable();
    machine.set_csr(csr::kMie, kStip);
    machine.place(BareMachine::kCode, {kWfi, j(0)});
    EXPECT_EQ(machine.run(BareMachine::kCode, BareMachine::stop_address(), 4000), End::Waiting);
    machine.hart().set_interrupt(Interrupt::SupervisorTimer, true, 5000);
    EXPECT_EQ(machine.resume(BareMachine::stop_address(), 4000), End::OutOfCycles);
    EXPECT_TRUE(machine.traps().empty());
}

TEST(HartSstc, ALineThatStceHidesNeitherInterruptsNorWakes) {
    Sstc machine;
    machine.set_csr(csr::kMie, kStip);
    machine.set_csr(csr::kMstatus, mstatus::kMie);
    machine.hart().set_interrupt(Interrupt::SupervisorTimer, true, 100);
    machine.place(BareMachine::kCode, {kWfi, j(0)});
    EXPECT_EQ(machine.run(BareMachine::kCode, BareMachine::stop_address(), 1000), End::Waiting);
    EXPECT_TRUE(machine.traps().empty());
}

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// Interrupts of a whole hart: sampling in decode, masking, vectors, WFI, stamps ahead of and behind
// the hart, and the horizon.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::test {
namespace {

using End = BareMachine::End;
constexpr std::uint64_t kMachineTimer = kInterruptBit | 7;
constexpr std::uint64_t kTimerBit = 1U << 7;

/// A loop of additions for ever, with a handler that ends the run.
class Looping : public BareMachine {
  public:
    explicit Looping(std::uint64_t enables = kTimerBit, std::uint64_t status = mstatus::kMie,
                     const HartConfig& config = default_config())
        : BareMachine(config) {
        stop_at_traps();
        set_csr(csr::kMie, enables);
        set_csr(csr::kMstatus, status);
        place(kCode, {addi(a0, a0, 1), addi(a0, a0, 1), addi(a0, a0, 1), j(-12)});
    }
    End loop(Cycle budget) { return run(kCode, stop_address(), budget); }
};

// --- Taken or masked ----------------------------------------------------------------------------

TEST(HartInterrupt, IsTakenWhenPendingEnabledAndOpen) {
    Looping machine;
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 200);
    ASSERT_EQ(machine.loop(1000), End::Reached);
    ASSERT_EQ(machine.traps().size(), 1U);
    const TrapTaken& trap = machine.traps()[0];
    EXPECT_EQ(trap.cause, kMachineTimer);
    EXPECT_EQ(trap.tval, 0U);
    EXPECT_EQ(machine.csr(csr::kMepc), trap.epc);
    EXPECT_GE(trap.epc, kCode);
    EXPECT_LT(trap.epc, kCode + 16);
    EXPECT_EQ(machine.csr(csr::kMstatus) & (mstatus::kMie | mstatus::kMpie), mstatus::kMpie);
}

TEST(HartInterrupt, IsPreciseTheMarkedInstructionHasNotExecuted) {
    Looping machine;
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 200);
    machine.loop(1000);
    std::uint64_t additions = 0;
    Address next = kCode;
    for (const Retirement& retirement : machine.retirements()) {
        if (retirement.pc < kCode + 16) {
            additions += retirement.pc < kCode + 12 ? 1 : 0;
            next = retirement.next_pc;
        }
    }
    EXPECT_EQ(machine.get(a0), additions);
    EXPECT_EQ(machine.traps()[0].epc, next);
}

TEST(HartInterrupt, IsSampledInDecodeAndTakenAtTheRetirementOfTheMarkedInstruction) {
    // An instruction decodes 3 cycles before it retires: the first one that decodes at or after the
    // pending cycle is marked (docs: interrupt sampling).
    for (Cycle pending = 200; pending < 230; ++pending) {
        Looping machine;
        machine.hart().set_interrupt(Interrupt::MachineTimer, true, pending);
        machine.loop(1000);
        const Cycle taken = machine.traps().at(0).cycle;
        EXPECT_GE(taken, pending + 3);
        EXPECT_LE(taken, pending + 8);
    }
}

TEST(HartInterrupt, StaysMaskedWithoutItsEnableOrTheGlobalOne) {
    for (const bool own_enable : {false, true}) {
        Looping machine(own_enable ? kTimerBit : 1U << 3, own_enable ? 0 : mstatus::kMie);
        machine.hart().set_interrupt(Interrupt::MachineTimer, true, 100);
        EXPECT_EQ(machine.loop(1000), End::OutOfCycles);
        EXPECT_TRUE(machine.traps().empty());
        EXPECT_EQ(machine.csr(csr::kMip), kTimerBit);
    }
}

TEST(HartInterrupt, IsTakenByTheInstructionAfterTheOneThatOpensIt) {
    for (const Word opens : {csrrsi(zero, csr::kMstatus, 8), csrw(csr::kMie, a1)}) {
        BareMachine machine;
        machine.stop_at_traps();
        const bool by_status = opens == csrrsi(zero, csr::kMstatus, 8);
        machine.set_csr(csr::kMie, by_status ? kTimerBit : 0);
        machine.set_csr(csr::kMstatus, by_status ? 0 : mstatus::kMie);
        machine.hart().set_interrupt(Interrupt::MachineTimer, true, 0);
        machine.set(a1, kTimerBit);
        machine.execute({kNop, kNop, opens, addi(a0, zero, 1), kNop});
        ASSERT_EQ(machine.traps().size(), 1U);
        EXPECT_EQ(machine.traps()[0].epc, kCode + 12);
        EXPECT_EQ(machine.get(a0), 0U);
    }
}

TEST(HartInterrupt, ReturnFromTheHandlerOpensItForTheNextInstruction) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.set_csr(csr::kMie, kTimerBit);
    machine.set_csr(csr::kMstatus, mstatus::kMpie | mstatus::kMpp);
    machine.set_csr(csr::kMepc, kCode + 8);
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 0);
    machine.execute({kNop, kMret, addi(a0, zero, 1)});
    ASSERT_EQ(machine.traps().size(), 1U);
    EXPECT_EQ(machine.traps()[0].epc, kCode + 8);
}

TEST(HartInterrupt, VectoredModeEntersAtTheCause) {
    Looping machine;
    machine.set_csr(csr::kMtvec, BareMachine::kHandler | 1);
    machine.place(BareMachine::kHandler + 28, {addi(a7, zero, 1), j(0x100 - 4 * 8)});
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 100);
    ASSERT_EQ(machine.loop(1000), End::Reached);
    EXPECT_EQ(machine.traps()[0].vector, BareMachine::kHandler + 28);
    EXPECT_EQ(machine.get(a7), 1U);
}

TEST(HartInterrupt, DelegatedOnesReachSupervisorModeAndNeverMachineMode) {
    BareMachine machine;
    machine.open_protection();
    machine.stop_at_traps();
    constexpr std::uint64_t kSeip = 1U << 9;
    machine.set_csr(csr::kMideleg, kSeip);
    machine.set_csr(csr::kMie, kSeip);
    machine.set_csr(csr::kMstatus, mstatus::kMie);
    machine.set_csr(csr::kStvec, BareMachine::kHandler);
    machine.hart().set_interrupt(Interrupt::SupervisorExternal, true, 0);
    machine.execute({kNop, kNop, kNop});
    EXPECT_TRUE(machine.traps().empty()) << "M-mode, even with MIE set";
    machine.execute_in(Privilege::User, {kNop, kNop, kNop});
    ASSERT_FALSE(machine.traps().empty());
    EXPECT_EQ(machine.traps()[0].cause, kInterruptBit | 9);
    EXPECT_EQ(machine.traps()[0].to, Privilege::Supervisor);
    EXPECT_EQ(machine.csr(csr::kSepc), kCode);
}

// --- Stamps -------------------------------------------------------------------------------------

TEST(HartInterrupt, AStampBehindTheHartActsAtOnce) {
    Looping machine;
    machine.loop(300);
    const Cycle now = machine.hart().now();
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, now - 50);
    ASSERT_EQ(machine.resume(BareMachine::stop_address(), 1000), End::Reached);
    EXPECT_LE(machine.traps()[0].cycle, now + 8);
}

TEST(HartInterrupt, StampsAheadApplyInOrderOfTimeWhateverTheOrderOfCalls) {
    // Low again at 150: with the enable off until 200 nothing is ever taken.
    Looping machine(0);
    machine.hart().set_interrupt(Interrupt::MachineTimer, false, 150);
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 100);
    machine.loop(120);
    EXPECT_EQ(machine.csr(csr::kMip), kTimerBit);
    machine.resume(BareMachine::stop_address(), 100);
    EXPECT_EQ(machine.csr(csr::kMip), 0U);
}

TEST(HartInterrupt, EdgesOfTheSameCycleApplyInTheOrderOfCalls) {
    Looping machine(0);
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 100);
    machine.hart().set_interrupt(Interrupt::MachineTimer, false, 100);
    machine.loop(200);
    EXPECT_EQ(machine.csr(csr::kMip), 0U);
}

TEST(HartInterrupt, PendingBitsReadAsOfTheReadingInstruction) {
    BareMachine machine;
    machine.set(a1, BareMachine::kDevice);
    machine.on_access([&](const BusAccess& access) {
        machine.hart().set_interrupt(Interrupt::MachineExternal, true, access.at);
    });
    machine.execute({csrr(a2, csr::kMip), lw(a3, a1, 0), addi(a3, a3, 0), csrr(a0, csr::kMip)});
    EXPECT_EQ(machine.get(a2), 0U);
    EXPECT_EQ(machine.get(a0), 1U << 11);
}

// --- The SEIP rule of csrrs (3.1.9) -------------------------------------------------------------

TEST(HartInterrupt, SettingABitOfMipDoesNotLatchTheExternalLine) {
    BareMachine machine;
    machine.hart().set_interrupt(Interrupt::SupervisorExternal, true, 0);
    machine.execute({kNop, csrrsi(a0, csr::kMip, 2)});
    EXPECT_EQ(machine.get(a0), 1U << 9) << "the read shows the line";
    machine.hart().set_interrupt(Interrupt::SupervisorExternal, false, 0);
    machine.execute({kNop, csrr(a1, csr::kMip)});
    EXPECT_EQ(machine.get(a1), 2U) << "but only SSIP was written";
}

TEST(HartInterrupt, ClearingABitOfMipKeepsTheSoftwareExternalBit) {
    BareMachine machine;
    machine.set_csr(csr::kMip, 1U << 9 | 2);
    machine.set(a1, 2);
    machine.execute({csrrc(a0, csr::kMip, a1)});
    EXPECT_EQ(machine.csr(csr::kMip), 1U << 9);
}

// --- WFI ----------------------------------------------------------------------------------------

HartConfig as_specified() {
    HartConfig config = BareMachine::default_config();
    config.wfi_interrupt = WfiInterrupt::AtOnce;
    return config;
}

TEST(HartWfi, SleepsUntilAnEnabledInterruptAndTakesIt) {
    Looping machine(kTimerBit, mstatus::kMie, as_specified());
    machine.place(kCode, {kWfi, addi(a0, zero, 1)});
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 5000);
    ASSERT_EQ(machine.loop(10'000), End::Reached);
    EXPECT_EQ(machine.traps()[0].epc, kCode + 4) << "the instruction after the WFI";
    EXPECT_EQ(machine.get(a0), 0U);
    EXPECT_GE(machine.traps()[0].cycle, 5000U);
    EXPECT_LE(machine.traps()[0].cycle, 5010U);
}

// Eight entries of the scoreboard and the one in decode.
TEST(HartWfi, WhatIsDecodedAsleepRetiresBeforeTheInterrupt) {
    Looping machine;
    machine.place(kCode, {kWfi});
    for (unsigned place = 1; place <= 20; ++place) {
        machine.place(kCode + 4 * place, {addi(zero, zero, 1)});
    }
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 5000);
    ASSERT_EQ(machine.loop(10'000), End::Reached);
    EXPECT_EQ(machine.traps()[0].epc, kCode + 4 * 10);
}

// The second one waits in decode until the first has retired.
TEST(HartWfi, WriteAfterWriteHoldsUpWhatIsDecodedAsleep) {
    Looping machine;
    machine.place(kCode, {kWfi, addi(a0, a0, 1), addi(a0, a0, 1), addi(a0, a0, 1)});
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 5000);
    ASSERT_EQ(machine.loop(10'000), End::Reached);
    EXPECT_EQ(machine.get(a0), 2U);
    EXPECT_EQ(machine.traps()[0].epc, kCode + 4 * 3);
}

// It goes out while WFI waits, and reads the time before.
TEST(HartWfi, ALoadOfTheTimeBehindItReadsTheOldTime) {
    HartConfig config = BareMachine::default_config();
    config.mtime = BareMachine::kDevice;
    Looping machine(kTimerBit, mstatus::kMie, config);
    machine.set(a6, BareMachine::kDevice);
    machine.place(kCode, {kWfi, ld(a0, a6, 0), ld(a1, a6, 0)});
    for (unsigned place = 3; place <= 20; ++place) {
        machine.place(kCode + 4 * place, {addi(zero, zero, 0)});
    }
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 5000);
    ASSERT_EQ(machine.loop(10'000), End::Reached);
    EXPECT_LT(machine.get(a0), 100U);
    EXPECT_LT(machine.get(a1), 100U);
    EXPECT_GE(machine.traps()[0].cycle, 5000U);
}

// What follows a write of mstatus is fetched again, so it is decoded with the interrupt pending.
TEST(HartWfi, ASerialisingInstructionIsTheLastBeforeTheInterrupt) {
    Looping machine;
    machine.place(kCode, {kWfi, addi(a0, a0, 1), csrrs(zero, csr::kMstatus, a0), addi(a0, a0, 1)});
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 5000);
    ASSERT_EQ(machine.loop(10'000), End::Reached);
    EXPECT_EQ(machine.get(a0), 1U);
    EXPECT_EQ(machine.traps()[0].epc, kCode + 12);
}

TEST(HartWfi, WakesWithTheGlobalEnableOffAndGoesOn) {
    BareMachine machine;
    machine.set_csr(csr::kMie, kTimerBit);
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 5000);
    ASSERT_EQ(machine.execute({kWfi, addi(a0, zero, 1)}), End::Reached);
    EXPECT_TRUE(machine.traps().empty());
    EXPECT_EQ(machine.get(a0), 1U);
    EXPECT_GE(machine.hart().last_retirement(), 5000U);
    EXPECT_LE(machine.hart().last_retirement(), 5010U);
}

TEST(HartWfi, DelegationDoesNotMatterForWaking) {
    BareMachine machine;
    machine.set_csr(csr::kMideleg, 1U << 9);
    machine.set_csr(csr::kMie, 1U << 9);
    machine.hart().set_interrupt(Interrupt::SupervisorExternal, true, 700);
    EXPECT_EQ(machine.execute({kWfi, kNop}), End::Reached);
    EXPECT_TRUE(machine.traps().empty());
}

TEST(HartWfi, DoesNotSleepWhenAnInterruptIsAlreadyPending) {
    BareMachine machine;
    machine.set_csr(csr::kMie, kTimerBit);
    machine.hart().set_interrupt(Interrupt::MachineTimer, true, 0);
    ASSERT_EQ(machine.execute({kNop, kWfi, kNop}), End::Reached);
    EXPECT_LT(machine.hart().last_retirement(), 100U);
}

TEST(HartWfi, IgnoresInterruptsThatAreNotEnabled) {
    BareMachine machine;
    machine.set_csr(csr::kMie, kTimerBit);
    machine.hart().set_interrupt(Interrupt::MachineExternal, true, 100);
    EXPECT_EQ(machine.execute({kWfi, kNop}), End::Waiting);
    EXPECT_EQ(machine.hart().now(), BareMachine::kBudget);
    EXPECT_EQ(machine.hart().instret(), 1U) << "the WFI itself has retired";
    EXPECT_EQ(machine.hart().reached(), BareMachine::kBudget);
    machine.hart().settle(machine.hart().reached());
    EXPECT_EQ(machine.bank().read(csr::kMcycle), BareMachine::kBudget) << "it counts in sleep";
}

TEST(HartWfi, IsWokenByAThresholdOnTheCycleCounter) {
    BareMachine machine;
    constexpr Cycle kWire = 3; // gateway, target, mip
    machine.connect(BankLine::Threshold, Interrupt::MachineExternal, kWire);
    machine.set_csr(csr::kMie, 1U << 11);
    machine.set(a0, 4000);
    ASSERT_EQ(machine.execute({csrw(csr::kMhpmthresholdCycle, a0), kWfi, csrr(a1, csr::kMcycle)}),
              End::Reached);
    // mcycle is 4000 after cycle 4000, so the line has its new level from 4001 on.
    EXPECT_EQ(machine.line_edges(), (std::vector<LineEdge>{{BankLine::Threshold, true, 4001}}));
    EXPECT_GE(machine.get(a1), 4001 + kWire);
    EXPECT_LE(machine.get(a1), 4001 + kWire + 8);
}

TEST(HartWfi, WakesInTheSameCycleWhoeverRaisesTheLine) {
    // mip rises at 4004, by a threshold whose edge is only found while sleeping, or by a wire.
    constexpr Cycle kWire = 3;
    const auto woken = [](bool by_threshold) {
        BareMachine machine;
        machine.set_csr(csr::kMie, 1U << 11);
        machine.set(a0, 4000);
        if (by_threshold) {
            machine.connect(BankLine::Threshold, Interrupt::MachineExternal, kWire);
        } else {
            machine.hart().set_interrupt(Interrupt::MachineExternal, true, 4001 + kWire);
        }
        machine.execute({csrw(csr::kMhpmthresholdCycle, a0), kWfi, kNop});
        return machine.hart().last_retirement();
    };
    EXPECT_EQ(woken(true), woken(false));
}

TEST(HartWfi, TrapsInUserModeAndInSupervisorModeWithTimeoutWait) {
    struct Case {
        Privilege mode;
        std::uint64_t status;
        bool traps;
    };
    for (const Case& one : {Case{Privilege::User, 0, true}, Case{Privilege::Supervisor, 0, false},
                            Case{Privilege::Supervisor, mstatus::kTw, true},
                            Case{Privilege::Machine, mstatus::kTw, false}}) {
        BareMachine machine;
        machine.open_protection();
        machine.stop_at_traps();
        machine.set_csr(csr::kMie, kTimerBit);
        machine.set_csr(csr::kMip, 0);
        machine.set_csr(csr::kMstatus, one.status);
        const End end = machine.execute_in(one.mode, {kWfi, kNop});
        EXPECT_EQ(end, one.traps ? End::Reached : End::Waiting);
        EXPECT_EQ(machine.traps().size(), one.traps ? 1U : 0U);
    }
}

// --- Horizon ------------------------------------------------------------------------------------

TEST(HartHorizon, NothingDecodesAtOrAfterIt) {
    Looping machine;
    for (const Cycle horizon : {50U, 51U, 52U, 60U, 61U, 200U}) {
        machine.hart().set_horizon(horizon);
        EXPECT_EQ(machine.hart().run(), HartStop::Horizon);
        EXPECT_GE(machine.hart().now(), horizon);
        // An instruction retires 3 cycles after it decodes at the earliest, in order.
        EXPECT_LE(machine.hart().last_retirement(), horizon + 3);
    }
}

TEST(HartHorizon, StepsOfAnyLengthGiveTheSameRun) {
    const auto run = [](Cycle step) {
        BareMachine machine;
        machine.stop_at_traps();
        machine.set_csr(csr::kMie, kTimerBit);
        machine.set_csr(csr::kMstatus, mstatus::kMie);
        machine.hart().set_interrupt(Interrupt::MachineTimer, true, 777);
        machine.place(kCode, {addi(a0, a0, 1), mul(a1, a0, a0), sd(a1, sp, 0), ld(a2, sp, 0),
                              div(a3, a1, a0), j(-20)});
        machine.set(sp, BareMachine::kData);
        machine.run_in_steps(kCode, BareMachine::stop_address(), step, 2000);
        return std::tuple{machine.traps().at(0).cycle, machine.traps().at(0).epc,
                          machine.hart().last_retirement(), machine.get(a0),
                          machine.counter(csr::kMinstret)};
    };
    const auto whole = run(2000);
    for (const Cycle step : {1U, 2U, 3U, 7U, 50U, 333U}) {
        EXPECT_EQ(run(step), whole) << "step " << step;
    }
}

TEST(HartHorizon, MayBeLoweredByADeviceDuringARun) {
    BareMachine machine;
    machine.set(a1, BareMachine::kDevice);
    machine.on_access([&](const BusAccess&) { machine.hart().set_horizon(0); });
    EXPECT_EQ(machine.execute({kNop, sw(zero, a1, 0), addi(a0, zero, 1), addi(a0, zero, 2)}),
              End::OutOfCycles);
    EXPECT_EQ(machine.get(a0), 0U) << "the store is the last instruction";
    EXPECT_EQ(machine.hart().state().pc, kCode + 8);
}

} // namespace
} // namespace pes::test

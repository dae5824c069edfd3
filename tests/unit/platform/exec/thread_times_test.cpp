// SPDX-License-Identifier: Apache-2.0
// User mode by thread pointer, counted by hand.
#include "platform/exec/thread_times.h"

#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr Address kUser = BareMachine::kRam + 0x1000;

/// Two threads that the handler lets run in turn: `turns` calls of the kernel in all.
ThreadTimes times_of(unsigned turns, const HartConfig& config) {
    BareMachine machine(config);
    machine.open_protection();
    machine.set_csr(csr::kMtvec, BareMachine::kHandler);
    // Returns behind the call, to the other thread; t3 has the pointer of that one.
    machine.place(BareMachine::kHandler,
                  {csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0), addi(t1, tp, 0),
                   addi(tp, t3, 0), addi(t3, t1, 0), addi(a7, a7, -1), bne(a7, zero, 8), j(8),
                   kMret});
    machine.place(kUser,
                  {addi(a0, a0, 1), addi(a1, a1, 1), kEcall, addi(a0, a0, 1), kEcall, j(-20)});
    machine.set(a7, turns);
    machine.set(tp, 0x1000);
    machine.set(t3, 0x2000);
    machine.set_csr(csr::kMepc, kUser);
    machine.place(BareMachine::kCode, {kMret});
    ThreadWatch watch(machine.hart());
    machine.run(BareMachine::kCode, BareMachine::kHandler + 40);
    watch.finish();
    return watch.times();
}

TEST(ThreadTimes, AStretchBelongsToItsThreadPointer) {
    for (const ExecutionPath path : {ExecutionPath::Step, ExecutionPath::Fast}) {
        HartConfig config = BareMachine::default_config();
        config.path = path;
        const ThreadTimes times = times_of(200, config);
        ASSERT_EQ(times.size(), 2U);
        const ThreadTime& one = times.at({.satp = 0, .pointer = 0x1000});
        const ThreadTime& other = times.at({.satp = 0, .pointer = 0x2000});
        EXPECT_EQ(one.stretches, 100U);
        EXPECT_EQ(other.stretches, 100U);
        // The first one executes two additions up to its call and, from its second stretch on, a
        // jump before them; the other one addition each time. Calls do not retire.
        EXPECT_EQ(one.instructions, 100U * 2 + 99);
        EXPECT_EQ(other.instructions, 100U);
        EXPECT_LT(one.first, other.first);
        EXPECT_LT(one.last, other.last);
        EXPECT_GE(one.cycles, one.instructions);
    }
}

TEST(ThreadTimes, ThoseOfHartsAddUp) {
    ThreadTime time{.first = 10, .last = 50, .stretches = 2, .cycles = 7, .instructions = 5};
    time.add({.first = 3, .last = 40, .stretches = 1, .cycles = 10, .instructions = 20});
    EXPECT_EQ(time.first, 3U);
    EXPECT_EQ(time.last, 50U);
    EXPECT_EQ(time.stretches, 3U);
    EXPECT_EQ(time.cycles, 17U);
    EXPECT_EQ(time.instructions, 25U);
}

} // namespace
} // namespace pes::test

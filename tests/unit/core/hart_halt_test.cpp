// SPDX-License-Identifier: Apache-2.0
// A hart that stands still for a debugger: where, on both paths, and that nothing depends on it.
#include "tests/unit/core/hart_life.h"
#include "tests/unit/core/native_bench.h"

#include <gtest/gtest.h>

#include <vector>

namespace pes::test {
namespace {

using U64 = std::uint64_t;

constexpr Cycle kEnd = 60'000;

/// Words that go round for ever: a counter, a store, a load, an AMO, a misaligned store.
constexpr Address kLoop = kCode;
constexpr Address kStore = kCode + 4;
constexpr Address kAfter = kCode + 12;

class HartHalt : public testing::TestWithParam<ExecutionPath> {
  protected:
    static HartConfig config() {
        HartConfig config = BareMachine::default_config();
        config.path = GetParam();
        return config;
    }
    static void prepare(BareMachine& machine) {
        machine.stop_observing();
        machine.set(sp, kData);
        machine.place(kCode, {addi(a0, a0, 1), sd(a0, sp, 8), ld(a1, sp, 16), add(a2, a2, a1),
                              sd(a2, sp, 64), addi(a3, a3, 2), jal(zero, -24)});
        machine.hart().set_pc(kCode);
        machine.hart().set_horizon(kEnd);
    }
    /// Runs to the end; returns where it stood still.
    static std::vector<Address> run(Hart& hart, std::size_t most = ~std::size_t{0}) {
        std::vector<Address> places;
        while (places.size() < most && hart.run() == HartStop::Halted) {
            places.push_back(hart.state().pc);
        }
        return places;
    }
    static void expect_same(BareMachine& one, BareMachine& other) {
        EXPECT_EQ(one.hart().now(), other.hart().now());
        EXPECT_EQ(one.hart().instret(), other.hart().instret());
        EXPECT_EQ(one.hart().last_retirement(), other.hart().last_retirement());
        EXPECT_EQ(one.hart().state().x, other.hart().state().x);
        EXPECT_EQ(one.hart().totals().events, other.hart().totals().events);
    }
};

TEST_P(HartHalt, ABreakpointStopsBeforeItsInstructionEachTime) {
    BareMachine alone(config());
    prepare(alone);
    run(alone.hart());
    BareMachine machine(config());
    prepare(machine);
    machine.hart().follow({.breakpoints = {kLoop, kAfter}});
    U64 round = 0;
    while (machine.hart().run() == HartStop::Halted) {
        EXPECT_EQ(machine.hart().halt().reason, HaltReason::Breakpoint);
        const Address pc = machine.hart().state().pc;
        EXPECT_EQ(pc, round % 2 == 0 ? kLoop : kAfter);
        EXPECT_EQ(machine.get(a0), (round + 1) / 2);
        ++round;
    }
    EXPECT_GT(round, 1000U);
    expect_same(alone, machine);
}

TEST_P(HartHalt, ANeverReachedBreakpointChangesNothing) {
    BareMachine alone(config());
    prepare(alone);
    run(alone.hart());
    BareMachine machine(config());
    prepare(machine);
    machine.hart().follow({.breakpoints = {kCode + 0x100}});
    EXPECT_TRUE(run(machine.hart()).empty());
    expect_same(alone, machine);
}

/// Set and taken away in the middle, when the loop is known.
TEST_P(HartHalt, BreakpointsMayChange) {
    BareMachine alone(config());
    prepare(alone);
    run(alone.hart());
    BareMachine machine(config());
    prepare(machine);
    Hart& hart = machine.hart();
    for (Cycle until = 5'000; until < kEnd; until += 5'000) {
        hart.set_horizon(until);
        EXPECT_TRUE(run(hart).empty());
        hart.follow({.breakpoints = {kAfter}});
        hart.set_horizon(kEnd);
        EXPECT_EQ(run(hart, 3), std::vector<Address>(3, kAfter));
        hart.follow({});
    }
    EXPECT_TRUE(run(hart).empty());
    expect_same(alone, machine);
}

TEST_P(HartHalt, AStepIsOneInstruction) {
    BareMachine machine(config());
    prepare(machine);
    Hart& hart = machine.hart();
    hart.set_horizon(5'000);
    run(hart);
    hart.set_horizon(kEnd);
    for (int time = 0; time < 40; ++time) {
        const U64 before = hart.instret();
        hart.follow({.step_through = std::pair<Address, Address>{}});
        ASSERT_EQ(hart.run(), HartStop::Halted);
        EXPECT_EQ(hart.halt().reason, HaltReason::Step);
        EXPECT_EQ(hart.instret(), before + 1);
    }
    hart.follow({});
    EXPECT_TRUE(run(hart).empty());
    BareMachine alone(config());
    prepare(alone);
    run(alone.hart());
    expect_same(alone, machine);
}

TEST_P(HartHalt, StandsStillOnceBehindTheInstructionWithANumber) {
    BareMachine alone(config());
    prepare(alone);
    run(alone.hart());
    BareMachine machine(config());
    prepare(machine);
    Hart& hart = machine.hart();
    for (const Cycle until : {Cycle{3'000}, Cycle{9'000}, Cycle{30'000}}) {
        hart.set_horizon(until);
        EXPECT_TRUE(run(hart).empty());
        hart.set_horizon(kEnd);
        const U64 wanted = hart.passed() + 100;
        hart.stand_still_at(wanted);
        ASSERT_EQ(hart.run(), HartStop::Halted);
        EXPECT_EQ(hart.halt().reason, HaltReason::Passed);
        EXPECT_EQ(hart.passed(), wanted);
        hart.stand_still_at(hart.passed()); // it is there
        ASSERT_EQ(hart.run(), HartStop::Halted);
        EXPECT_EQ(hart.passed(), wanted);
        hart.stand_still_at(wanted + 10);
        hart.stand_still_at(std::nullopt);
    }
    EXPECT_TRUE(run(hart).empty());
    expect_same(alone, machine);
}

/// What the client is told comes first, and a breakpoint at the place is still told.
TEST_P(HartHalt, ANumberTakesNothingFromBreakpointsAndWatches) {
    BareMachine machine(config());
    prepare(machine);
    Hart& hart = machine.hart();
    hart.follow({.breakpoints = {kAfter}, .watches = {{kData + 8, kData + 15, false, true}}});
    hart.stand_still_at(2); // behind the store
    std::vector<HaltReason> reasons;
    for (int time = 0; time < 3; ++time) {
        ASSERT_EQ(hart.run(), HartStop::Halted);
        reasons.push_back(hart.halt().reason);
    }
    EXPECT_EQ(reasons,
              (std::vector{HaltReason::Store, HaltReason::Passed, HaltReason::Breakpoint}));
    EXPECT_EQ(hart.passed(), 3U);
    hart.forget_halt();
    ASSERT_EQ(hart.run(), HartStop::Halted); // told again
    EXPECT_EQ(hart.passed(), 3U);
}

TEST_P(HartHalt, AStepThroughARangeStopsOutside) {
    BareMachine machine(config());
    prepare(machine);
    machine.hart().follow({.step_through = std::pair(kLoop, kAfter)});
    EXPECT_EQ(run(machine.hart(), 1), std::vector{kAfter});
    EXPECT_EQ(machine.hart().instret(), 3U);
}

TEST_P(HartHalt, AStepIntoATrapStopsAtItsHandler) {
    BareMachine machine(config());
    prepare(machine);
    machine.set_csr(0x305, BareMachine::kHandler); // mtvec
    machine.place(kCode, {0});
    machine.hart().follow({.step_through = std::pair<Address, Address>{}});
    EXPECT_EQ(run(machine.hart(), 1), std::vector{BareMachine::kHandler});
}

TEST_P(HartHalt, WatchedMemoryStopsBehindItsAccess) {
    BareMachine alone(config());
    prepare(alone);
    run(alone.hart());
    BareMachine machine(config());
    prepare(machine);
    Hart& hart = machine.hart();
    hart.set_horizon(5'000);
    run(hart);
    hart.set_horizon(kEnd);
    hart.follow({.watches = {{kData + 12, kData + 12, false, true}}});
    for (int time = 0; time < 20; ++time) {
        ASSERT_EQ(hart.run(), HartStop::Halted);
        EXPECT_EQ(hart.halt().reason, HaltReason::Store);
        EXPECT_EQ(hart.halt().address, kData + 12);
        EXPECT_EQ(hart.state().pc, kStore + 4);
    }
    hart.follow({.watches = {{kData + 16, kData + 23, true, true}}});
    ASSERT_EQ(hart.run(), HartStop::Halted);
    EXPECT_EQ(hart.halt().reason, HaltReason::Load);
    EXPECT_EQ(hart.state().pc, kStore + 8);
    hart.follow({.watches = {{kData + 32, kData + 63, true, true}}});
    EXPECT_TRUE(run(hart).empty()); // none of its accesses
    expect_same(alone, machine);
}

TEST_P(HartHalt, AtomicAndMisalignedAccessesAreWatched) {
    HartConfig config = HartHalt::config();
    config.misaligned_access = true;
    BareMachine machine(config);
    machine.stop_observing();
    machine.set(sp, kData);
    machine.place(kCode, {amoadd(Width::Double, a0, a1, sp), sd(a2, sp, 17), addi(a2, a2, 1),
                          jal(zero, -12)});
    machine.hart().set_pc(kCode);
    machine.hart().set_horizon(kEnd);
    machine.hart().follow(
        {.watches = {{kData, kData + 7, false, true}, {kData + 24, kData + 31, false, true}}});
    for (int time = 0; time < 400; ++time) {
        ASSERT_EQ(machine.hart().run(), HartStop::Halted);
        EXPECT_EQ(machine.hart().halt().reason, HaltReason::Store);
        EXPECT_EQ(machine.hart().halt().address, time % 2 == 0 ? kData : kData + 24);
        EXPECT_EQ(machine.hart().state().pc, kCode + 4 + 4 * (time % 2));
    }
}

TEST_P(HartHalt, CodeThatADebuggerWritesIsExecuted) {
    BareMachine machine(config());
    prepare(machine);
    Hart& hart = machine.hart();
    hart.follow({.breakpoints = {kLoop}});
    EXPECT_EQ(run(hart, 500).size(), 500U);
    const U64 before = machine.get(a0);
    machine.place(kLoop, {addi(a0, a0, 16)});
    hart.debugger_has_written();
    EXPECT_EQ(run(hart, 1).size(), 1U);
    EXPECT_EQ(machine.get(a0), before + 16);
}

TEST_P(HartHalt, AMovedHartStopsAtABreakpointThere) {
    BareMachine machine(config());
    prepare(machine);
    Hart& hart = machine.hart();
    hart.follow({.breakpoints = {kLoop, kAfter}});
    EXPECT_EQ(run(hart, 1), std::vector{kLoop});
    hart.debugger_sets_pc(kAfter);
    EXPECT_EQ(run(hart, 1), std::vector{kAfter});
}

INSTANTIATE_TEST_SUITE_P(BothPaths, HartHalt,
                         testing::Values(ExecutionPath::Step, ExecutionPath::Fast));

} // namespace
} // namespace pes::test

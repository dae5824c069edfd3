// SPDX-License-Identifier: Apache-2.0
// Observers that come and go while the hart runs change nothing in it; back-pressure changes
// nothing but the time.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::test {
namespace {

constexpr Cycle kObservedCycles = 30'000;

using Observed = std::pair<Cycle, Address>;

class Recorder : public HartObserver {
  public:
    void retired(const Retirement& retirement) override {
        seen.emplace_back(retirement.cycle, retirement.pc);
        if (on_retired) {
            on_retired(retirement);
        }
    }

    std::vector<Observed> seen;
    std::function<void(const Retirement&)> on_retired;
};

/// An inner loop that the fast path likes, and a store to a device each time round it.
void set_up(BareMachine& machine) {
    machine.set(sp, BareMachine::kData);
    machine.set(a6, BareMachine::kDevice);
    machine.set(s0, 22); // event: stalls
    machine.place(kCode, {csrw(csr::kMhpmevent3, s0),
                          // outer
                          addi(a7, zero, 40),
                          // inner
                          add(a1, sp, a2), ld(a3, a1, 0), addi(a2, a2, 8), mul(a4, a3, a2),
                          sd(a4, a1, 8), addi(a7, a7, -1), bne(a7, zero, -24),
                          //
                          addi(a2, zero, 0), addi(a5, a5, 1), sw(a5, a6, 0), j(-44)});
}

class HartObserverTest : public ::testing::Test {
  protected:
    HartObserverTest() { set_up(observed_); }

    Life observed_throughout() {
        observed_.run(kCode, kNowhere, kObservedCycles);
        for (const Retirement& one : observed_.retirements()) {
            all_.emplace_back(one.cycle, one.pc);
        }
        return life_of(observed_);
    }

    BareMachine observed_;
    std::vector<Observed> all_;
};

TEST_F(HartObserverTest, AHartWithoutObserversLivesTheSameLife) {
    BareMachine machine;
    set_up(machine);
    machine.stop_observing();
    machine.run(kCode, kNowhere, kObservedCycles);
    EXPECT_TRUE(machine.retirements().empty());
    expect_equal(life_of(machine), observed_throughout());
}

TEST_F(HartObserverTest, ObserversComeAndGoInTheMiddleOfAnInstruction) {
    BareMachine machine;
    set_up(machine);
    machine.stop_observing();
    Recorder recorder;
    unsigned accesses = 0;
    machine.on_access([&](const BusAccess&) {
        if (++accesses % 3 == 1) {
            machine.hart().add_observer(recorder);
        } else if (accesses % 3 == 2) {
            machine.hart().remove_observer(recorder);
        }
    });
    machine.run(kCode, kNowhere, kObservedCycles);
    expect_equal(life_of(machine), observed_throughout());
    ASSERT_GT(accesses, 6U);
    EXPECT_GT(recorder.seen.size(), all_.size() / 4);
    EXPECT_LT(recorder.seen.size(), all_.size() / 2);
    EXPECT_TRUE(
        std::includes(all_.begin(), all_.end(), recorder.seen.begin(), recorder.seen.end()));
}

TEST_F(HartObserverTest, ARemovedObserverIsNotToldAndTheOthersMissNothing) {
    Recorder first;
    Recorder second;
    Recorder third;
    first.on_retired = [&](const Retirement&) {
        if (first.seen.size() == 10) {
            observed_.hart().remove_observer(first);
            observed_.hart().remove_observer(second);
        }
    };
    observed_.hart().add_observer(first);
    observed_.hart().add_observer(second);
    observed_.hart().add_observer(third);
    observed_throughout();
    EXPECT_EQ(first.seen.size(), 10U);
    EXPECT_EQ(second.seen.size(), 9U);
    EXPECT_EQ(third.seen, all_);
}

TEST_F(HartObserverTest, RemovingAnObserverThatIsNotThereIsNoMistake) {
    const Recorder recorder;
    observed_.hart().remove_observer(recorder);
    EXPECT_GE(observed_throughout().now, kObservedCycles);
}

TEST_F(HartObserverTest, AFenceThatEmptiesItsOwnSlotIsSeenWithItsWord) {
    BareMachine machine;
    machine.execute({kNop, kFenceI, kNop});
    ASSERT_EQ(machine.retirements().size(), 3U);
    EXPECT_EQ(machine.retirements()[1].raw, kFenceI);
}

// --- Back-pressure ------------------------------------------------------------------------------

TEST_F(HartObserverTest, NothingRetiresBeforeTheHoldIsOver) {
    constexpr Cycle kHold = 500;
    Recorder recorder;
    std::vector<std::pair<Cycle, Cycle>> holds;
    recorder.on_retired = [&](const Retirement& retirement) {
        if (recorder.seen.size() % 100 == 0) {
            observed_.hart().hold_until(retirement.cycle + kHold);
            holds.emplace_back(retirement.cycle, retirement.cycle + kHold);
        }
    };
    observed_.hart().add_observer(recorder);
    observed_throughout();
    ASSERT_GT(holds.size(), 10U);
    for (const auto& [from, to] : holds) {
        const auto next = std::upper_bound(all_.begin(), all_.end(), Observed{from, ~Address{0}});
        if (next != all_.end()) {
            EXPECT_GE(next->first, to);
            EXPECT_LE(next->first, to + 20) << "and then the hart goes on at once";
        }
    }
}

TEST_F(HartObserverTest, AHoldThatIsOverChangesNothing) {
    BareMachine machine;
    set_up(machine);
    machine.stop_observing();
    machine.on_access([&](const BusAccess& access) { machine.hart().hold_until(access.at - 50); });
    machine.run(kCode, kNowhere, kObservedCycles);
    expect_equal(life_of(machine), observed_throughout());
}

/// The same holds, whatever the horizon is and whether or not somebody watches.
TEST(HartHold, DoesNotDependOnTheHorizon) {
    std::vector<Life> lives;
    for (const Cycle step : {kObservedCycles, Cycle{1000}, Cycle{37}, Cycle{1}}) {
        BareMachine machine;
        set_up(machine);
        machine.stop_observing();
        machine.on_access(
            [&](const BusAccess& access) { machine.hart().hold_until(access.at + 313); });
        machine.run_in_steps(kCode, kNowhere, step, kObservedCycles);
        while (machine.hart().now() < kObservedCycles + 1000) { // the last step may end beyond
            machine.resume(kNowhere, kObservedCycles + 1000 - machine.hart().now());
        }
        lives.push_back(life_of(machine));
    }
    expect_equal(lives[1], lives[0]);
    expect_equal(lives[2], lives[0]);
    expect_equal(lives[3], lives[0]);
    EXPECT_LT(lives[0].registers[a5], (kObservedCycles + 1000) / 313);
}

TEST(HartHold, AnInterruptDuringTheHoldIsTakenBehindIt) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.set_csr(csr::kMie, 1U << 7);
    machine.set_csr(csr::kMstatus, mstatus::kMie);
    machine.set(a6, BareMachine::kDevice);
    Cycle hold = 0;
    machine.on_access([&](const BusAccess& access) {
        hold = access.at + 1000;
        machine.hart().hold_until(hold);
        machine.hart().set_interrupt(Interrupt::MachineTimer, true, access.at + 100);
    });
    machine.execute({sw(zero, a6, 0), kNop, kNop, kNop, kNop});
    ASSERT_EQ(machine.traps().size(), 1U);
    EXPECT_GE(machine.traps()[0].cycle, hold);
    EXPECT_LE(machine.traps()[0].cycle, hold + 10);
    EXPECT_EQ(machine.traps()[0].epc, kCode + 4);
}

TEST(HartHold, CountersGoOnAndReportTheirEdgeInItsCycle) {
    BareMachine machine;
    machine.set(a6, BareMachine::kDevice);
    machine.set(a0, 700);
    machine.on_access([&](const BusAccess&) { machine.hart().hold_until(2000); });
    machine.execute({csrw(csr::kMhpmthresholdCycle, a0), sw(zero, a6, 0), kNop, kNop});
    ASSERT_EQ(machine.line_edges().size(), 1U);
    EXPECT_NEAR(static_cast<double>(machine.line_edges()[0].at), 700, 4);
    EXPECT_GE(machine.counter(csr::kMcycle), 2000U);
}

} // namespace
} // namespace pes::test

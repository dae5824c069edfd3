// SPDX-License-Identifier: Apache-2.0
// Whose every cycle is, and why: programs that are short enough to say so by hand.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

HartConfig with_truth() {
    HartConfig config = BareMachine::default_config();
    config.truth = true;
    config.sources = kAllEvents;
    return config;
}

class HartTruth : public testing::Test {
  protected:
    HartTruth() {
        machine_.set(sp, BareMachine::kData);
        machine_.set(a6, BareMachine::kDevice);
        machine_.stop_at_traps();
    }

    void execute(std::initializer_list<Word> words) {
        machine_.execute(words);
        machine_.hart().settle(machine_.hart().reached());
    }

    const TruthTable& table() { return *machine_.hart().truth(); }
    /// Of the instruction with this number, the first at kCode; in machine mode.
    std::uint64_t number(std::size_t instruction, std::uint16_t column) {
        return at(kCode + sizeof(Word) * instruction, column);
    }
    std::uint64_t at(Address pc, std::uint16_t column) {
        std::uint64_t sum = 0;
        for (const TruthRow row : table().sorted_rows()) {
            sum += table().key(row).pc == pc ? table().value(row, column) : 0;
        }
        return sum;
    }
    double cycles(std::size_t instruction, CycleReason reason) {
        return static_cast<double>(number(instruction, TruthTable::column_of(reason))) / 2;
    }
    std::uint64_t pulses(std::size_t instruction, Event event) {
        return number(instruction, TruthTable::column_of(event));
    }

    BareMachine machine_{with_truth()};
};

TEST_F(HartTruth, NobodyKnowsItUnlessTheConfigurationWantsIt) {
    BareMachine other;
    EXPECT_EQ(other.hart().truth(), nullptr);
}

TEST_F(HartTruth, TwoThatRetireTogetherHaveHalfTheCycleEach) {
    // The load misses; what follows it in the scoreboard retires behind it, two a cycle.
    execute({ld(a1, sp, 0), addi(a2, a2, 1), addi(a3, a3, 1), addi(a4, a4, 1)});
    EXPECT_EQ(number(0, TruthTable::column_of(CycleReason::Base)) % 2, 1U);
    EXPECT_EQ(cycles(1, CycleReason::Base), 0.5);
    EXPECT_EQ(cycles(2, CycleReason::Base), 0.5);
    EXPECT_EQ(cycles(3, CycleReason::Base), 0.5);
    EXPECT_EQ(number(1, TruthTable::kRetired), 1U);
}

TEST_F(HartTruth, AMissIsWithTheLoadThatMisses) {
    execute({ld(a1, sp, 0), add(a2, a1, a1)});
    EXPECT_GE(cycles(0, CycleReason::L1DMiss), 5);
    EXPECT_EQ(cycles(1, CycleReason::L1DMiss), 0);
    EXPECT_EQ(cycles(1, CycleReason::Base), 1) << "it waits while the load is older than itself";
    EXPECT_EQ(pulses(0, Event::L1DMiss), 1U);
    EXPECT_EQ(pulses(1, Event::L1DMiss), 0U);
    EXPECT_EQ(pulses(1, Event::PipelineStall),
              machine_.hart().totals().events[static_cast<std::size_t>(Event::PipelineStall)]);
}

TEST_F(HartTruth, TheBranchPaysForItsMisprediction) {
    // Taken every other time.
    machine_.set(a7, 100);
    execute({kNop, andi(t0, a7, 1), beq(t0, zero, 8), kNop, addi(a7, a7, -1), bne(a7, zero, -16)});
    const auto count = static_cast<double>(pulses(2, Event::BranchMispredict));
    EXPECT_GE(count, 40);
    EXPECT_GE(cycles(2, CycleReason::Mispredict), 5 * count);
    EXPECT_LE(cycles(2, CycleReason::Mispredict), 5 * count + 10) << "cold code apart";
    EXPECT_EQ(cycles(3, CycleReason::Mispredict), 0);
    EXPECT_EQ(cycles(4, CycleReason::Mispredict), 0);
    EXPECT_GE(static_cast<double>(pulses(2, Event::FetchEmpty)), 3 * count) << "of the refill";
}

TEST_F(HartTruth, WhatEmptiesThePipelinePaysForTheRefill) {
    machine_.set(a7, 100);
    execute({kNop, csrrsi(zero, csr::kMstatus, 0), csrrsi(zero, csr::kMstatus, 8), kNop,
             addi(a7, a7, -1), bne(a7, zero, -20)});
    EXPECT_EQ(cycles(1, CycleReason::Flush), 0) << "it writes nothing";
    EXPECT_GE(cycles(2, CycleReason::Flush), 600);
    EXPECT_LE(cycles(2, CycleReason::Flush), 610) << "cold code apart";
    EXPECT_EQ(cycles(3, CycleReason::Base), 100);
}

TEST_F(HartTruth, AnExceptionIsWithTheInstructionThatRaisesIt) {
    execute({kNop, kEcall});
    EXPECT_EQ(number(1, TruthTable::kRetired), 0U);
    EXPECT_EQ(cycles(1, CycleReason::Base), 0) << "it does not retire";
    EXPECT_GE(cycles(1, CycleReason::Flush), 1);
    EXPECT_EQ(pulses(1, Event::Exception), 1U);
}

TEST_F(HartTruth, ADeviceIsWithTheLoadThatWaitsForIt) {
    machine_.set_device_latency(20);
    execute({lw(a1, a6, 0), kNop});
    EXPECT_GE(cycles(0, CycleReason::Device), 20);
    EXPECT_EQ(cycles(1, CycleReason::Device), 0);
}

TEST_F(HartTruth, ADivisionKeepsItsUnitBusy) {
    machine_.set(a1, ~std::uint64_t{0} >> 1);
    machine_.set(a2, 1);
    execute({kNop, kNop, div(a3, a1, a2), kNop});
    EXPECT_GE(cycles(2, CycleReason::Unit), 60);
}

TEST_F(HartTruth, AFenceWaitsForTheStoresBeforeIt) {
    execute({sd(zero, sp, 0), kFence, kNop});
    EXPECT_GT(cycles(1, CycleReason::Flush), 6);
}

TEST_F(HartTruth, SleepIsWithWfi) {
    machine_.set_csr(csr::kMie, 1U << 7);
    machine_.place(kCode, {kNop, kWfi, kNop});
    machine_.hart().set_interrupt(Interrupt::MachineTimer, true, 5000);
    machine_.run(kCode, kCode + 3 * sizeof(Word));
    machine_.hart().settle(machine_.hart().reached());
    EXPECT_GT(cycles(1, CycleReason::Idle), 4000);
    EXPECT_LE(number(2, TruthTable::column_of(CycleReason::Base)), 2U);
}

TEST_F(HartTruth, ModesAreApart) {
    machine_.open_protection();
    machine_.execute_in(Privilege::User, {kNop, kEcall});
    machine_.hart().settle(machine_.hart().reached());
    bool user = false;
    for (const TruthRow row : table().sorted_rows()) {
        const TruthTable::Key key = table().key(row);
        user = user || (key.pc == kCode && key.context.privilege == Privilege::User);
        EXPECT_FALSE(key.pc == kCode && key.context.privilege == Privilege::Machine);
        EXPECT_FALSE(key.pc == BareMachine::kHandler && key.context.privilege == Privilege::User);
    }
    EXPECT_TRUE(user);
}

/// A loop with misses, divisions, stores and mispredictions, long enough for the fast path.
std::vector<Word> loop() {
    return {add(a1, sp, a2), ld(a3, a1, 0),    addi(a2, a2, 88),       div(a4, a7, a2),
            mul(a5, a4, a3), sd(a5, a1, 8),    andi(t0, a7, 3),        beq(t0, zero, 8),
            addi(t1, t1, 1), addi(a7, a7, -1), bne(a7, zero, -4 * 10), j(0)};
}

std::vector<std::uint64_t> life(ExecutionPath path, Cycle cycles, EventTotals& totals, Cycle& end) {
    HartConfig config = with_truth();
    config.path = path;
    BareMachine machine(config);
    machine.set(sp, BareMachine::kData);
    machine.set(a7, 300);
    machine.place(kCode, loop());
    machine.stop_observing();
    machine.run(kCode, BareMachine::kHandler, cycles);
    machine.hart().settle(machine.hart().reached());
    totals = machine.hart().totals();
    end = machine.bank().now();
    std::vector<std::uint64_t> values;
    const TruthTable& table = *machine.hart().truth();
    for (const TruthRow row : table.sorted_rows()) {
        values.push_back(table.key(row).pc);
        for (std::uint16_t column = 0; column < TruthTable::kColumns; ++column) {
            values.push_back(table.value(row, column));
        }
    }
    return values;
}

TEST(HartTruthOnBothPaths, IsTheSameAndAddsUpWhereverTheRunEnds) {
    constexpr std::size_t kStride = 1 + TruthTable::kColumns;
    for (const Cycle cycles : {1777U, 2500U, 5003U, 20011U}) {
        EventTotals totals;
        Cycle end = 0;
        const auto stepped = life(ExecutionPath::Step, cycles, totals, end);
        EXPECT_EQ(life(ExecutionPath::Fast, cycles, totals, end), stepped) << cycles;
        std::vector<std::uint64_t> sums(TruthTable::kColumns);
        for (std::size_t index = 0; index < stepped.size(); ++index) {
            if (index % kStride != 0) {
                sums[index % kStride - 1] += stepped[index];
            }
        }
        std::uint64_t halves = 0;
        for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
            halves += sums[TruthTable::kFirstReason + reason];
        }
        EXPECT_EQ(halves, 2 * end);
        EXPECT_EQ(sums[TruthTable::kRetired], totals.retired);
        for (std::size_t source = 1; source < kEventCount; ++source) {
            EXPECT_EQ(sums[TruthTable::kFirstEvent + source], totals.events[source])
                << to_string(static_cast<Event>(source));
        }
    }
}

} // namespace
} // namespace pes::test

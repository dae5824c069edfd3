// SPDX-License-Identifier: Apache-2.0
// Programs whose pulses behind kBaseEvents can be counted by hand.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

HartConfig counting_all() {
    HartConfig config = BareMachine::default_config();
    config.sources = kAllEvents;
    return config;
}

class HartSources : public testing::Test {
  protected:
    HartSources() {
        machine_.set(sp, BareMachine::kData);
        machine_.set(a6, BareMachine::kDevice);
        machine_.stop_at_traps();
    }
    std::uint64_t count(Event event) {
        return machine_.hart().totals().events[static_cast<std::size_t>(event)];
    }

    BareMachine machine_{counting_all()};
};

TEST_F(HartSources, EachClassCountsItsInstructions) {
    machine_.set(a7, 10);
    machine_.execute({// ten times
                      ld(a1, sp, 0), sd(a1, sp, 16), ld(a2, sp, 8), mul(a3, a1, a2),
                      div(a4, a3, a7), amoadd(Width::Double, zero, a1, sp), addi(a7, a7, -1),
                      bne(a7, zero, -28),
                      // once
                      csrr(t0, csr::kMcycle), kFence, j(4), jal(ra, 4)});
    EXPECT_EQ(count(Event::IntegerLoad), 20U);
    EXPECT_EQ(count(Event::IntegerStore), 10U);
    EXPECT_EQ(count(Event::IntegerMultiply), 10U);
    EXPECT_EQ(count(Event::IntegerDivide), 10U);
    EXPECT_EQ(count(Event::Atomic), 10U);
    EXPECT_EQ(count(Event::IntegerArithmetic), 10U);
    EXPECT_EQ(count(Event::ConditionalBranch), 10U);
    EXPECT_EQ(count(Event::TakenBranch), 9U);
    EXPECT_EQ(count(Event::System), 2U);
    EXPECT_EQ(count(Event::Jal), 2U);
    EXPECT_EQ(count(Event::UnconditionalJump), 2U);
    EXPECT_EQ(count(Event::Jalr), 0U);
    EXPECT_EQ(count(Event::Compressed), 0U);
    EXPECT_EQ(count(Event::FlushByOther), 11U) << "AMOs and the fence are followed by a refetch";
    EXPECT_EQ(count(Event::FlushByCsrWrite), 0U);
}

TEST_F(HartSources, FlushesAreCsrWritesThatRefetchAndAllOthers) {
    machine_.execute({csrrsi(zero, csr::kMstatus, 8), csrrsi(zero, csr::kMstatus, 0),
                      csrw(csr::kMscratch, zero), kFenceI, sfence_vma(zero, zero), kEcall});
    EXPECT_EQ(count(Event::FlushByCsrWrite), 1U);
    EXPECT_EQ(count(Event::FlushByOther), 3U) << "fence.i, sfence.vma and the trap";
    EXPECT_EQ(count(Event::Exception), 1U);
}

TEST_F(HartSources, CompressedInstructionsCount) {
    constexpr Word kTwo = Word{kCompressedNop} << 16 | kCompressedNop;
    machine_.execute({kTwo, kNop, kTwo, kTwo});
    // Issued one a cycle, and nothing holds one back: they retire one a cycle.
    EXPECT_EQ(count(Event::Compressed), 6U);
}

TEST_F(HartSources, AccessesOutsideMemoryAreExternal) {
    constexpr Address kWatched = BareMachine::kData + 0x100;
    machine_.watch(kWatched); // goes to the bus, and is main memory all the same
    machine_.execute({lw(a1, a6, 0), lw(a2, a6, 4), sw(a1, a6, 8), ld(a3, sp, 0), sd(a3, sp, 8),
                      ld(a4, sp, 0x100), sd(a4, sp, 0x100)});
    EXPECT_EQ(count(Event::ExternalLoad), 2U);
    EXPECT_EQ(count(Event::ExternalStore), 1U);
    EXPECT_EQ(count(Event::IntegerLoad), 4U);
    EXPECT_EQ(count(Event::IntegerStore), 3U);
    EXPECT_EQ(count(Event::DataMissOrIo), 3U + count(Event::L1DMiss));
    EXPECT_EQ(count(Event::L1DMiss), 2U) << "two lines of main memory are read";
}

TEST_F(HartSources, AnAccessThatFaultsIsNotExternal) {
    machine_.set(a5, BareMachine::kDeviceError);
    machine_.execute({lw(a1, a5, 0)});
    EXPECT_EQ(count(Event::Exception), 1U);
    EXPECT_EQ(count(Event::ExternalLoad), 0U);
    EXPECT_EQ(count(Event::ExternalLoadWait), 0U);
}

/// The last branch of the loop is wrong, and the indirect jump has no target yet.
TEST_F(HartSources, MispredictsHaveTheirKind) {
    machine_.set(a7, 40);
    machine_.set(a5, kCode + 20);
    machine_.execute({addi(a7, a7, -1), bne(a7, zero, -4), jalr(zero, a5, 0), kNop, kNop, kNop});
    EXPECT_EQ(count(Event::TargetMispredict), 1U);
    EXPECT_GE(count(Event::DirectionMispredict), 1U);
    EXPECT_EQ(count(Event::BranchMispredict), 1U + count(Event::DirectionMispredict));
    EXPECT_EQ(count(Event::TakenBranch), 39U);
}

TEST_F(HartSources, StallsByProducerAddUpToThePipelineStall) {
    machine_.set(a7, 50);
    machine_.set_csr(csr::kMstatus, mstatus::kFs);
    machine_.execute({ld(a1, sp, 0), add(a2, a1, a7), mul(a3, a2, a2), add(a4, a3, a3),
                      div(a4, a3, a7), sd(a4, sp, 0), csrr(a5, csr::kMcycle), add(a5, a5, a5),
                      fadd_s(1, 2, 3), fadd_s(4, 1, 1), addi(a7, a7, -1), bne(a7, zero, -44)});
    std::uint64_t sum = 0;
    for (const Event kind : {Event::LoadUseStall, Event::MultiplyStall, Event::DivideStall,
                             Event::FloatStall, Event::CsrStall}) {
        EXPECT_GE(count(kind), 50U) << static_cast<unsigned>(kind);
        sum += count(kind);
    }
    EXPECT_EQ(sum, count(Event::PipelineStall));
}

// --- The fast path ------------------------------------------------------------------------------

/// A load and a multiplication of the same latency, issued one behind the other so that they are
/// ready and retire together. Their registers change places after the first half: a block that
/// waits for one of them meets the same times and has to name another producer.
EventTotals take_turns(ExecutionPath path, EventMask sources) {
    HartConfig config = BareMachine::default_config();
    config.sources = sources;
    config.path = path;
    config.timing.load_hit_cycles = 9;
    config.timing.latency.multiply = 9;
    BareMachine machine(config);
    machine.set(sp, BareMachine::kData);
    machine.set(a7, 100);
    machine.set(s0, kCode);
    machine.set(s1, kCode + 12);
    machine.set(s2, 2);
    machine.place(kCode, {ld(a1, sp, 0), mul(a2, a7, a7), j(16), // first half
                          ld(a2, sp, 0), mul(a1, a7, a7), j(4),  // second half
                          add(a3, a1, zero), addi(a7, a7, -1),   // waits for a1
                          beq(a7, zero, 8), jalr(zero, s0, 0),   //
                          addi(s2, s2, -1), beq(s2, zero, 16),   //
                          add(s0, s1, zero), addi(a7, zero, 100), jalr(zero, s0, 0), j(0)});
    machine.stop_observing();
    machine.run(kCode, 0, 6000);
    EXPECT_EQ(machine.get(s2), 0U) << "both halves have run";
    return machine.hart().totals();
}

TEST(HartSourcesOnTheFastPath, AStallIsNamedAfterItsOwnProducerEachTime) {
    constexpr EventMask kStalls = event_bit(Event::LoadUseStall) | event_bit(Event::MultiplyStall);
    const EventTotals step = take_turns(ExecutionPath::Step, kStalls);
    const EventTotals fast = take_turns(ExecutionPath::Fast, kStalls);
    EXPECT_EQ(step.events, fast.events);
    const auto of = [&](Event event) { return step.events[static_cast<std::size_t>(event)]; };
    EXPECT_GE(of(Event::LoadUseStall), 300U);
    EXPECT_GE(of(Event::MultiplyStall), 300U);
    EXPECT_EQ(of(Event::LoadUseStall) + of(Event::MultiplyStall), of(Event::PipelineStall));
}

TEST(HartSourcesByDefault, OnlyThoseOfTheBaseTablePulse) {
    BareMachine machine;
    machine.set(a6, BareMachine::kDevice);
    machine.set(a7, 100);
    machine.stop_at_traps();
    machine.execute({lw(a1, a6, 0), add(a2, a1, a1), sw(a2, a6, 0), mul(a3, a2, a7),
                     div(a4, a3, a7), addi(a7, a7, -1), bne(a7, zero, -24), kEcall});
    const EventTotals totals = machine.hart().totals();
    for (std::size_t source = kBaseEventCount; source < kEventCount; ++source) {
        EXPECT_EQ(totals.events[source], 0U) << source;
    }
    EXPECT_GT(totals.events[static_cast<std::size_t>(Event::PipelineStall)], 100U);
}

} // namespace
} // namespace pes::test

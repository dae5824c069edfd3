// SPDX-License-Identifier: Apache-2.0
// Issue and retirement: the published latencies of CVA6 v5.3.0.
#include "program.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

using namespace timing_test;

/// Issue of a producer to issue of the instruction that needs its result.
Cycle to_use(const Instruction& producer, const Instruction& consumer, unsigned divide_bits = 1) {
    Program program;
    program.run(producer, divide_bits);
    const Cycle issued = program.issued();
    program.run(consumer);
    return program.issued() - issued;
}

/// Issue of a writer to issue of the next writer of the same register.
Cycle to_rewrite(const Instruction& writer, CoreGeneration generation) {
    Program program({.generation = generation});
    return period(program, [&] { program.run(writer); });
}

TEST(Pipeline, SimpleInstructionRetiresThreeCyclesAfterDecode) {
    Program program;
    const Cycle retired = program.run(alu(10));
    EXPECT_EQ(retired, program.decoded() + 3);
    EXPECT_EQ(program.issued(), program.decoded() + 1);
}

TEST(Pipeline, ResultsAreForwardedAfterTheirLatency) {
    EXPECT_EQ(to_use(alu(10), alu(11, 10)), 1u);
    EXPECT_EQ(to_use(make(TimingClass::Multiply, 10), make(TimingClass::Multiply, 11, 10)), 2u);
    EXPECT_EQ(to_use(make(TimingClass::Multiply, 10), alu(11, 10)), 2u);
    EXPECT_EQ(to_use(make(TimingClass::Csr, 10), alu(11, 10)), 3u);
    EXPECT_EQ(to_use(make(TimingClass::FpMove, f(0)), make(TimingClass::FpMove, f(1), f(0))), 2u);
    EXPECT_EQ(to_use(make(TimingClass::FpConvert, f(0)), make(TimingClass::FpMove, f(1), f(0))),
              3u);
    EXPECT_EQ(to_use(make(TimingClass::FpSingle, f(0)), make(TimingClass::FpSingle, f(1), f(0))),
              3u);
    EXPECT_EQ(to_use(make(TimingClass::FpDouble, f(0)), make(TimingClass::FpDouble, f(1), f(0))),
              4u);
    EXPECT_EQ(
        to_use(make(TimingClass::FpDivideDouble, f(0)), make(TimingClass::FpDouble, f(1), f(0))),
        23u);
}

TEST(Pipeline, ThirdOperandIsWaitedForToo) {
    Instruction fused = make(TimingClass::FpDouble, f(1), f(2), f(3));
    fused.rs3 = f(0);
    EXPECT_EQ(to_use(make(TimingClass::FpDouble, f(0)), fused), 4u);
}

TEST(Pipeline, DivisionDependsOnTheQuotientLength) {
    const auto divide = make(TimingClass::Divide, 10);
    EXPECT_EQ(to_use(divide, alu(11, 10), 5), 8u);   // 100 / 7: shift 4
    EXPECT_EQ(to_use(divide, alu(11, 10), 18), 21u); // 123456789 / 1000: shift 17
    EXPECT_EQ(to_use(divide, alu(11, 10), 62), 65u); // (2^63 - 1) / 3: shift 61
}

TEST(Pipeline, DivisionBlocksTheFixedLatencyUnitsOnly) {
    for (const Instruction& blocked :
         {alu(11), make(TimingClass::Multiply, 11), make(TimingClass::Csr, 11)}) {
        EXPECT_EQ(to_use(make(TimingClass::Divide, 10), blocked, 5), 8u);
    }
    EXPECT_EQ(to_use(make(TimingClass::Divide, 10), make(TimingClass::FpDouble, f(1)), 5), 1u);
}

TEST(Pipeline, MultiplicationsFollowEachOtherButHoldAnAluInstructionForOneCycle) {
    const auto multiply = make(TimingClass::Multiply, 10);
    EXPECT_EQ(to_use(multiply, make(TimingClass::Multiply, 11)), 1u);
    EXPECT_EQ(to_use(multiply, alu(11)), 2u);
    EXPECT_EQ(to_use(multiply, make(TimingClass::FpDouble, f(1))), 1u);
}

TEST(Pipeline, WriteAfterWriteWaitsForRetirementInV530) {
    const auto v530 = CoreGeneration::V5_3_0;
    EXPECT_EQ(to_rewrite(alu(10), v530), 2u);
    EXPECT_EQ(to_rewrite(make(TimingClass::Multiply, 10), v530), 3u);
    EXPECT_EQ(to_rewrite(make(TimingClass::FpDouble, f(0)), v530), 5u);
    EXPECT_EQ(to_rewrite(make(TimingClass::FpDivideDouble, f(0)), v530), 24u);
    EXPECT_EQ(to_rewrite(make(TimingClass::FpDivideSingle, f(0)), v530), 14u);
    EXPECT_EQ(to_rewrite(make(TimingClass::FpSqrtDouble, f(0)), v530), 24u);
}

TEST(Pipeline, WriteAfterWriteIsFreeIn2025) {
    const auto later = CoreGeneration::Generation2025_07;
    EXPECT_EQ(to_rewrite(alu(10), later), 1u);
    EXPECT_EQ(to_rewrite(make(TimingClass::Multiply, 10), later), 1u);
    EXPECT_EQ(to_rewrite(make(TimingClass::FpDouble, f(0)), later), 1u);
    EXPECT_EQ(to_rewrite(make(TimingClass::FpDivideDouble, f(0)), later), 20u);
    EXPECT_EQ(to_rewrite(make(TimingClass::FpDivideSingle, f(0)), later), 10u);
}

// The RTL of v5.3.0 issues these five in the cycles 0, 1, 2, 3 and 22: a second division waits in
// front of the divider and a third in front of the FPU, which takes nothing until the second
// starts.
TEST(Pipeline, TwoDivisionsWaitInTheFpuAndTheThirdClosesIt) {
    Program program;
    const Cycle first = program.run(make(TimingClass::FpDivideDouble, f(0)));
    const Cycle issued = program.issued();
    for (Cycle behind = 1; behind <= 2; ++behind) {
        const auto divide = make(TimingClass::FpDivideDouble, f(static_cast<unsigned>(behind)));
        EXPECT_EQ(program.run(divide), first + 20 * behind);
        EXPECT_EQ(program.issued(), issued + behind);
    }
    program.run(alu(10));
    EXPECT_EQ(program.issued(), issued + 3);
    program.run(make(TimingClass::FpMove, f(3)));
    EXPECT_EQ(program.issued(), issued + 22);
}

TEST(Pipeline, ADivisionThatIsThrownAwayLeavesTheFpuFree) {
    Program program;
    const auto divide = make(TimingClass::FpDivideDouble, f(0));
    program.place(program.pc() + 4, divide); // it has issued when the flush comes
    const Cycle retired = program.run(make(TimingClass::CsrRefetch));
    EXPECT_EQ(program.run(divide), retired + 29);
    EXPECT_EQ(program.issued(), retired + 5);
}

TEST(Pipeline, X0IsNeverWaitedFor) {
    EXPECT_EQ(to_rewrite(alu(kSinkRegister), CoreGeneration::V5_3_0), 1u);
}

TEST(Pipeline, CsrAccessHoldsTheFixedLatencyUnitsUntilItRetires) {
    Program program;
    const Cycle retired = program.run(make(TimingClass::Csr, 10));
    EXPECT_EQ(retired, program.issued() + 2);
    program.run(alu(11));
    EXPECT_EQ(program.issued(), retired);
}

TEST(Pipeline, SerialCycleForetellsTheRetirementOfACsrAccess) {
    Program program;
    const auto csr = make(TimingClass::Csr, 10);
    const Address pc = program.pc();
    program.pipeline().fetch(pc, pc, 4, nullptr);
    program.pipeline().issue(csr);
    const Cycle foretold = program.pipeline().serial_cycle(csr);
    EXPECT_EQ(program.pipeline().retire(csr), foretold);
}

TEST(Pipeline, RefetchingInstructionsCostSeven) {
    for (const TimingClass timing :
         {TimingClass::CsrRefetch, TimingClass::Fence, TimingClass::SfenceVma}) {
        Program program;
        const Cycle retired = program.run(make(timing));
        EXPECT_EQ(program.run(alu(10)), retired + 7);
    }
}

// On the RTL of v5.3.0 the last store retires in 932, the fence waits from 933 to 944, and behind
// it seven instructions issue: the loads ask in 935 and 938, and from 940 on no entry is free.
TEST(Pipeline, WhatFollowsAFenceThatWaitsForStoresIssues) {
    Program program;
    Instruction behind = load(11);
    behind.imm = static_cast<std::int64_t>(Program::kData);
    program.access(behind, Program::kData);
    program.idle();
    const Address fence = program.pc() + 3 * 4;
    program.place(fence + 2 * 4, behind);
    behind.rd = 12;
    program.place(fence + 5 * 4, behind);
    const std::uint64_t asked = program.total(Event::L1DAccess);
    const std::uint64_t full = program.total(Event::ScoreboardFull);
    Cycle stored = 0;
    for (const Address offset : {64, 128, 192}) {
        stored = program.access(store(), Program::kData + offset);
    }
    EXPECT_EQ(program.run(make(TimingClass::Fence)), stored + 12);
    EXPECT_EQ(program.total(Event::L1DAccess), asked + 3 + 2);
    EXPECT_EQ(program.total(Event::ScoreboardFull), full + 5);
}

TEST(Pipeline, TwoRetireInOneCycleAndAClassCountsOnce) {
    Program program;
    const std::uint64_t before = program.total(Event::Integer);
    program.run(make(TimingClass::FpDivideDouble, f(0)));
    const Cycle first = program.run(alu(10));
    EXPECT_EQ(program.run(alu(11)), first + 1); // the division and the first share a cycle
    EXPECT_EQ(program.run(alu(12)), first + 1);
    EXPECT_EQ(program.log().at(first + 1).retired, 2);
    EXPECT_EQ(program.total(Event::Integer), before + 2);
}

TEST(Pipeline, StoreNeverRetiresOnTheSecondPort) {
    Program program;
    const Cycle division = program.run(make(TimingClass::FpDivideDouble, f(0)));
    EXPECT_EQ(program.access(store(), Program::kData), division + 1);
    EXPECT_EQ(program.run(alu(11)), division + 1); // but an ALU instruction may follow a store
}

TEST(Pipeline, NothingSharesTheRetirementCycleOfACsrAccess) {
    Program program;
    const Cycle division = program.run(make(TimingClass::FpDivideDouble, f(0)));
    const Cycle csr = program.run(make(TimingClass::Csr, 10));
    EXPECT_EQ(csr, division + 1);
    EXPECT_EQ(program.access(load(11), Program::kData), csr + 1);
}

TEST(Pipeline, ScoreboardOfEightHoldsTheNinthBack) {
    Program program;
    const std::uint64_t before = program.total(Event::ScoreboardFull);
    const Cycle division = program.run(make(TimingClass::FpDivideDouble, f(0)));
    const Cycle issued = program.issued();
    for (unsigned i = 0; i < 7; ++i) {
        program.run(alu(static_cast<RegisterIndex>(10 + i)));
        EXPECT_EQ(program.issued(), issued + 1 + i);
    }
    EXPECT_EQ(division, issued + 24);
    program.run(alu(20));
    EXPECT_EQ(program.issued(), division + 1);
    // Full from the cycle after the eighth was issued up to the retirement of the first.
    EXPECT_EQ(program.total(Event::ScoreboardFull) - before, division - (issued + 7));
}

/// fadd.d: rd, rs1, rs2 are numbers of its registers.
Instruction add_double(unsigned rd, unsigned rs1, unsigned rs2) {
    Instruction add = make(TimingClass::FpDouble, f(rd), f(rs1), f(rs2));
    add.rounding = 7;
    add.raw = 0x0200'7053U | rd << 7 | rs1 << 15 | rs2 << 20;
    return add;
}

// issue_read_operands.sv: only a writer of the destination keeps it from being offered, and it
// traps two cycles later. On the RTL such an fadd.d issues in 889 and traps in 891.
TEST(Pipeline, WhatDecodeRefusesWaitsForTheWriterOfItsDestinationOnly) {
    constexpr Address kHandler = Program::kCode + 0x400;
    constexpr unsigned kSteps = 18;
    const auto divide = make(TimingClass::Divide, 10);
    for (const FloatUse use : {FloatUse::None, FloatUse::StaticRounding}) {
        Program destination;
        destination.pipeline().accept(use);
        std::uint64_t stalls = destination.total(Event::PipelineStall);
        const Cycle retired = destination.run(divide, kSteps);
        EXPECT_EQ(destination.trap(kHandler, add_double(10, 11, 12)), retired + 2);
        EXPECT_EQ(destination.issued(), retired);
        EXPECT_EQ(destination.total(Event::PipelineStall) - stalls, 0u);

        Program source;
        source.pipeline().accept(use);
        stalls = source.total(Event::PipelineStall);
        source.run(divide, kSteps);
        const Cycle issued = source.issued();
        source.trap(kHandler, add_double(0, 11, 10));
        EXPECT_EQ(source.issued(), issued + 1);
        EXPECT_EQ(source.total(Event::PipelineStall) - stalls, 0u);

        // While it waits for x13, which retires with the division, x10 is awaited, too.
        Program both;
        both.pipeline().accept(use);
        stalls = both.total(Event::PipelineStall);
        both.run(divide, kSteps);
        const Cycle result = both.issued() + 20;
        both.run(make(TimingClass::FpMove, 13));
        const Cycle seen = both.issued() + 1;
        both.trap(kHandler, add_double(13, 10, 11));
        EXPECT_EQ(both.issued(), result + 1);
        EXPECT_EQ(both.total(Event::PipelineStall) - stalls, result - seen);
    }
}

TEST(Pipeline, OnlyWhatNeedsItIsRefused) {
    const auto waits_for_x10 = [](FloatUse use, const Instruction& instruction) {
        Program program;
        program.pipeline().accept(use);
        program.run(make(TimingClass::Divide, 10), 18);
        const Cycle issued = program.issued();
        program.run(instruction);
        return program.issued() != issued + 1;
    };
    Instruction sign = make(TimingClass::FpMove, f(10), f(11), f(12));
    sign.raw = 0x2200'0053U | 10U << 7;
    EXPECT_FALSE(waits_for_x10(FloatUse::All, add_double(10, 11, 12)));
    EXPECT_FALSE(waits_for_x10(FloatUse::StaticRounding, sign));
    Instruction nearest = add_double(10, 11, 12);
    nearest.rounding = 0;
    EXPECT_FALSE(waits_for_x10(FloatUse::StaticRounding, nearest));
    EXPECT_TRUE(waits_for_x10(FloatUse::None, nearest));
    EXPECT_TRUE(waits_for_x10(FloatUse::None, sign));
}

TEST(Pipeline, StallCountsTheCyclesInWhichOperandsAreMissing) {
    Program program;
    const std::uint64_t before = program.total(Event::PipelineStall);
    program.run(make(TimingClass::FpDouble, f(0)));
    program.run(make(TimingClass::FpDouble, f(1), f(0)));
    EXPECT_EQ(program.total(Event::PipelineStall) - before, 3u); // 4 to use, seen from 1 on
    program.run(alu(10));
    program.run(alu(10)); // write-after-write is no stall
    EXPECT_EQ(program.total(Event::PipelineStall) - before, 3u);
}

TEST(Pipeline, IndependentWorkRunsAtOneInstructionACycle) {
    Program program;
    RegisterIndex next = 10;
    EXPECT_EQ(period(program,
                     [&] {
                         program.run(alu(next));
                         next = next == 20 ? 10 : next + 1;
                     }),
              1u);
}

} // namespace
} // namespace pes

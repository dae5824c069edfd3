// SPDX-License-Identifier: Apache-2.0
// What is told of a sampled instruction against what the pipeline says of it itself.
#include "hw/core/timing/decode_watch.h"
#include "tests/unit/timing/program.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace pes::timing_test {
namespace {

/// Chooses what is at one address, and keeps what it is told.
class Tap : public DecodeTap, public SampleSink {
  public:
    std::optional<Address> wanted;
    std::uint64_t indifferent = kNever;
    std::vector<DecodedInstruction> reports;
    std::optional<SampledInstruction> sample;
    DecodedTotals totals{};

    DecodeVerdict decoded(const DecodedInstruction& instruction,
                          const DecodedTotals& now) override {
        reports.push_back(instruction);
        totals = now;
        return instruction.pc == wanted ? DecodeVerdict::Sampled : DecodeVerdict::Passes;
    }
    SampleEffect ended(const SampledInstruction&) override { return {}; }
    void entered(Privilege, const DecodedTotals&) override {}
    std::uint64_t indifferent_to() const override { return indifferent; }
    SampleFate sample_ended(const SampledInstruction& instruction) override {
        sample = instruction;
        return SampleFate::Recorded;
    }
};

class Bench {
  public:
    Tap tap;
    DecodeWatch watch{tap};
    Program program{{}, kBaseEvents, &watch};

    Bench() { watch.connect(tap); }
    /// The next instruction is the one.
    void want_next() { tap.wanted = program.pc(); }
    const SampledInstruction& end(const MemoryAccess& access = {}) {
        EXPECT_TRUE(watch.follows());
        watch.retired(0, false, access);
        EXPECT_TRUE(tap.sample);
        return *tap.sample;
    }
};

TEST(DecodeWatch, TellsTheStagesOfASimpleInstruction) {
    Bench bench;
    bench.want_next();
    const Cycle retired = bench.program.run(alu(5));
    const SampledTimes times = bench.end().times;
    EXPECT_EQ(times.decoded, bench.program.decoded());
    EXPECT_EQ(times.dispatched, times.decoded + 1);
    EXPECT_EQ(times.issued, bench.program.issued());
    EXPECT_EQ(times.completed, times.decoded + 3); // issue D + 1, execute D + 2, retire D + 3
    EXPECT_EQ(times.ended, retired);
}

TEST(DecodeWatch, AWaitForAnOperandIsBeforeIssue) {
    Bench bench;
    bench.program.run(make(TimingClass::Divide, 5), 40);
    const Cycle divided = bench.program.issued();
    bench.want_next();
    bench.program.run(alu(6, 5));
    const SampledTimes times = bench.end().times;
    EXPECT_EQ(times.issued, bench.program.issued());
    EXPECT_GT(times.issued, divided + 40);
    EXPECT_EQ(times.completed, times.issued + 2);
}

TEST(DecodeWatch, AnOlderInstructionKeepsOneFromBeingTheOldest) {
    Bench bench;
    const Cycle before = bench.program.run(make(TimingClass::Divide, 5), 40);
    bench.want_next();
    const Cycle retired = bench.program.run(make(TimingClass::Divide, 6), 10);
    const SampledTimes times = bench.end().times;
    EXPECT_EQ(times.oldest, before);
    EXPECT_EQ(times.ended, retired);
}

TEST(DecodeWatch, ALoadIsIssuedWhenItsAddressIsTranslated) {
    constexpr Cycle kHit = TimingConfig{}.load_hit_cycles;
    const PageWalk walk{
        .pte = {0x8020'0000, 0x8020'1000, 0x8020'2000}, .reads = 3, .fills_tlb = true};
    Cycle walked = 0;
    for (const PageWalk* const with : {static_cast<const PageWalk*>(nullptr), &walk}) {
        Bench bench;
        bench.program.access(make(TimingClass::Load, 5), Program::kData);
        bench.program.idle();
        bench.want_next();
        const Cycle retired =
            bench.program.access(make(TimingClass::Load, 6), Program::kData, true, with);
        const MemoryAccess access{.physical = Program::kData, .size = 8, .walk = with};
        const SampledInstruction& sample = bench.end(access);
        EXPECT_EQ(sample.dtlb_miss, with != nullptr);
        EXPECT_FALSE(sample.l1d_miss);
        EXPECT_EQ(sample.source, DataSource::FirstLevel);
        EXPECT_EQ(sample.times.completed - sample.times.issued, kHit + 1);
        EXPECT_EQ(sample.times.ended, retired);
        const Cycle waited = sample.times.issued - bench.program.issued();
        EXPECT_GE(waited, walked + 1);
        walked = waited + 20; // three reads that miss
    }
}

TEST(DecodeWatch, ALoadThatMissesExecutesLonger) {
    Bench bench;
    bench.want_next();
    const Cycle retired = bench.program.access(make(TimingClass::Load, 6), Program::kData);
    const SampledInstruction& sample =
        bench.end({.physical = Program::kData, .size = 8, .cacheable = true, .walk = nullptr});
    EXPECT_TRUE(sample.l1d_miss);
    EXPECT_EQ(sample.source, DataSource::Memory);
    EXPECT_GT(sample.times.completed - sample.times.issued, TimingConfig{}.load_hit_cycles + 1);
    EXPECT_EQ(sample.times.completed, retired);
    EXPECT_EQ(sample.physical, Program::kData);
}

TEST(DecodeWatch, ADeviceAnswersWhatIsNotCacheable) {
    Bench bench;
    bench.want_next();
    bench.program.access(make(TimingClass::Load, 6), 0x1000'0000, false);
    const SampledInstruction& sample =
        bench.end({.physical = 0x1000'0000, .size = 8, .cacheable = false, .walk = nullptr});
    EXPECT_EQ(sample.source, DataSource::Device);
    EXPECT_TRUE(sample.l1d_miss);
}

TEST(DecodeWatch, AFetchThatMissesBelongsToTheFirstOfItsLine) {
    Bench bench;
    bench.program.jump(make(TimingClass::Jal), Program::kCode + 0x4000); // not in L1I
    bench.want_next();
    bench.program.run(alu(5));
    EXPECT_TRUE(bench.end().l1i_miss);
    bench.want_next();
    bench.program.run(alu(5));
    EXPECT_FALSE(bench.end().l1i_miss);
}

TEST(DecodeWatch, ATrapEndsWhenItIsTaken) {
    Bench bench;
    bench.want_next();
    const Cycle taken = bench.program.trap(Program::kCode + 0x400);
    bench.watch.trapped(false);
    ASSERT_TRUE(bench.tap.sample);
    EXPECT_EQ(bench.tap.sample->end, SampledInstruction::End::Trapped);
    EXPECT_EQ(bench.tap.sample->times.ended, taken);
    EXPECT_EQ(bench.tap.sample->times.decoded, bench.program.decoded());
}

TEST(DecodeWatch, AnInterruptEndsTheInstructionInItsPlace) {
    Bench bench;
    bench.want_next();
    const Cycle taken = bench.program.interrupt(Program::kCode + 0x400);
    bench.watch.trapped(true);
    ASSERT_TRUE(bench.tap.sample);
    EXPECT_EQ(bench.tap.sample->times.ended, taken);
    EXPECT_FALSE(bench.tap.sample->data);
}

/// A branch resolves in the cycle after its issue; what is decoded until then is thrown away.
TEST(DecodeWatch, WhatAMispredictedBranchThrowsAwayIsReportedAndFlushed) {
    Bench bench;
    const Address branch_pc = bench.program.pc();
    Instruction branch = make(TimingClass::Branch);
    branch.imm = 0x40; // forwards: predicted to go on
    branch.rs1 = 5;
    bench.program.run(make(TimingClass::Divide, 5), 20); // it waits for this
    const Address pc = bench.program.pc();
    EXPECT_EQ(pc, branch_pc + 4);
    bench.tap.wanted = pc + 4;
    const std::uint64_t before = bench.tap.totals[0];
    bench.program.jump(branch, pc + 0x40);
    const Cycle resolved = bench.program.issued() + 1;
    ASSERT_TRUE(bench.tap.sample);
    const SampledInstruction& sample = *bench.tap.sample;
    EXPECT_EQ(sample.end, SampledInstruction::End::Flushed);
    EXPECT_EQ(sample.flush, SampledInstruction::Flush::Mispredict);
    EXPECT_EQ(sample.flushed_by, pc);
    EXPECT_EQ(sample.times.ended, resolved);
    EXPECT_GE(sample.times.decoded, bench.program.issued());
    EXPECT_EQ(sample.times.completed, kNever);
    const std::uint64_t in_vain = bench.tap.totals[0] - before - 1;
    EXPECT_GE(in_vain, 1U);
    EXPECT_LE(in_vain, 2U); // the bound that quiet_until() relies on
}

TEST(DecodeWatch, TotalsCountEachGroup) {
    Bench bench;
    const DecodedTotals before = bench.watch.totals();
    bench.program.run(alu(5));
    bench.program.access(make(TimingClass::Load, 6), Program::kData);
    bench.program.access(make(TimingClass::Store), Program::kData);
    bench.program.access(make(TimingClass::Amo, 6), Program::kData);
    const DecodedTotals& now = bench.watch.totals();
    EXPECT_EQ(now[1] - before[1], 2U);
    EXPECT_EQ(now[2] - before[2], 2U);
    EXPECT_EQ(now[3] - before[3], 3U);
    EXPECT_EQ(now[4] - before[4], 0U);
}

TEST(DecodeWatch, BlocksAreQuietAsLongAsNothingCanBeChosen) {
    Bench bench;
    bench.program.run(alu(5));
    const Cycle now = bench.program.decoded();
    bench.tap.indifferent = kNever;
    EXPECT_EQ(bench.watch.quiet_until(), kNever);
    for (const std::uint64_t many : {0U, 1U, 2U}) {
        bench.tap.indifferent = many;
        EXPECT_EQ(bench.watch.quiet_until(), 0U);
    }
    // Before now + 99 at most 98 decode, and 2 in vain behind them: 100.
    bench.tap.indifferent = 100;
    EXPECT_EQ(bench.watch.quiet_until(), now + 99);
}

} // namespace
} // namespace pes::timing_test

// SPDX-License-Identifier: Apache-2.0
// Fetch, prediction, traps and interrupts.
#include "program.h"

#include <gtest/gtest.h>

#include <vector>

namespace pes {
namespace {

using namespace timing_test;

constexpr RegisterIndex kRa = 1;

TEST(ControlFlow, MispredictedBranchIsFollowedSixCyclesLater) {
    Program program;
    const std::uint64_t mispredicts = program.total(Event::BranchMispredict);
    // Cold and forward: predicted not taken.
    const Cycle retired = program.jump(branch(64), program.pc() + 64);
    EXPECT_EQ(program.run(alu(10)), retired + 6);
    EXPECT_EQ(program.total(Event::BranchMispredict), mispredicts + 1);
    EXPECT_TRUE(program.log().at(retired - 1).events.has(Event::BranchMispredict));
}

TEST(ControlFlow, MispredictLeavesTheQueueEmptyForThreeCycles) {
    Program program;
    const std::uint64_t before = program.total(Event::FetchEmpty);
    program.jump(branch(64), program.pc() + 64);
    program.run(alu(10));
    EXPECT_EQ(program.total(Event::FetchEmpty) - before, 3u);
}

TEST(ControlFlow, PredictedLoopCostsOneBubblePerTakenBranch) {
    Program program;
    const Address top = program.pc();
    const std::uint64_t before = program.total(Event::FetchEmpty);
    const Cycle cycles = period(program, [&] {
        if (program.pc() != top) {
            program.jump(branch(-8), top);
        }
        program.run(alu(10));
        program.run(alu(11));
    });
    EXPECT_EQ(cycles, 4u);
    EXPECT_NEAR(static_cast<double>(program.total(Event::FetchEmpty) - before), 128.0, 4.0);
}

TEST(ControlFlow, CompressedCodeHidesTheBubble) {
    Program program;
    const Address top = program.pc();
    const Cycle cycles = period(program, [&] {
        if (program.pc() != top) {
            program.jump(branch(-16), top);
        }
        for (RegisterIndex rd = 10; rd < 18; ++rd) {
            program.run(compressed(alu(rd)));
        }
    });
    EXPECT_EQ(cycles, 9u);
}

TEST(ControlFlow, DirectJumpIsNeverMispredicted) {
    Program program;
    const std::uint64_t before = program.total(Event::BranchMispredict);
    const Cycle retired = program.jump(make(TimingClass::Jal), program.pc() + 256);
    EXPECT_LE(program.run(alu(10)), retired + 2);
    EXPECT_EQ(program.total(Event::BranchMispredict), before);
}

TEST(ControlFlow, IndirectJumpIsLearntFromItsFirstMispredict) {
    Program program;
    const Address site = program.pc();
    const Address target = site + 256;
    for (const std::uint64_t expected : {1u, 1u, 1u}) {
        program.jump(make(TimingClass::Jalr, kSinkRegister, 10), target);
        program.run(alu(10));
        EXPECT_EQ(program.total(Event::BranchMispredict), expected);
        program.jump(make(TimingClass::Jal), site);
    }
}

TEST(ControlFlow, ReturnGoesBackToTheCallWithoutMispredict) {
    Program program;
    const Address after = program.pc() + 4;
    program.jump(make(TimingClass::Jal, kRa), program.pc() + 256);
    const Cycle retired = program.jump(make(TimingClass::Jalr, kSinkRegister, kRa), after);
    EXPECT_EQ(program.total(Event::BranchMispredict), 0u);
    EXPECT_LE(program.run(alu(10)), retired + 2);
}

TEST(ControlFlow, ThirdNestedReturnIsMispredicted) {
    Program program;
    std::vector<Address> links;
    for (int depth = 0; depth < 3; ++depth) {
        links.push_back(program.pc() + 4);
        program.jump(make(TimingClass::Jal, kRa), program.pc() + 64);
    }
    for (int depth = 2; depth >= 0; --depth) {
        program.jump(make(TimingClass::Jalr, kSinkRegister, kRa),
                     links[static_cast<std::size_t>(depth)]);
        EXPECT_EQ(program.total(Event::BranchMispredict), depth == 0 ? 1u : 0u);
    }
}

TEST(ControlFlow, InstructionCacheMissCostsFiveCyclesALine) {
    Program program;
    program.jump(make(TimingClass::Jal), Program::kCode + 0x10'0000); // cold code
    for (RegisterIndex rd = 10; rd < 26; ++rd) { // what the queue may have fetched ahead
        program.run(alu(rd));
    }
    const Cycle start = program.issued();
    const std::uint64_t misses = program.total(Event::L1IMiss);
    for (unsigned i = 0; i < 64; ++i) {
        program.run(alu(static_cast<RegisterIndex>(10 + i % 4)));
    }
    EXPECT_EQ(program.issued() - start, 64u + 16 * 5);
    EXPECT_EQ(program.total(Event::L1IMiss) - misses, 16u);
}

TEST(ControlFlow, FenceIEmptiesTheInstructionCache) {
    Program program;
    const Cycle retired = program.run(make(TimingClass::FenceI));
    const std::uint64_t misses = program.total(Event::L1IMiss);
    const Cycle next = program.run(alu(10));
    EXPECT_GE(next - retired, 268u);
    EXPECT_LE(next - retired, 271u);
    EXPECT_EQ(program.total(Event::L1IMiss) - misses, 1u);
}

TEST(ControlFlow, HandlerRetiresSevenCyclesAfterTheTrap) {
    Program program;
    const std::uint64_t before = program.total(Event::Exception);
    const Cycle taken = program.trap(Program::kCode + 0x400);
    EXPECT_EQ(taken, program.decoded() + 3); // one cycle after the instruction before it
    EXPECT_EQ(program.run(alu(10)), taken + 7);
    EXPECT_EQ(program.total(Event::Exception), before + 1);
}

TEST(ControlFlow, TrapKnownInDecodeIsTakenTheCycleAfterItsIssue) {
    Program program;
    program.mret(Program::kCode + 0x100); // nothing else is under way
    const Cycle taken = program.trap(Program::kCode + 0x400);
    EXPECT_EQ(taken, program.decoded() + 2);
}

TEST(ControlFlow, MarkedInstructionIsSquashedAtItsRetirement) {
    Program program;
    const Cycle taken = program.interrupt(Program::kCode + 0x400);
    EXPECT_EQ(taken, program.decoded() + 3);
    EXPECT_EQ(program.run(alu(10)), taken + 7);
}

TEST(ControlFlow, InterruptWaitsForOlderInstructions) {
    Program program;
    const Cycle division = program.run(make(TimingClass::FpDivideDouble, f(0)));
    EXPECT_EQ(program.interrupt(Program::kCode + 0x400), division + 1);
}

TEST(ControlFlow, TrapReturnIsFollowedSixOrSevenCyclesLater) {
    Program program;
    const std::uint64_t before = program.total(Event::ExceptionReturn);
    const Cycle retired = program.mret(Program::kCode + 0x100);
    const Cycle next = program.run(alu(10));
    EXPECT_GE(next, retired + 6);
    EXPECT_LE(next, retired + 7);
    EXPECT_EQ(program.total(Event::ExceptionReturn), before + 1);
}

/// L1I misses of `last`, the last word of a line in front of one that nobody needs, held back long
/// enough for that line to be fetched.
std::uint64_t misses_behind(const Instruction& last) {
    constexpr unsigned kBits = 64;
    Program program;
    program.mret(Program::kCode + 0x10'0000); // a cold line, and so is the one behind it
    program.run(make(TimingClass::Divide, 10), kBits);
    program.run(alu(11, 10));
    program.run(alu(12, 11));
    const std::uint64_t before = program.total(Event::L1IMiss);
    if (last.timing == TimingClass::TrapReturn) {
        program.mret(Program::kCode);
    } else {
        program.jump(last, Program::kCode);
    }
    return program.total(Event::L1IMiss) - before;
}

TEST(ControlFlow, NothingIsFetchedBehindATrapReturn) {
    EXPECT_GT(misses_behind(branch(64)), 0u); // mispredicted: the fall-through is fetched
    EXPECT_EQ(misses_behind(make(TimingClass::TrapReturn)), 0u);
}

TEST(ControlFlow, TrapReturnLeavesTheQueueEmptyForFourCycles) {
    // Two copies of the return fill the target FIFO. The second leaves the queue when the return is
    // issued; the third comes too late for the cycle in front of the flush.
    Program program;
    for (RegisterIndex rd = 10; rd < 16; ++rd) {
        program.run(make(TimingClass::Csr, rd));
    }
    const std::uint64_t before = program.total(Event::FetchEmpty);
    program.mret(Program::kCode + 0x100);
    program.run(alu(20));
    EXPECT_EQ(program.total(Event::FetchEmpty) - before, 4u);
}

/// Mispredicts of a learnt forward branch that runs once after a trap and once after its return.
std::uint64_t mispredicts_around_a_trap(PredictorsOnTrap rule) {
    Program program({.predictors_on_trap = rule});
    const Address site = program.pc();
    const auto loop_once = [&] {
        program.jump(branch(64), site + 64); // forward, taken
        program.run(alu(10));
        program.jump(make(TimingClass::Jal), site);
    };
    for (int i = 0; i < 4; ++i) {
        loop_once();
    }
    const std::uint64_t learnt = program.total(Event::BranchMispredict);
    program.trap(site);
    loop_once();
    program.mret(site);
    loop_once();
    return program.total(Event::BranchMispredict) - learnt;
}

TEST(ControlFlow, TrapAndReturnForgetThePredictorsOnlyIfConfigured) {
    EXPECT_EQ(mispredicts_around_a_trap(PredictorsOnTrap::Kept), 0u);
    EXPECT_EQ(mispredicts_around_a_trap(PredictorsOnTrap::Flushed), 2u);
}

TEST(ControlFlow, ReturnOnTheWrongPathIsTakenFromTheStack) {
    // site: bnez over a return. Mispredicted as not taken, its wrong path scans that return.
    Program program;
    const Address caller = program.pc();
    const Address callee = caller + 512;
    const auto leave = make(TimingClass::Jalr, kSinkRegister, kRa);
    const auto call_once = [&](bool early) {
        program.jump(make(TimingClass::Jal, kRa), callee);
        program.jump(branch(8), early ? callee + 4 : callee + 8);
        program.jump(leave, caller + 4);
        program.run(alu(10));
        program.jump(make(TimingClass::Jal), caller);
    };
    call_once(true); // not taken, as a cold forward branch is predicted: the return is learnt
    EXPECT_EQ(program.total(Event::BranchMispredict), 0u);
    call_once(false);
    EXPECT_EQ(program.total(Event::BranchMispredict), 2u); // the branch, and the true return
}

TEST(ControlFlow, ReturnThatNeverRanIsTakenFromTheStackToo) {
    Program program;
    const Address caller = program.pc();
    const Address callee = caller + 512;
    program.place(callee + 4, make(TimingClass::Jalr, kSinkRegister, kRa));
    program.jump(make(TimingClass::Jal, kRa), callee);
    program.jump(branch(8), callee + 8); // cold and forward, yet taken
    program.jump(make(TimingClass::Jalr, kSinkRegister, kRa), caller + 4);
    EXPECT_EQ(program.total(Event::BranchMispredict), 2u);
}

TEST(ControlFlow, MispredictBehindWhichOnlyOneInstructionIsFetchedEmptiesTheQueueEarlier) {
    // The branch is scanned in S, issued in S + 2 and resolves in S + 3. The jump behind it is
    // offered in S + 2 and leaves; its target is scanned in S + 3 and would be offered in S + 4.
    Program straight;
    Program jumping;
    const auto empty = [](Program& program) {
        const std::uint64_t before = program.total(Event::FetchEmpty);
        program.jump(branch(64), program.pc() + 64);
        program.run(alu(10));
        return program.total(Event::FetchEmpty) - before;
    };
    Instruction jump = make(TimingClass::Jal);
    jump.imm = 128;
    for (Program* program : {&straight, &jumping}) {
        program->mret(Program::kCode + 0x100); // the queue is empty
    }
    jumping.place(jumping.pc() + 4, jump);
    EXPECT_EQ(empty(jumping), empty(straight) + 1);
}

TEST(ControlFlow, FirstWordOfAMissingLineComesTwoCyclesBeforeTheSecond) {
    Program program;
    program.mret(Program::kCode + 0x10'0000); // cold, and the queue is empty
    std::vector<Cycle> decoded;
    for (RegisterIndex rd = 10; rd < 15; ++rd) {
        program.run(alu(rd));
        decoded.push_back(program.decoded());
    }
    const Cycle first = decoded.front();
    EXPECT_EQ(decoded, (std::vector<Cycle>{first, first + 2, first + 3, first + 4, first + 9}));
}

TEST(ControlFlow, JumpInFrontOfAMissingLineCostsOneMoreCycle) {
    const auto cycles_to_target = [](Address site) {
        Program program;
        const Address target = Program::kCode + 0x100;
        const Instruction jump = make(TimingClass::Jal);
        program.mret(site);
        program.jump(jump, target); // its line is present from here on, the next one is not
        program.mret(site);
        const Cycle retired = program.jump(jump, target);
        return program.run(alu(10)) - retired;
    };
    const Address cold_line = Program::kCode + 0x10'0000;
    EXPECT_EQ(cycles_to_target(cold_line), 2u);
    EXPECT_EQ(cycles_to_target(cold_line + 12), 3u); // the last word of the line
}

TEST(ControlFlow, ReturnWithoutAPredictionTakesAPlaceForItsTarget) {
    // Two predicted jumps, or one and such a return, fill the target FIFO until the first of them
    // leaves the queue, here held by a division.
    const auto asks_while_held = [](const Instruction& second) {
        Program program;
        const Address code = Program::kCode + 0x200;
        Instruction jump = make(TimingClass::Jal);
        jump.imm = 16;
        program.place(code + 4, alu(11, 10)); // waits for the division in the issue stage
        program.place(code + 8, alu(12));     // in front of it in decode
        program.place(code + 12, jump);
        program.place(code + 28, second);
        program.mret(code);
        constexpr unsigned kBits = 64;
        program.run(make(TimingClass::Divide, 10), kBits);
        const Cycle held = program.issued();
        program.run(alu(11, 10));
        program.run(alu(12));
        program.jump(jump, code + 28);
        if (second.timing == TimingClass::Alu) {
            program.run(second);
        } else {
            program.jump(second, code + 0x100);
        }
        program.run(alu(13));
        program.run(alu(14));
        return program.log().at(held + 5).events.has(Event::L1IAccess);
    };
    EXPECT_TRUE(asks_while_held(alu(14)));
    EXPECT_FALSE(asks_while_held(make(TimingClass::Jalr, kSinkRegister, kRa)));
}

TEST(ControlFlow, FullQueueDoesNotAsk) {
    Program program;
    program.mret(Program::kCode + 0x100);
    constexpr unsigned kBits = 64;
    const Cycle retired = program.run(make(TimingClass::Divide, 10), kBits);
    const Cycle issued = program.issued();
    program.run(alu(11, 10)); // leaves the queue when the division is issued
    for (RegisterIndex rd = 12; rd < 20; ++rd) {
        program.run(alu(rd));
    }
    // Offered in issued - 1, the division was scanned two cycles before its issue. The tenth
    // instruction from it is the fourth in its FIFO, and the one before the fourth in the other.
    const auto asks = [&](Cycle cycle) {
        return program.log().at(cycle).events.has(Event::L1IAccess);
    };
    EXPECT_TRUE(asks(issued));
    EXPECT_TRUE(asks(issued + 6));
    for (Cycle cycle = issued + 7; cycle < retired - 1; ++cycle) {
        EXPECT_FALSE(asks(cycle)) << cycle - issued;
    }
}

/// A forward branch, cold and taken, in the last word of a line; L1I holds nothing but its target.
Cycle mispredict_before_a_cold_line(Program& program) {
    constexpr Address kLine = 16;
    const Address site = Program::kCode + 0x200 + kLine - 4;
    program.run(make(TimingClass::FenceI));
    program.jump(make(TimingClass::Jal), site + 64);
    program.jump(make(TimingClass::Jal), site);
    program.jump(branch(64), site + 64);
    program.run(alu(10));
    return program.issued();
}

TEST(ControlFlow, LineThatReturnsAfterTheFlushIsAMissAndIsNotKept) {
    Program program;
    const std::uint64_t before = program.total(Event::L1IMiss);
    mispredict_before_a_cold_line(program);
    // The first jal, its target, the line of the branch, and the one behind it.
    EXPECT_EQ(program.total(Event::L1IMiss) - before, 4u);
    program.jump(make(TimingClass::Jal), Program::kCode + 0x210);
    program.run(alu(10));
    EXPECT_EQ(program.total(Event::L1IMiss) - before, 6u); // the last jal, and that line again
}

TEST(ControlFlow, RefetchWaitsForALineThatIsNoLongerWanted) {
    constexpr Cycle kSlow = 40;
    Program fast;
    Program slow({.memory_latency = kSlow});
    const auto cost = [](Program& program) {
        const Cycle start = mispredict_before_a_cold_line(program);
        return program.issued() >= start ? start : 0;
    };
    EXPECT_GT(cost(slow), cost(fast) + 4 * kSlow);
}

TEST(ControlFlow, FrontendAsksForAsLongAsAFenceIClearsTheCache) {
    Program program;
    constexpr Cycle kSets = 256; // cleared one a cycle
    const Cycle retired = program.run(make(TimingClass::FenceI));
    program.run(alu(10));
    for (Cycle cycle = retired + 1; cycle <= retired + kSets; ++cycle) {
        EXPECT_TRUE(program.log().at(cycle).events.has(Event::L1IAccess)) << cycle;
    }
}

TEST(ControlFlow, InstructionBehindAnAmoWaitsForTheStoreUnitOnly) {
    Program program;
    const std::uint64_t before = program.total(Event::PipelineStall);
    program.place(program.pc() + 4, alu(11, 10));
    program.access(make(TimingClass::Amo, 10), Program::kData);
    program.run(alu(11, 10)); // in the issue stage from the cycle after the AMO's issue on
    EXPECT_EQ(program.total(Event::PipelineStall) - before, 1u);
}

TEST(ControlFlow, LoadsBehindAnAmoReachL1DBeforeItRetires) {
    Program program;
    program.place(program.pc() + 4, make(TimingClass::Load, 11));
    const std::uint64_t before = program.total(Event::L1DAccess);
    program.access(make(TimingClass::Amo, 10), Program::kData);
    EXPECT_EQ(program.total(Event::L1DAccess) - before, 1u);
}

TEST(ControlFlow, InstructionsBehindAnAmoFillTheScoreboardUntilItRetires) {
    TimingConfig config;
    config.memory_latency = 40;
    Program program(config);
    constexpr unsigned kBehind = 8;
    for (unsigned index = 1; index <= kBehind; ++index) {
        program.place(program.pc() + 4 * index, alu(static_cast<RegisterIndex>(10 + index)));
    }
    const std::uint64_t before = program.total(Event::ScoreboardFull);
    const Cycle retired = program.access(make(TimingClass::Amo, 10), Program::kData);
    const std::uint64_t full = program.total(Event::ScoreboardFull) - before;
    EXPECT_GT(full, 20u);
    EXPECT_LE(full, retired - program.issued() - 7); // one of the eight entries is the AMO's
}

TEST(ControlFlow, InstructionBehindAnAmoThatDoesNotNeedItsResultDoesNotStall) {
    Program program;
    const std::uint64_t before = program.total(Event::PipelineStall);
    program.place(program.pc() + 4, alu(11, 12));
    program.access(make(TimingClass::Amo, 10), Program::kData);
    program.run(alu(11, 12));
    EXPECT_EQ(program.total(Event::PipelineStall), before);
}

TEST(ControlFlow, NothingDecodesBeforeTheEndOfAWait) {
    Program program;
    program.run(make(TimingClass::Wfi));
    const std::uint64_t empty = program.total(Event::FetchEmpty);
    program.pipeline().resume_at(50'000);
    program.run(alu(10));
    EXPECT_EQ(program.decoded(), 50'000u);
    EXPECT_EQ(program.total(Event::FetchEmpty), empty);
}

TEST(ControlFlow, InstructionAlreadyInDecodeWaitsThere) {
    Program program;
    program.run(make(TimingClass::Wfi));
    const Address pc = program.pc();
    program.pipeline().fetch(pc, pc, 4, nullptr);
    program.pipeline().resume_at(50'000);
    EXPECT_EQ(program.pipeline().interrupt(make(TimingClass::Alu)), 50'002u);
}

TEST(ControlFlow, InstructionAcrossTwoWordsNeedsBoth) {
    Program program;
    program.jump(make(TimingClass::Jal), Program::kCode + 0x202);
    program.run(alu(10));
    const Cycle first = program.decoded();
    program.jump(make(TimingClass::Jal), Program::kCode + 0x300);
    program.run(alu(10));
    const Cycle aligned = program.decoded();
    program.run(alu(11));
    EXPECT_EQ(program.decoded(), aligned + 1);
    EXPECT_GT(aligned, first);
}

// frontend.sv: btb_q and bht_q take the prediction of a word as the next one arrives.
TEST(ControlFlow, ABranchAcrossTwoWordsIsPredictedACycleBeforeItsScan) {
    const Address word = Program::kCode + 0x200;
    EXPECT_EQ(ControlFlow::of(branch(8), word).predicted_in(100), 100u);
    EXPECT_EQ(ControlFlow::of(branch(8), word + 2).predicted_in(100), 99u);
    EXPECT_EQ(ControlFlow::of(compressed(branch(8)), word + 2).predicted_in(100), 100u);
}

// instr_scan.sv: rvc_return is a c.jr, rvi_return any jalr from a link register to another one.
TEST(ControlFlow, OnlyAFullLengthCallIsAReturnToo) {
    using Kind = ControlFlow::Kind;
    const auto scanned = [](const Instruction& it) { return ControlFlow::of(it, Program::kCode); };
    const Instruction call = make(TimingClass::Jalr, 1, 5);
    EXPECT_EQ(scanned(call).kind, Kind::Return);
    EXPECT_EQ(scanned(compressed(call)).kind, Kind::Indirect);
    EXPECT_EQ(scanned(compressed(call)).link, ControlFlow::Link::Call);
    EXPECT_EQ(scanned(compressed(make(TimingClass::Jalr, kSinkRegister, 5))).kind, Kind::Return);
    Instruction reserved = compressed(make(TimingClass::Illegal));
    reserved.raw = 0x8002; // c.jr x0
    EXPECT_TRUE(scans_as_jump(reserved));
    EXPECT_EQ(scanned(reserved).kind, Kind::Indirect);
    EXPECT_EQ(scanned(reserved).link, ControlFlow::Link::None);
}

TEST(ControlFlow, PageWalkOfAFetchGoesThroughTheDataCache) {
    Program program;
    const PageWalk walk{.pte = {0x8020'0000, 0x8020'1000, 0x8020'2000}, .reads = 3};
    const Address pc = Program::kCode + 0x400;
    program.jump(make(TimingClass::Jal), pc);
    const std::uint64_t reads = program.total(Event::L1DAccess);
    program.pipeline().fetch(pc, pc, 4, &walk);
    EXPECT_EQ(program.total(Event::ItlbMiss), 1u);
    EXPECT_EQ(program.total(Event::L1DAccess) - reads, 3u);
    EXPECT_EQ(program.total(Event::L1DMiss), 3u);
}

/// The scan takes it for a jump to itself, allowed or not: nothing behind it is fetched.
TEST(ControlFlow, BehindAnXretThatTrapsNothingIsFetched) {
    const auto misses = [](TimingClass trapped) {
        Program program;
        program.mret(Program::kCode + 8 * 1024 - 8); // the next line is not in L1I
        const std::uint64_t before = program.total(Event::L1IMiss);
        program.trap(Program::kCode, trapped);
        return program.total(Event::L1IMiss) - before;
    };
    EXPECT_EQ(misses(TimingClass::Trap), 1u);
    EXPECT_EQ(misses(TimingClass::TrapReturn), 0u);
}

/// A jump predicted to a page that is not in the ITLB. Reads of the tables hit L1D.
struct JumpElsewhere {
    static constexpr Address kJump = Program::kCode + 0x100;
    static constexpr Address kPage = Program::kCode + 0x1000;

    explicit JumpElsewhere(bool fills_tlb) {
        for (const Address entry : walk.pte) {
            program.access(load(10), entry);
        }
        program.mret(kJump);
        program.jump(make(TimingClass::Jalr), kPage); // is predicted from now on
        program.mret(kJump);                          // the jump resolves soon after its fetch
        walk.fills_tlb = fills_tlb;
        program.image().forget(kPage, walk);
    }
    /// Cycles from the jump, which goes elsewhere, to what it goes to.
    Cycle jump() {
        const Cycle jumped = program.jump(make(TimingClass::Jalr), Program::kCode + 0x400);
        return program.run(alu(10)) - jumped;
    }

    PageWalk walk{.pte = {0x8020'0000, 0x8020'1010, 0x8020'2020}, .reads = 3};
    Program program;
};

TEST(ControlFlow, AWalkForAWrongTargetHoldsTheRightOneUp) {
    JumpElsewhere known(true);
    known.program.image().keep_walked();
    JumpElsewhere unknown(true);
    EXPECT_GT(unknown.jump(), known.jump());
    EXPECT_EQ(known.program.total(Event::ItlbMiss), 0u);
    EXPECT_EQ(unknown.program.total(Event::ItlbMiss), 1u);
    EXPECT_TRUE(unknown.program.image().knows(JumpElsewhere::kPage)); // the walk goes on
}

TEST(ControlFlow, AWalkThatFailsLeavesNothingInTheTlb) {
    JumpElsewhere unknown(false);
    unknown.jump();
    EXPECT_FALSE(unknown.program.image().knows(JumpElsewhere::kPage));
}

TEST(ControlFlow, ATrapEndsTheWalkOfWhatIsFetchedBehindIt) {
    constexpr Address kPage = Program::kCode + 0x1000;
    Program program;
    const PageWalk walk{
        .pte = {0x8020'0000, 0x8020'1010, 0x8020'2020}, .reads = 3, .fills_tlb = true};
    program.mret(kPage - 4);
    program.image().forget(kPage, walk);
    program.trap(Program::kCode + 0x400);
    EXPECT_EQ(program.total(Event::ItlbMiss), 1u);
    EXPECT_FALSE(program.image().knows(kPage));
}

/// instr_scan.sv compares the opcode alone.
TEST(ControlFlow, TheScanTakesIllegalBranchesAndJumpsForLegalOnes) {
    Instruction illegal = make(TimingClass::Illegal);
    illegal.raw = 0xFE00'2EE3; // funct3 2, back by 4
    ASSERT_TRUE(scans_as_jump(illegal));
    const ControlFlow branch = ControlFlow::of(illegal, Program::kCode);
    EXPECT_EQ(branch.kind, ControlFlow::Kind::Branch);
    EXPECT_EQ(branch.target(), Program::kCode - 4);
    illegal.raw = 0x0000'90E7; // jalr with funct3 1 from x1 to x1
    EXPECT_EQ(ControlFlow::of(illegal, Program::kCode).kind, ControlFlow::Kind::Indirect);
    EXPECT_EQ(ControlFlow::of(illegal, Program::kCode).link, ControlFlow::Link::Call);
    illegal.raw = 0x0000'9067; // ... to x0
    EXPECT_EQ(ControlFlow::of(illegal, Program::kCode).kind, ControlFlow::Kind::Return);
    illegal.raw = 0x0000'007F;
    EXPECT_FALSE(scans_as_jump(illegal));
}

} // namespace
} // namespace pes

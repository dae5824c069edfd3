// SPDX-License-Identifier: Apache-2.0
// The flow from messages made by hand. Programs and counts of the first tests are those of the
// examples in N-Trace 1.0, "I-CNT Details".
#include "tests/unit/decoder/trace/flow_fixture.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using namespace test;

class FlowTest : public ::testing::Test {
  protected:
    explicit FlowTest(Code code) { code.add_to(image_); }

    void tell(const TraceMessage& message, std::uint16_t source = 0) {
        TraceItem item;
        item.message = message;
        item.message.source = source;
        item.offset = offset_++;
        tell(item);
    }
    void tell(const TraceItem& item) { flow_.add(item, contexts_.next(item)); }
    void tell_all(std::initializer_list<TraceMessage> messages) {
        for (const TraceMessage& message : messages) {
            tell(message);
        }
    }

    ProgramImage image_;
    ContextTracker contexts_{TimestampFormat{}};
    Recorder seen_{image_};
    Flow flow_ = make_flow();

  private:
    Flow make_flow() {
        Flow flow(image_);
        flow.add_sink(seen_);
        return flow;
    }
    std::uint64_t offset_ = 0;
};

/// The program of the examples.
class SpecificationProgram : public FlowTest {
  protected:
    SpecificationProgram()
        : FlowTest(Code(0x100)
                       .c_nop()
                       .beq(0x200)
                       .nop()
                       .beq(0x300)
                       .c_nop()
                       .nop()
                       .c_ebreak()
                       .at(0x200)
                       .c_nop()
                       .c_ebreak()
                       .at(0x300)
                       .nop()
                       .c_ebreak()
                       .at(0x400)
                       .nop()
                       .mret()) {}
};

constexpr const char* kTaken = "start 0x100 0x102 0x200 stop";
constexpr const char* kSecondTaken = "start 0x100 0x102 0x106 0x10a 0x300 stop";
constexpr const char* kNoneTaken = "start 0x100 0x102 0x106 0x10a 0x10e 0x110 stop";

TEST_F(SpecificationProgram, BranchTraceOfATakenBranch) {
    tell_all({sync(0x100), direct(3), stop(1)});
    EXPECT_EQ(seen_.text(), kTaken);
    EXPECT_EQ(seen_.stops.front().address, 0x202U);
}

TEST_F(SpecificationProgram, BranchTraceOfTheSecondBranchTaken) {
    tell_all({sync(0x100), direct(7), stop(2)});
    EXPECT_EQ(seen_.text(), kSecondTaken);
}

TEST_F(SpecificationProgram, BranchTraceSaysNothingOfBranchesNotTaken) {
    tell_all({sync(0x100), stop(10)});
    EXPECT_EQ(seen_.text(), kNoneTaken);
    EXPECT_EQ(seen_.stops.front().address, 0x114U);
}

TEST_F(SpecificationProgram, HistoryTraceTakesABitForEachBranchOldestFirst) {
    tell_all({sync(0x100), stop(4, 0b11)});
    EXPECT_EQ(seen_.text(), kTaken);
    seen_.words().clear();
    tell_all({sync(0x100), stop(9, 0b101)});
    EXPECT_EQ(seen_.text(), kSecondTaken);
    seen_.words().clear();
    tell_all({sync(0x100), stop(10, 0b100)});
    EXPECT_EQ(seen_.text(), kNoneTaken);
}

TEST_F(SpecificationProgram, ACountThatEndsInsideAnInstructionIsAContradiction) {
    for (const std::uint64_t units : {4U, 6U, 9U}) {
        seen_.words().clear();
        seen_.gaps.clear();
        tell_all({sync(0x100), stop(units)});
        ASSERT_EQ(seen_.gaps.size(), 1U) << units;
        EXPECT_EQ(seen_.gaps.front().reason, GapReason::Contradiction);
        EXPECT_STREQ(seen_.gaps.front().detail, "I-CNT ends inside an instruction");
        EXPECT_FALSE(seen_.stops.back().address);
    }
}

TEST_F(SpecificationProgram, ATrapEndsTheCountBeforeTheInstructionThatDidNotRetire) {
    tell_all({sync(0x100), indirect(BranchType::Exception, 1, 0x100 ^ 0x400), stop(2)});
    EXPECT_EQ(seen_.text(), "start 0x100 ->0x400 0x400 stop");
    EXPECT_EQ(seen_.traps.front().kind, TrapKind::Exception);
    EXPECT_EQ(seen_.traps.front().from, 0x102U);
}

TEST_F(SpecificationProgram, TheKindOfATrapFollowsTheBranchType) {
    tell_all({sync(0x100), indirect(BranchType::Trap, 0, 0x100 ^ 0x400),
              indirect(BranchType::Indirect, 4, 0x400 ^ 0x100),
              indirect(BranchType::Interrupt, 5, 0x100 ^ 0x400)});
    EXPECT_EQ(seen_.text(), "start ->0x400 0x400 0x404 0x100 0x102 0x106 ->0x400");
    ASSERT_EQ(seen_.traps.size(), 2U);
    EXPECT_EQ(seen_.traps[0].kind, TrapKind::Unknown);
    EXPECT_EQ(seen_.traps[0].from, 0x100U);
    EXPECT_EQ(seen_.traps[1].kind, TrapKind::Interrupt);
    EXPECT_EQ(seen_.traps[1].from, 0x10AU);
    EXPECT_EQ(seen_.runs[0].end, RunEnd::TrapReturn);
}

TEST_F(SpecificationProgram, BackToBackTrapsHaveNoInstructionBetweenThem) {
    tell_all({sync(0x100), history(BranchType::Interrupt, 3, 0x100 ^ 0x400, 0b10),
              history(BranchType::Exception, 0, 0x400 ^ 0x300, 1)});
    EXPECT_EQ(seen_.text(), "start 0x100 0x102 ->0x400 ->0x300");
}

/// The example of "I-CNT Field Overflows": an overflow told by a synchronising message.
TEST(Flow, ACountOverflowInHistoryTraceMayComeAsSynchronisation) {
    ProgramImage image;
    Code(0x100).c_nop().beq(0x200).c_nop().nop().nop().nop().nop().nop().c_ebreak().add_to(image);
    Recorder seen(image);
    Flow flow(image);
    flow.add_sink(seen);
    ContextTracker contexts{TimestampFormat{}};
    for (const TraceMessage& message :
         {sync(0x100),
          history_sync(SyncReason::InstructionCountOverflow, BranchType::Indirect, 8, 0x110, 0b10),
          stop(6, 1)}) {
        TraceItem item;
        item.message = message;
        flow.add(item, contexts.next(item));
    }
    EXPECT_EQ(seen.text(), "start 0x100 0x102 0x106 0x108 0x10c 0x110 0x114 0x118 stop");
}

TEST_F(SpecificationProgram, AnErrorLosesThePlaceUpToTheNextSynchronisation) {
    tell_all({sync(0x100), error(), direct(3), sync(0x200, 0, SyncReason::FifoOverrun), stop(1)});
    EXPECT_EQ(seen_.text(), "start gap:EncoderLoss start 0x200 stop");
    EXPECT_EQ(flow_.unplaced_messages(), 1U);
    EXPECT_EQ(seen_.starts.back().reason, SyncReason::FifoOverrun);
}

TEST_F(SpecificationProgram, AnOverrunReasonWithoutAnErrorIsALossToo) {
    tell_all({sync(0x100), sync(0x200, 0, SyncReason::FifoOverrun)});
    EXPECT_EQ(seen_.text(), "start gap:EncoderLoss start");
}

TEST_F(SpecificationProgram, DamageLosesThePlaceOfAllSourcesAnUnknownMessageThatOfItsOwn) {
    tell(sync(0x100), 0);
    tell(sync(0x200), 1);
    TraceItem unknown;
    unknown.kind = TraceItem::Kind::Damage;
    unknown.status = ParseStatus::UnknownCode;
    unknown.message.source = 1;
    tell(unknown);
    EXPECT_TRUE(flow_.position(0));
    EXPECT_FALSE(flow_.position(1));
    TraceItem torn;
    torn.kind = TraceItem::Kind::Damage;
    torn.status = ParseStatus::MissingFields;
    torn.offset = 77;
    tell(torn);
    EXPECT_FALSE(flow_.position(0));
    EXPECT_EQ(seen_.gaps.back().offset, 77U);
    EXPECT_EQ(seen_.gaps.back().address, 0x100U);
}

TEST_F(SpecificationProgram, AnAddressWithoutCodeEndsTheFlowUntilSynchronisation) {
    tell_all({sync(0x9000), direct(3), sync(0x100), direct(3)});
    EXPECT_EQ(seen_.text(), "start gap:OutsideProgram start 0x100 0x102");
    EXPECT_EQ(seen_.gaps.front().address, 0x9000U);
}

TEST_F(SpecificationProgram, ZeroesAreNoInstructions) {
    tell_all({sync(0x208), direct(1)});
    EXPECT_EQ(seen_.text(), "start gap:OutsideProgram");
}

TEST_F(SpecificationProgram, ASynchronisationThatDisagreesIsAContradictionAndANewStart) {
    tell_all({sync(0x100), direct_sync(3, 0x300), stop(2)});
    EXPECT_EQ(seen_.text(), "start 0x100 0x102 gap:Contradiction start 0x300 stop");
}

TEST_F(SpecificationProgram, APeriodicSynchronisationThatAgreesChangesNothing) {
    tell_all({sync(0x100), sync(0x106, 3, SyncReason::Periodic), direct_sync(4, 0x300), stop(2)});
    EXPECT_EQ(seen_.text(), kSecondTaken);
}

TEST_F(SpecificationProgram, LeavingDebugModeMayComeFromSomewhereElse) {
    tell_all({sync(0x100), sync(0x300, 1, SyncReason::ExitDebug), stop(2)});
    EXPECT_EQ(seen_.text(), "start 0x100 start 0x300 stop");
}

TEST_F(SpecificationProgram, HistoryAndCountThatDisagreeAreContradictions) {
    tell_all({sync(0x100), stop(10, 0b10)});
    EXPECT_STREQ(seen_.gaps.back().detail, "HIST is shorter than the branches in I-CNT");
    tell_all({sync(0x100), stop(3, 0b100)});
    EXPECT_STREQ(seen_.gaps.back().detail, "HIST has more branches than I-CNT has instructions");
    tell_all({sync(0x100), history(BranchType::Interrupt, 0, 0, 0)});
    EXPECT_STREQ(seen_.gaps.back().detail, "HIST without a stop bit");
    EXPECT_EQ(seen_.gaps.size(), 3U);
}

TEST_F(SpecificationProgram, ADirectBranchHasToEndInOne) {
    tell_all({sync(0x100), direct(1)});
    EXPECT_STREQ(seen_.gaps.back().detail, "I-CNT of a direct branch does not end in one");
    tell_all({sync(0x400), direct(4)});
    EXPECT_STREQ(seen_.gaps.back().detail, "a direct branch ends in an indirect jump");
    tell_all({sync(0x400), indirect(BranchType::Indirect, 2, 0x400 ^ 0x100)});
    EXPECT_STREQ(seen_.gaps.back().detail, "the address is not where the program leads");
}

TEST_F(SpecificationProgram, AbsurdCountsAreRefusedBeforeTheyAreWalked) {
    tell_all({sync(0x100), direct(SourceFlow::kMostUnits + 1), sync(0x100), repeat(3), sync(0x100),
              full(Resource::HistoryRepeat, 0b11, SourceFlow::kMostRepeats + 1)});
    ASSERT_EQ(seen_.gaps.size(), 3U);
    EXPECT_TRUE(seen_.runs.empty());
}

TEST_F(SpecificationProgram, OwnershipGivesPrivilegeAndContext) {
    // PROCESS examples of N-Trace 1.0: scontext 0x1D in VU-mode; M-mode.
    tell(make_message(MessageCode::Ownership).set(Field::Process, 0x3B2U));
    tell(make_message(MessageCode::Ownership).set(Field::Process, 0xCU));
    tell(make_message(MessageCode::Ownership).set(Field::Process, 0b01U)); // format 1
    ASSERT_EQ(seen_.contexts.size(), 2U);
    EXPECT_EQ(seen_.contexts[0].context, 0x1DU);
    EXPECT_TRUE(seen_.contexts[0].virtualised);
    EXPECT_EQ(seen_.contexts[0].privilege, 0);
    EXPECT_EQ(seen_.contexts[1].privilege, 3);
    EXPECT_FALSE(seen_.contexts[1].virtualised);
}

TEST_F(SpecificationProgram, SourcesFlowApart) {
    tell(sync(0x100), 0);
    tell(sync(0x300), 5);
    tell(direct(3), 0);
    tell(stop(2), 5);
    tell(stop(1), 0);
    EXPECT_EQ(seen_.text(0), kTaken);
    EXPECT_EQ(seen_.text(5), "start 0x300 stop");
}

/// A loop: 0x100 nop, 0x104 branch back; then 0x108 nop, 0x10c jump to itself.
class Loop : public FlowTest {
  protected:
    Loop() : FlowTest(Code(0x100).nop().beq(0x100).nop().jal(0, 0x10C)) {}

    std::size_t count(const std::string& word) {
        return static_cast<std::size_t>(
            std::count(seen_.words().begin(), seen_.words().end(), word));
    }
};

TEST_F(Loop, RepeatBranchPlaysTheLastBranchAgain) {
    tell_all({sync(0x100), direct(4), repeat(9), stop(4)});
    EXPECT_EQ(count("0x104"), 11U);
    EXPECT_EQ(seen_.stops.front().address, 0x108U);
    EXPECT_TRUE(seen_.gaps.empty());
}

TEST_F(Loop, TakenAndNotTakenCountsStandForHistory) {
    tell_all({sync(0x100), full(Resource::Taken, 1000), full(Resource::NotTaken, 1),
              full(Resource::InstructionCount, 4000), stop(6, 1)});
    EXPECT_EQ(count("0x104"), 1001U);
    EXPECT_EQ(count("0x108"), 1U);
    EXPECT_TRUE(seen_.gaps.empty());
}

TEST_F(Loop, RepeatedHistoryIsPlayedAsOftenAsItSays) {
    tell_all({sync(0x100), full(Resource::HistoryRepeat, 0b1111, 10), stop(31 * 4 + 2, 0b10)});
    EXPECT_EQ(count("0x104"), 31U);
    EXPECT_EQ(count("0x108"), 1U);
    EXPECT_TRUE(seen_.gaps.empty());
}

TEST_F(Loop, ACountAheadOfItsHistoryWaits) {
    tell_all({sync(0x100), full(Resource::History, 0b11), full(Resource::InstructionCount, 10),
              stop(4, 0b110)});
    EXPECT_EQ(seen_.text(), "start 0x100 0x104 0x100 0x104 0x100 0x104 0x108 stop");
}

TEST_F(SpecificationProgram, ACountIsToldUpToTheBranchThatItsHistoryLacks) {
    tell_all({sync(0x100), stop(9, 0b10)}); // 0x100, 0x102 not taken, 0x106; 0x10a is not told
    EXPECT_EQ(seen_.text(), "start 0x100 0x102 0x106 gap:Contradiction stop");
    EXPECT_EQ(seen_.gaps.back().address, 0x10AU);
}

TEST_F(SpecificationProgram, ACountWithoutItsHistoryIsToldUpToTheBranchAndCounted) {
    tell_all({sync(0x100), full(Resource::History, 0b10), full(Resource::InstructionCount, 20)});
    EXPECT_EQ(seen_.text(), "start 0x100 0x102 0x106");
    EXPECT_EQ(flow_.position(0), 0x10AU);
    EXPECT_EQ(flow_.unresolved_units(), 20U - 5);
    tell(error()); // the history is lost with what the encoder lost
    EXPECT_EQ(flow_.unresolved_units(), 20U - 5);
    tell_all({sync(0x100), full(Resource::InstructionCount, 3)});
    EXPECT_EQ(flow_.unresolved_units(), 20U - 5 + 2);
}

TEST_F(SpecificationProgram, AnAddressDecidesTheBranchThatItsHistoryLacks) {
    tell_all({sync(0x100), history_sync(SyncReason::Periodic, BranchType::Indirect, 3, 0x200, 1),
              stop(1, 1)});
    EXPECT_EQ(seen_.text(), kTaken);
    seen_.words().clear();
    tell_all({sync(0x100), history_sync(SyncReason::Periodic, BranchType::Indirect, 7, 0x10E, 0b10),
              stop(3, 1)});
    EXPECT_EQ(seen_.text(), kNoneTaken);
    seen_.words().clear();
    tell_all({sync(0x100), history_sync(SyncReason::Periodic, BranchType::Indirect, 3, 0x300, 1),
              stop(2, 1)});
    EXPECT_EQ(seen_.text(), "start 0x100 gap:Contradiction start 0x300 stop");
}

TEST_F(Loop, ACountThatIsFullAtABranchLeavesItsWayToTheNextMessage) {
    tell_all({sync(0x100), direct(4), full(Resource::InstructionCount, 4), direct(0), stop(0)});
    EXPECT_EQ(seen_.text(), "start 0x100 0x104 0x100 0x104 stop");
    EXPECT_EQ(seen_.stops.front().address, 0x100U);
    seen_.words().clear();
    tell_all({sync(0x100), direct(4), full(Resource::InstructionCount, 4), stop(2)});
    EXPECT_EQ(seen_.text(), "start 0x100 0x104 0x100 0x104 0x108 stop");
}

TEST_F(Loop, AnEndlessJumpNeedsNothingButCounts) {
    tell_all({sync(0x10C), direct_sync(2, 0x10C)});
    for (int i = 0; i < 10; ++i) {
        tell(full(Resource::InstructionCount, 512));
    }
    tell(stop(0));
    // A jump at the very end of a count waits for the next message.
    EXPECT_EQ(count("0x10c"), 1U + 10 * 256);
    EXPECT_TRUE(seen_.gaps.empty());
}

TEST_F(Loop, HistoryThatNeverMeetsABranchIsGivenUp) {
    tell_all({sync(0x10C), full(Resource::History, 0b11)});
    EXPECT_STREQ(seen_.gaps.back().detail, "HIST goes on without end");
}

/// 0x100 calls 0x200, which calls 0x300 through a register; both return.
class Calls : public FlowTest {
  protected:
    Calls()
        : FlowTest(Code(0x100)
                       .jal(1, 0x200)
                       .nop()
                       .c_ebreak()
                       .at(0x200)
                       .c_nop()
                       .jalr(1, 10)
                       .c_nop()
                       .c_ret()
                       .at(0x300)
                       .nop()
                       .ret()) {}
    static constexpr const char* kWhole =
        "start 0x100 0x200 0x202 0x300 0x304 0x206 0x208 0x104 stop";
};

TEST_F(Calls, EveryIndirectJumpIsToldByItsTarget) {
    tell_all({sync(0x100), history(BranchType::Indirect, 5, 0x100 ^ 0x300, 1),
              indirect(BranchType::Indirect, 4, 0x300 ^ 0x206),
              history(BranchType::Indirect, 2, 0x206 ^ 0x104, 1), stop(2, 1)});
    EXPECT_EQ(seen_.text(), kWhole);
    std::vector<RunEnd> ends;
    for (const InstructionRun& run : seen_.runs) {
        ends.push_back(run.end);
    }
    EXPECT_EQ(ends, (std::vector{RunEnd::Call, RunEnd::Call, RunEnd::Return, RunEnd::Return,
                                 RunEnd::Plain}));
    EXPECT_EQ(seen_.runs[0].return_address(), 0x104U);
    EXPECT_EQ(seen_.runs[1].next, 0x300U);
}

TEST_F(Calls, ReturnsThatAreLeftOutFollowTheCalls) {
    tell_all({sync(0x100), indirect(BranchType::Indirect, 5, 0x100 ^ 0x300), stop(4 + 2 + 2)});
    EXPECT_EQ(seen_.text(), kWhole);
}

TEST_F(Calls, AReturnWithoutItsCallCannotBeLeftOut) {
    tell_all({sync(0x300), stop(6)});
    EXPECT_EQ(seen_.text(), "start gap:Contradiction stop");
    EXPECT_STREQ(seen_.gaps.back().detail, "an indirect jump inside I-CNT");
}

TEST_F(Calls, ATraceThatStopsAtAnIndirectJumpEndsAtAnUnknownPlace) {
    tell_all({sync(0x300), stop(4)});
    EXPECT_EQ(seen_.text(), "start 0x300 0x304 stop");
    EXPECT_FALSE(seen_.runs.back().next);
    EXPECT_FALSE(seen_.stops.back().address);
}

TEST_F(Calls, MessagesBeforeTheFirstSynchronisationAreCounted) {
    tell_all({direct(3), indirect(BranchType::Indirect, 4, 2), full(Resource::InstructionCount, 9),
              repeat(2), sync(0x300)});
    EXPECT_EQ(seen_.text(), "start");
    EXPECT_EQ(flow_.unplaced_messages(), 4U);
}

} // namespace
} // namespace pes::trace

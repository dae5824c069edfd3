// SPDX-License-Identifier: Apache-2.0
// Short sequences with the messages that the rules of N-Trace 1.0 (chapters "I-CNT Details", "HIST
// Field Generation", "Corner Cases and Sequences") and of SiFive's encoder give.
#include "hw/interface/maps/trace.h"
#include "tests/unit/trace/flow_messages.h"

namespace pes::trace {
namespace {

using namespace test;

// The program of "I-CNT Handling in BTM mode": 0x100 c.add, 0x102 branch, 0x106 add, 0x10A branch,
// 0x10E c.add, 0x110 add; 0x200 c.add behind the first branch, 0x300 add behind the second.

TEST_F(FlowTracerTest, BranchTraceOfTheFirstBranchTaken) {
    start(InstructionMode::Branches);
    begin_at(0x100);
    run(kCAdd);
    jump(kBeq16, 0x200);
    run(kCAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x100), direct(3), correlation(1)}));
}

TEST_F(FlowTracerTest, BranchTraceOfTheSecondBranchTaken) {
    start(InstructionMode::Branches);
    begin_at(0x100);
    run(kCAdd);
    run(kBeq16);
    run(kAdd);
    jump(kBeq16, 0x300);
    run(kAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x100), direct(7), correlation(2)}));
}

TEST_F(FlowTracerTest, BranchTraceOfNoBranchTaken) {
    start(InstructionMode::Branches);
    begin_at(0x100);
    run(kCAdd);
    run(kBeq16);
    run(kAdd);
    run(kBeq16);
    run(kCAdd);
    run(kAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x100), correlation(10)}));
}

TEST_F(FlowTracerTest, HistoryTraceOfTheSameProgram) {
    start(InstructionMode::History);
    begin_at(0x100);
    run(kCAdd);
    jump(kBeq16, 0x200);
    run(kCAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x100), correlation(4, 0b11)}));

    port_.sent.clear();
    start(InstructionMode::History);
    begin_at(0x100);
    run(kCAdd);
    run(kBeq16);
    run(kAdd);
    jump(kBeq16, 0x300);
    run(kAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x100), correlation(9, 0b101)}));

    port_.sent.clear();
    start(InstructionMode::History);
    begin_at(0x100);
    run(kCAdd);
    run(kBeq16);
    run(kAdd);
    run(kBeq16);
    run(kCAdd);
    run(kAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x100), correlation(10, 0b100)}));
}

TEST_F(FlowTracerTest, ABranchThatGoesBehindItselfEitherWayIsNotTaken) {
    start(InstructionMode::History);
    begin_at(0x100);
    run(0x00b50263); // beq a0,a1,.+4
    stop();
    EXPECT_EQ(last(), correlation(2, 0b10));
}

TEST_F(FlowTracerTest, JumpsThatTheProgramDeterminesAreOnlyCounted) {
    for (const InstructionMode mode :
         {InstructionMode::Branches, InstructionMode::History, InstructionMode::OptimisedHistory}) {
        port_.sent.clear();
        start(mode);
        begin_at(0x100);
        taken(kCj90);
        taken(kCall2048);
        stop();
        ASSERT_EQ(messages().size(), 2U);
        EXPECT_EQ(last().value(Field::InstructionCount), 3U);
    }
}

TEST_F(FlowTracerTest, BackToBackReturnsCountOnlyThemselves) {
    start(InstructionMode::Branches);
    begin_at(0x100);
    run(kAdd);
    jump(kRet, 0x2000);
    jump(kRet, 0x3000);
    jump(0x00008067, 0x100);
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x100), indirect(BranchType::Indirect, 3, 0x100, 0x2000),
                        indirect(BranchType::Indirect, 1, 0x2000, 0x3000),
                        indirect(BranchType::Indirect, 2, 0x3000, 0x100)}));
}

TEST_F(FlowTracerTest, ExceptionsDoNotCountTheInstructionThatDidNotRetire) {
    start(InstructionMode::Branches);
    begin_at(0x100);
    run(kCAdd);
    trap(2, 0x8000);
    trap(1, 0x9000); // at the first instruction of the handler
    run(kAdd);
    jump(kMret, 0x102);
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x100), indirect(BranchType::Trap, 1, 0x100, 0x8000),
                        indirect(BranchType::Trap, 0, 0x8000, 0x9000),
                        indirect(BranchType::Indirect, 4, 0x9000, 0x102)}));
}

TEST_F(FlowTracerTest, NTraceTellsExceptionsFromInterrupts) {
    start(InstructionMode::Branches, TimestampDialect::NTrace);
    begin_at(0x100);
    trap(2, 0x8000);
    trap(kInterrupt | 7, 0x9000);
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x100), indirect(BranchType::Exception, 0, 0x100, 0x8000),
                        indirect(BranchType::Interrupt, 0, 0x8000, 0x9000)}));
}

TEST_F(FlowTracerTest, AnInterruptBeforeTheFirstInstructionComesBehindTheFirstMessage) {
    start(InstructionMode::History, TimestampDialect::NTrace, SyncReason::ExitDebug);
    begin_at(0x100);
    trap(kInterrupt | 7, 0x9000);
    EXPECT_EQ(messages(), (Messages{sync(SyncReason::ExitDebug, 0x100),
                                    indirect_history(BranchType::Interrupt, 0, 0x100, 0x9000, 1)}));
}

TEST_F(FlowTracerTest, NothingUpToTheCycleOfTheStartIsTraced) {
    settings_.mode = InstructionMode::Branches;
    tracer_.configure(settings_);
    tracer_.start(kEnable, cycle_ + 1);
    begin_at(0x100);
    run(kAdd); // the store that enables trace
    run(kAdd);
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x104)}));
}

TEST_F(FlowTracerTest, StopBeforeAnyInstructionSendsNothing) {
    start(InstructionMode::Branches);
    stop();
    EXPECT_TRUE(messages().empty());
}

TEST_F(FlowTracerTest, MessagesCarryTheCycleOfTheirInstruction) {
    start(InstructionMode::Branches);
    begin_at(0x100);
    run(kAdd);
    run(kAdd);
    jump(kJumpA0, 0x200);
    ASSERT_EQ(port_.sent.size(), 2U);
    EXPECT_EQ(port_.sent[0].at, 101U);
    EXPECT_EQ(port_.sent[1].at, 103U);
}

// --- Limits -------------------------------------------------------------------------------------

TEST_F(FlowTracerTest, AFullInstructionCountIsASyncMessageInSiFivesBranchTrace) {
    start(InstructionMode::Branches);
    begin_at(0x1000);
    for (int count = 0; count < 300; ++count) {
        run(kAdd);
    }
    stop();
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000),
                        sync(SyncReason::InstructionCountOverflow, 0x1400, 512), correlation(88)}));
}

TEST_F(FlowTracerTest, AFullInstructionCountIsResourceFullInNTrace) {
    start(InstructionMode::Branches, TimestampDialect::NTrace);
    begin_at(0x1000);
    run(kCAdd);
    for (int count = 0; count < 256; ++count) {
        run(kAdd);
    }
    stop();
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), resource_full(Resource::InstructionCount, 513),
                        correlation(0)}));
}

TEST_F(FlowTracerTest, AFullInstructionCountLeavesTheHistory) {
    start(InstructionMode::History);
    begin_at(0x1000);
    run(kBeq16);
    for (int count = 0; count < 256; ++count) {
        run(kAdd);
    }
    stop();
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), resource_full(Resource::InstructionCount, 512),
                        correlation(2, 0b10)}));
}

TEST_F(FlowTracerTest, AFullHistoryLeavesTheInstructionCount) {
    for (const auto dialect : {TimestampDialect::SiFive, TimestampDialect::NTrace}) {
        port_.sent.clear();
        start(InstructionMode::History, dialect);
        begin_at(0x1000);
        for (int count = 0; count < 32; ++count) {
            taken(kBeqSelf);
        }
        stop();
        EXPECT_EQ(messages(),
                  (Messages{sync(kEnable, 0x1000), resource_full(Resource::History, 0xFFFF'FFFF),
                            correlation(64, 0b11)}));
    }
}

TEST_F(FlowTracerTest, BothFullAtOnceAreReportedCountFirst) {
    start(InstructionMode::History);
    begin_at(0x1000);
    for (int count = 0; count < 225; ++count) {
        run(kAdd);
    }
    for (int count = 0; count < 31; ++count) {
        run(kBeq16);
    }
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), resource_full(Resource::InstructionCount, 512),
                        resource_full(Resource::History, 0x8000'0000)}));
}

TEST_F(FlowTracerTest, OptimisationCountsBranchesThatAllGoOneWay) {
    start(InstructionMode::OptimisedHistory);
    begin_at(0x1000);
    for (int count = 0; count < 100; ++count) {
        taken(kBeqSelf);
    }
    run(kBeq16);
    jump(kJumpA0, 0x3000);
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), resource_full(Resource::Taken, 100),
                        indirect_history(BranchType::Indirect, 203, 0x1000, 0x3000, 0b10)}));

    port_.sent.clear();
    for (int count = 0; count < 40; ++count) {
        run(kBeq16);
    }
    stop();
    EXPECT_EQ(messages(), (Messages{resource_full(Resource::NotTaken, 40), correlation(80, 1)}));
}

// --- Returns ------------------------------------------------------------------------------------

TEST_F(FlowTracerTest, OptimisationLeavesOutReturnsToTheirCall) {
    start(InstructionMode::OptimisedHistory);
    begin_at(0x1000);
    taken(kCall2048);      // to 0x1800
    jump(kCallA5, 0x4000); // indirect: reported
    jump(kRet, 0x1802);
    jump(kRet, 0x1004);
    jump(kRet, 0x5000); // no call is open
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000),
                                    indirect_history(BranchType::Indirect, 3, 0x1000, 0x4000, 1),
                                    indirect_history(BranchType::Indirect, 3, 0x4000, 0x5000, 1)}));
}

TEST_F(FlowTracerTest, OptimisationReportsReturnsThatGoElsewhere) {
    start(InstructionMode::OptimisedHistory);
    begin_at(0x1000);
    taken(kCall2048);
    taken(kCall2048);   // from 0x1800 to 0x2000
    jump(kRet, 0x7000); // instead of 0x1804
    jump(kRet, 0x1004); // the stack has gone on
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000),
                                    indirect_history(BranchType::Indirect, 5, 0x1000, 0x7000, 1)}));
}

TEST_F(FlowTracerTest, WithoutOptimisationEveryReturnIsReported) {
    start(InstructionMode::History);
    begin_at(0x1000);
    taken(kCall2048);
    jump(kRet, 0x1004);
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000),
                                    indirect_history(BranchType::Indirect, 3, 0x1000, 0x1004, 1)}));
}

TEST_F(FlowTracerTest, ASynchronisingMessageEmptiesTheStack) {
    start(InstructionMode::OptimisedHistory);
    begin_at(0x1000);
    taken(kCall2048);
    tracer_.synchronise(SyncReason::ExternalTrigger, cycle_);
    jump(kRet, 0x1004);
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000),
                                    history_sync(SyncReason::ExternalTrigger, BranchType::Indirect,
                                                 2, 0x1800, 1),
                                    indirect_history(BranchType::Indirect, 1, 0x1800, 0x1004, 1)}));
}

// --- Synchronising messages ---------------------------------------------------------------------

/// An instruction a cycle, the first in cycle 101: the branch in cycle 112 is the first behind 10.
TEST_F(FlowTracerTest, PeriodicSyncByCyclesComesWithTheNextBranch) {
    settings_.sync_cycles = 10;
    start(InstructionMode::Branches);
    begin_at(0x1000);
    taken(kBeqSelf);
    for (int count = 0; count < 10; ++count) {
        run(kAdd);
    }
    taken(kBeqSelf);
    taken(kBeqSelf);
    ASSERT_EQ(messages().size(), 4U);
    EXPECT_EQ(messages()[1], direct(2));
    EXPECT_EQ(messages()[2].code, MessageCode::DirectBranchSync);
    EXPECT_EQ(messages()[2].value(Field::SyncReason), 2U);
    EXPECT_EQ(messages()[3], direct(2));
}

TEST_F(FlowTracerTest, PeriodicSyncByMessagesComesWithTheNextBranch) {
    settings_.sync_messages = 2;
    start(InstructionMode::Branches);
    begin_at(0x1000);
    taken(kBeq16);
    taken(kBeq16);
    run(kAdd);
    taken(kBeq16);
    taken(kBeq16);
    jump(kJumpA0, 0x5000);
    jump(kJumpA0, 0x6000);
    const TraceMessage direct_sync = make_message(MessageCode::DirectBranchSync)
                                         .set(Field::SyncReason, SyncReason::Periodic)
                                         .set(Field::InstructionCount, 4)
                                         .set(Field::Address, 0x1034 >> 1);
    const TraceMessage indirect_sync = make_message(MessageCode::IndirectBranchSync)
                                           .set(Field::SyncReason, SyncReason::Periodic)
                                           .set(Field::InstructionCount, 1)
                                           .set(Field::Address, 0x6000 >> 1);
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), direct(2), direct(2), direct_sync, direct(2),
                        indirect(BranchType::Indirect, 1, 0x1034, 0x5000), indirect_sync}));
}

TEST_F(FlowTracerTest, PeriodicSyncByUnitsComesAtTheLatestWhenTheCountIsFull) {
    settings_.sync_units = 16;
    start(InstructionMode::History);
    begin_at(0x1000);
    for (int count = 0; count < 8; ++count) {
        run(kAdd);
    }
    jump(kJumpA0, 0x2000);
    run(kBeq16);
    for (int count = 0; count < 255; ++count) {
        run(kAdd);
    }
    EXPECT_EQ(
        messages(),
        (Messages{sync(kEnable, 0x1000),
                  history_sync(SyncReason::Periodic, BranchType::Indirect, 17, 0x2000, 1),
                  history_sync(SyncReason::Periodic, BranchType::Indirect, 512, 0x2400, 0b10)}));
}

TEST_F(FlowTracerTest, PeriodicSyncTakesThePlaceOfAFullHistory) {
    settings_.sync_units = 32;
    start(InstructionMode::History);
    begin_at(0x1000);
    for (int count = 0; count < 31; ++count) {
        taken(kBeqSelf);
    }
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000),
                                    history_sync(SyncReason::Periodic, BranchType::Indirect, 62,
                                                 0x1000, 0xFFFF'FFFF)}));
}

TEST_F(FlowTracerTest, ATriggerMarksThePlaceWhereTheHartIs) {
    start(InstructionMode::Branches);
    begin_at(0x1000);
    run(kAdd);
    run(kBeq16);
    tracer_.synchronise(SyncReason::ExternalTrigger, cycle_);
    run(kAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000),
                                    sync(SyncReason::ExternalTrigger, 0x1008, 4), correlation(2)}));
}

// --- Ownership ----------------------------------------------------------------------------------

TEST_F(FlowTracerTest, OwnershipFollowsSyncAndEveryChangeOfPrivilege) {
    settings_.events = trace_map::event::kContext;
    start(InstructionMode::Branches, TimestampDialect::NTrace);
    begin_at(0x1000);
    jump(kMret, 0x2000);
    privilege_ = Privilege::User;
    run(kAdd);
    trap(8, 0x8000);
    // PROCESS: format 2 after sync and 0 for a change, PRV 3 = machine and 0 = user, V = 0
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), ownership(0b0'11'10),
                        indirect(BranchType::Indirect, 2, 0x1000, 0x2000), ownership(0b0'00'00),
                        indirect(BranchType::Exception, 2, 0x2000, 0x8000), ownership(0b0'11'00)}));
}

TEST_F(FlowTracerTest, OwnershipHasToBeAskedFor) {
    start(InstructionMode::Branches);
    begin_at(0x1000);
    jump(kMret, 0x2000);
    privilege_ = Privilege::User;
    trap(8, 0x8000);
    EXPECT_EQ(messages().size(), 3U);
}

// --- Loss ---------------------------------------------------------------------------------------

TEST_F(FlowTracerTest, AfterALossTheNextInstructionBeginsAgain) {
    start(InstructionMode::Branches);
    begin_at(0x1000);
    run(kAdd);
    port_.full = [] { return true; };
    taken(kBeq16); // lost
    run(kAdd);     // its synchronising message is lost too
    port_.full = nullptr;
    run(kAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000), make_message(MessageCode::Error),
                                    sync(SyncReason::FifoOverrun, 0x1018), correlation(2)}));
}

TEST_F(FlowTracerTest, ALossAtTheEndIsMentioned) {
    start(InstructionMode::History);
    begin_at(0x1000);
    port_.full = [] { return true; };
    run(kAdd);
    port_.full = nullptr;
    stop();
    EXPECT_EQ(messages(), (Messages{make_message(MessageCode::Error),
                                    sync(SyncReason::FifoOverrun, 0x1004), correlation(0, 1)}));
}

TEST_F(FlowTracerTest, ALossOfOthersBeginsAgainAtOnce) {
    start(InstructionMode::History);
    begin_at(0x1000);
    run(kBeq16);
    tracer_.synchronise(SyncReason::FifoOverrun, cycle_);
    run(kAdd);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000), sync(SyncReason::FifoOverrun, 0x1004),
                                    correlation(2, 1)}));
}

TEST_F(FlowTracerTest, StoppedWhileThePortHoldsTheHartItStaysStopped) {
    start(InstructionMode::Branches);
    begin_at(0x1000);
    run(kAdd);
    bool once = true;
    port_.during_send = [&] {
        if (once) {
            once = false;
            tracer_.stop(CorrelationEvent::TraceDisabled, cycle_);
        }
    };
    taken(kBeq16);
    const std::size_t before = messages().size();
    run(kAdd);
    taken(kBeq16);
    EXPECT_EQ(messages().size(), before);
}

} // namespace
} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// Messages that N-Trace 1.0 lets an encoder leave out because they repeat the one before: chapters
// "RepeatBranch Message" and "Repeated History Optimization".
#include "hw/interface/maps/trace.h"
#include "tests/unit/trace/flow_messages.h"

namespace pes::trace {
namespace {

using namespace test;

TraceMessage repeat_branch(std::uint64_t count) {
    return make_message(MessageCode::RepeatBranch).set(Field::BranchCount, count);
}
TraceMessage history_repeat(std::uint64_t history, std::uint64_t count) {
    return resource_full(Resource::HistoryRepeat, history).set(Field::HistoryRepeat, count);
}

class FlowRepeatsTest : public FlowTracerTest {
  protected:
    void start(InstructionMode mode) {
        settings_.options.repeats = true;
        FlowTracerTest::start(mode, TimestampDialect::NTrace);
        begin_at(0x1000);
    }
    void take(std::uint32_t branch, int times) {
        for (int count = 0; count < times; ++count) {
            taken(branch);
        }
    }
};

// --- Branch trace: RepeatBranch -----------------------------------------------------------------

TEST_F(FlowRepeatsTest, EqualDirectBranchesAreCounted) {
    start(InstructionMode::Branches);
    take(kBeqSelf, 100);
    run(kBeq16);
    stop();
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), direct(2), repeat_branch(99), correlation(2)}));
}

/// "Generated if I-CNT, HIST and target address is the same as in the previous branch message."
TEST_F(FlowRepeatsTest, AnotherCountIsAnotherMessage) {
    start(InstructionMode::Branches);
    take(kBeqSelf, 3);
    run(kAdd);
    take(kBeqSelf, 2);
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), direct(2), repeat_branch(2), direct(4), direct(2)}));
}

/// The first of them has another U-ADDR, so that a decoder that takes the field again would go
/// back.
TEST_F(FlowRepeatsTest, IndirectBranchesRepeatOnceTheirAddressDoes) {
    start(InstructionMode::Branches);
    for (int count = 0; count < 10; ++count) {
        jump(kJumpA0, 0x3000);
    }
    stop();
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), indirect(BranchType::Indirect, 1, 0x1000, 0x3000),
                        indirect(BranchType::Indirect, 1, 0x3000, 0x3000), repeat_branch(8),
                        correlation(0)}));
}

TEST_F(FlowRepeatsTest, ATrapIsNoRepeatOfAJump) {
    start(InstructionMode::Branches);
    jump(kJumpA0, 0x3000);
    jump(kJumpA0, 0x3000);
    trap(kInterrupt, 0x3000);
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), indirect(BranchType::Indirect, 1, 0x1000, 0x3000),
                        indirect(BranchType::Indirect, 1, 0x3000, 0x3000),
                        indirect(BranchType::Interrupt, 0, 0x3000, 0x3000)}));
}

/// What is counted comes before any other message, also before I-CNT of what follows.
TEST_F(FlowRepeatsTest, ComeBeforeAFullCount) {
    start(InstructionMode::Branches);
    take(kBeqSelf, 5);
    for (int count = 0; count < 256; ++count) {
        run(kAdd);
    }
    take(kBeqSelf, 1);
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000), direct(2), repeat_branch(4),
                                    resource_full(Resource::InstructionCount, 512), direct(2)}));
}

/// B-CNT has 18 bits; readers get something now and then.
TEST_F(FlowRepeatsTest, TheCountIsBounded) {
    start(InstructionMode::Branches);
    take(kBeqSelf, 2 + 0xFFFF);
    stop();
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000), direct(2), repeat_branch(0xFFFF),
                                    direct(2), correlation(0)}));
}

TEST_F(FlowRepeatsTest, PeriodicSyncByUnitsCountsThem) {
    settings_.sync_units = 64;
    start(InstructionMode::Branches);
    take(kBeqSelf, 40);
    EXPECT_EQ(messages().at(3).code, MessageCode::DirectBranchSync);
    EXPECT_EQ(messages().at(2), repeat_branch(30)) << "the 32nd branch has the 64th half-word";
}

TEST_F(FlowRepeatsTest, AreNotLeftOutUnlessAsked) {
    FlowTracerTest::start(InstructionMode::Branches, TimestampDialect::NTrace);
    begin_at(0x1000);
    take(kBeqSelf, 3);
    EXPECT_EQ(messages(), (Messages{sync(kEnable, 0x1000), direct(2), direct(2), direct(2)}));
}

// --- History trace: RCODE 2 ---------------------------------------------------------------------

constexpr std::uint64_t kAllTaken = 0x1FF'FFFF; ///< stop bit and 24 branches

TEST_F(FlowRepeatsTest, EqualHistoriesAreCounted) {
    start(InstructionMode::History);
    take(kBeqSelf, 10 * 24 + 3);
    stop();
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), resource_full(Resource::History, kAllTaken),
                        history_repeat(kAllTaken, 9), correlation(2 * 243, 0b1111)}));
}

/// The pattern of the chapter's example, 01, and one of three branches.
TEST_F(FlowRepeatsTest, SoAreThoseOfPatterns) {
    for (const unsigned period : {2U, 3U, 4U, 6U, 8U, 12U}) {
        port_.sent.clear();
        start(InstructionMode::History);
        for (unsigned count = 0; count < 24 * 5; ++count) {
            if (count % period == period - 1) {
                taken(kBeqSelf);
            } else {
                run(kBeq16);
            }
        }
        stop();
        ASSERT_EQ(messages().size(), 4U) << period;
        EXPECT_EQ(messages()[1].value(Field::ResourceCode), 1U);
        EXPECT_EQ(messages()[2], history_repeat(messages()[1].value(Field::ResourceData), 4));
    }
}

TEST_F(FlowRepeatsTest, AnotherHistoryEndsThem) {
    start(InstructionMode::History);
    take(kBeqSelf, 3 * 24);
    for (int count = 0; count < 24; ++count) {
        run(kBeq16);
    }
    EXPECT_EQ(
        messages(),
        (Messages{sync(kEnable, 0x1000), resource_full(Resource::History, kAllTaken),
                  history_repeat(kAllTaken, 2), resource_full(Resource::History, 0x100'0000)}));
}

TEST_F(FlowRepeatsTest, AMessageWithHistoryBeginsAnew) {
    start(InstructionMode::OptimisedHistory);
    take(kBeqSelf, 2 * 24);
    jump(kJumpA0, 0x1000);
    take(kBeqSelf, 24);
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), resource_full(Resource::History, kAllTaken),
                        history_repeat(kAllTaken, 1),
                        indirect_history(BranchType::Indirect, 97, 0x1000, 0x1000, 1),
                        resource_full(Resource::History, kAllTaken)}));
}

/// A loss is told at once, and nothing that was counted before it comes behind it.
TEST_F(FlowRepeatsTest, AreForgottenInALoss) {
    start(InstructionMode::History);
    take(kBeqSelf, 3 * 24);
    tracer_.synchronise(SyncReason::FifoOverrun, cycle_);
    stop();
    EXPECT_EQ(messages(),
              (Messages{sync(kEnable, 0x1000), resource_full(Resource::History, kAllTaken),
                        sync(SyncReason::FifoOverrun, 0x1000), correlation(0, 1)}));
}

} // namespace
} // namespace pes::trace

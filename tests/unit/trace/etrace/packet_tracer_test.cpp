// SPDX-License-Identifier: Apache-2.0
// Which packets the tracer sends.
#include "hw/trace/program/etrace/packet_tracer.h"

#include "tests/unit/trace/etrace/packet_recorder.h"
#include "tests/unit/trace/instruction_feed.h"

#include <gtest/gtest.h>

#include <sstream>

namespace pes::trace::etrace {
namespace {

using test::kAdd;
using test::kCall2048;
using test::kInterrupt;
using test::kJumpA0;
using test::kMret;
using test::kRet;

constexpr std::uint32_t kBranch8 = 0x00b50463;     ///< beq a0,a1,.+8
constexpr std::uint32_t kBranchBack4 = 0xfeb50ee3; ///< beq a0,a1,.-4
constexpr std::uint32_t kJumpToSelf = 0x0000006f;  ///< j .

class PacketTracerTest : public ::testing::Test {
  protected:
    void begin(Options options = {}, std::uint64_t sync_messages = 0) {
        tracer_.configure({.protocol = Protocol::ETrace,
                           .mode = InstructionMode::OptimisedHistory,
                           .sync_messages = sync_messages,
                           .etrace = options});
        tracer_.start(0);
    }
    void run(std::uint32_t raw) { jump(raw, pc_ + instruction_length(raw)); }
    void taken(std::uint32_t raw) { jump(raw, classify_flow(raw).target(pc_)); }
    void jump(std::uint32_t raw, Address to) {
        tracer_.retired({.cycle = ++cycle_,
                         .pc = pc_,
                         .next_pc = to,
                         .raw = raw,
                         .length = static_cast<std::uint8_t>(instruction_length(raw)),
                         .privilege = privilege_});
        pc_ = to;
    }
    /// So many turns of a loop of two instructions. Of a new predictor the first branch fails.
    void turn(int turns) {
        for (int turn = 0; turn < turns; ++turn) {
            run(kAdd);
            taken(kBranchBack4);
        }
    }
    void trap(std::uint64_t cause, Address vector, std::uint64_t tval = 0) {
        tracer_.trapped({.cycle = ++cycle_,
                         .cause = cause,
                         .epc = pc_,
                         .tval = tval,
                         .vector = vector,
                         .from = privilege_,
                         .to = Privilege::Machine});
        pc_ = vector;
        privilege_ = Privilege::Machine;
    }
    void stop() { tracer_.stop(++cycle_); }

    /// The packets from the given one on: "start 1000", "support ended_rep", ...
    std::vector<std::string> texts(std::size_t from = 0) const {
        std::vector<std::string> texts;
        for (std::size_t i = from; i < port_.frames.size(); ++i) {
            texts.push_back(text(port_.frames[i].packet));
        }
        return texts;
    }
    static std::string hex(std::int64_t value) {
        std::ostringstream text;
        text << std::hex << (value < 0 ? "-" : "") << (value < 0 ? -value : value);
        return text.str();
    }
    static std::string text(const Packet& packet) {
        static constexpr const char* kStatus[] = {"no_change", "ended_rep", "trace_lost",
                                                  "ended_ntr"};
        std::string text;
        if (packet.is(Sync::Support)) {
            return std::string("support ") + (packet.ienable ? "on " : "off ") +
                   kStatus[static_cast<std::size_t>(packet.qual_status)];
        }
        if (packet.is(Sync::Start)) {
            text = "start";
        } else if (packet.is(Sync::Trap)) {
            text = std::string("trap ") + (packet.interrupt ? "i" : "e") +
                   std::to_string(packet.ecause) + (packet.thaddr ? " handler" : " at");
        } else {
            text = packet.format == Format::Address  ? "address"
                   : packet.format == Format::Branch ? "map "
                   : packet.extension == Extension::JumpTarget
                       ? "index " + std::to_string(packet.index)
                       : "count " + std::to_string(packet.branch_count);
            text += packet.branch_format == BranchFormat::AddressMissed ? " missed" : "";
            text += packet.format == Format::Extension && packet.branches != 0 ? " map " : "";
            for (unsigned branch = 0; branch < packet.branches; ++branch) {
                text += (packet.branch_map >> branch & 1) != 0 ? '1' : '0';
            }
        }
        if (packet.locates() &&
            (packet.format != Format::Extension || packet.extension == Extension::BranchCount)) {
            text += " " + hex(static_cast<std::int64_t>(packet.address));
        }
        text += packet.notify ? " notify" : "";
        text += packet.updiscon ? " updiscon" : "";
        text += packet.irreport ? " depth " + std::to_string(packet.irdepth) : "";
        return text;
    }

    using Texts = std::vector<std::string>;

    test::PacketRecorder port_;
    PacketTracer tracer_{port_};
    Address pc_ = 0x1000;
    Privilege privilege_ = Privilege::Machine;
    Cycle cycle_ = 100;
};

TEST_F(PacketTracerTest, StartsWithSupportAndEndsWithTheLastAddress) {
    begin();
    run(kAdd);
    run(kAdd);
    run(kAdd);
    stop();
    EXPECT_EQ(texts(),
              (Texts{"support on no_change", "start 1000", "address 8", "support off ended_rep"}));
}

TEST_F(PacketTracerTest, NothingTracedMeansNothingSent) {
    begin();
    stop();
    EXPECT_TRUE(port_.frames.empty());
}

TEST_F(PacketTracerTest, FirstInstructionIsToldOnce) {
    begin();
    run(kAdd);
    stop();
    EXPECT_EQ(texts(), (Texts{"support on no_change", "start 1000", "support off ended_rep"}));
}

TEST_F(PacketTracerTest, TargetsOfIndirectJumpsAreDifferences) {
    begin();
    run(kAdd);
    jump(kJumpA0, 0x2000);
    run(kAdd);
    jump(kJumpA0, 0x1800);
    run(kAdd);
    run(kAdd);
    stop();
    EXPECT_EQ(texts(2),
              (Texts{"address 1000", "address -800", "address 4", "support off ended_rep"}));
}

// The ingress specification: a target in the instruction is inferable.
TEST_F(PacketTracerTest, JumpsToConstantsAreNotTold) {
    constexpr std::uint32_t kJump16 = 0x01000067;   // jalr zero,16(zero)
    constexpr std::uint32_t kCall2048 = 0x800000e7; // jalr ra,-2048(zero)
    begin();
    run(kAdd);
    jump(kJump16, 16);
    run(kAdd);
    jump(kCall2048, ~Address{0} - 2047);
    run(kAdd);
    run(kAdd);
    EXPECT_TRUE(texts(2).empty());
}

TEST_F(PacketTracerTest, FullAddressesAreWhole) {
    begin({.full_address = true});
    run(kAdd);
    jump(kJumpA0, 0x2000);
    run(kAdd);
    run(kAdd);
    stop();
    EXPECT_EQ(texts(2), (Texts{"address 2000", "address 2004", "support off ended_rep"}));
}

TEST_F(PacketTracerTest, BranchesGoWithTheNextAddress) {
    begin();
    run(kBranch8);   // the first instruction: its way is in the start packet
    taken(kBranch8); // 1004 -> 100c
    run(kBranch8);
    jump(kJumpA0, 0x2000);
    run(kAdd);
    stop();
    EXPECT_TRUE(port_.frames[1].packet.branch); // not taken
    EXPECT_EQ(texts(2), (Texts{"map 01 1000 updiscon", "support off ended_rep"}));
}

TEST_F(PacketTracerTest, FullBranchMapIsSentAtOnce) {
    begin();
    run(kAdd);
    for (int branch = 0; branch < 31; ++branch) {
        run(kBranch8);
    }
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"map " + std::string(31, '1')}));
}

TEST_F(PacketTracerTest, FullBranchMapBeforeATrapHasTheAddress) {
    begin();
    run(kAdd);
    for (int branch = 0; branch < 31; ++branch) {
        run(kBranch8);
    }
    trap(kInterrupt | 7, 0x4000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"map " + std::string(31, '1') + " 7c", "trap i7 handler 4000"}));
}

TEST_F(PacketTracerTest, TrapTellsTheLastInstructionAndTheHandler) {
    begin();
    run(kAdd);
    run(kAdd);
    trap(2, 0x4000, 0x123);
    run(kAdd);
    run(kAdd);
    stop();
    EXPECT_EQ(texts(2),
              (Texts{"address 4", "trap e2 handler 4000", "address 4", "support off ended_rep"}));
    EXPECT_EQ(port_.frames[3].packet.tval, 0x123U);
}

TEST_F(PacketTracerTest, TrapAtTheTargetOfAJumpTellsThePlace) {
    begin();
    run(kAdd);
    jump(kJumpA0, 0x2000);
    trap(12, 0x4000, 0x2000);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"address 4", "trap e12 at 2000"}));
    run(kAdd);
    EXPECT_EQ(texts(4), (Texts{"start 4000"}));
}

TEST_F(PacketTracerTest, TrapAsTheFirstThingTellsThePlace) {
    begin();
    trap(1, 0x4000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(), (Texts{"support on no_change", "trap e1 at 1000", "start 4000"}));
}

TEST_F(PacketTracerTest, TrapInTheHandlersFirstInstructionLeavesNeitherOut) {
    begin();
    run(kAdd);
    trap(2, 0x4000);
    trap(kInterrupt | 11, 0x5000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"trap e2 at 4000", "trap i11 handler 5000"}));
}

TEST_F(PacketTracerTest, ReturnToAnotherModeSynchronises) {
    begin();
    run(kAdd);
    jump(kMret, 0x2000);
    privilege_ = Privilege::User;
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"start 2000"}));
    EXPECT_EQ(port_.frames[2].packet.privilege, 0U);
}

TEST_F(PacketTracerTest, ReturnToTheSameModeIsAnUpdiscon) {
    begin();
    run(kAdd);
    jump(kMret, 0x2000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"address 1000"}));
}

TEST_F(PacketTracerTest, UpdisconSaysThatATrapFollows) {
    begin();
    run(kAdd);
    jump(kJumpA0, 0x2000);
    run(kAdd);
    trap(2, 0x4000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"address 1000 updiscon", "trap e2 handler 4000"}));
}

TEST_F(PacketTracerTest, SynchronisationComesAfterSoManyPackets) {
    begin({}, 2);
    run(kAdd);
    jump(kJumpA0, 0x2000);
    run(kAdd);
    jump(kJumpA0, 0x3000);
    run(kAdd); // the second packet since the start
    run(kAdd);
    run(kAdd);
    run(kAdd);
    const Texts all = texts(2);
    ASSERT_EQ(all.size(), 5U);
    EXPECT_EQ(all[0], "address 1000");
    EXPECT_EQ(all[1], "address 1000");
    EXPECT_EQ(all[2], "address 4"); // else it might be the second time at 3000
    EXPECT_EQ(all[3], "support on no_change");
    EXPECT_EQ(all[4], "start 3008");
}

TEST_F(PacketTracerTest, PredictedReturnsAreNotTold) {
    begin({.implicit_return = true});
    run(kAdd);
    taken(kCall2048);
    jump(kRet, 0x1008);
    run(kAdd);
    run(kAdd);
    EXPECT_TRUE(texts(2).empty());
}

// The stacks are empty behind a start packet, so the return is a jump like others.
TEST_F(PacketTracerTest, OtherReturnsBeginAnew) {
    begin({.implicit_return = true});
    run(kAdd);
    taken(kCall2048);
    taken(kCall2048);
    jump(kRet, 0x3000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"start 2004", "address ffc"}));
}

// Two returns at one depth of calls without a branch between them: the second one fails.
TEST_F(PacketTracerTest, ReturnThatFailsIsNoneBeforeIt) {
    begin({.implicit_return = true});
    run(kAdd);
    taken(kCall2048);
    jump(kRet, 0x1008);
    taken(kCall2048);
    run(kAdd);
    jump(kRet, 0x3000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"start 180c", "address 17f4"}));
}

TEST_F(PacketTracerTest, BranchesBeforeAReturnThatFailsAreTold) {
    begin({.implicit_return = true});
    run(kAdd);
    taken(kCall2048);
    taken(kBranch8);
    run(kAdd);
    jump(kRet, 0x3000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"map 0 804 notify", "start 1810", "address 17f0"}));
}

// A decoder that looks for the target of a jump does not stop behind a return.
TEST_F(PacketTracerTest, PlaceBehindAReturnIsToldWithNotify) {
    begin({.implicit_return = true});
    run(kAdd);
    taken(kCall2048);
    jump(kRet, 0x1008);
    run(kAdd);
    trap(2, 0x40000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"address 8 notify", "trap e2 handler 40000"}));
}

TEST_F(PacketTracerTest, TrapBehindAReturnTellsTheHandler) {
    begin({.implicit_return = true});
    run(kAdd);
    taken(kCall2048);
    jump(kRet, 0x1008);
    trap(2, 0x40000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"address 804", "trap e2 handler 40000"}));
}

TEST_F(PacketTracerTest, WithoutTheModeReturnsAreTold) {
    begin();
    run(kAdd);
    taken(kCall2048);
    jump(kRet, 0x1008);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"address 8"}));
}

TEST_F(PacketTracerTest, LoopsWithoutBranchesAreCounted) {
    begin();
    for (int turn = 0; turn < 7; ++turn) {
        jump(kJumpToSelf, pc_);
    }
    stop();
    // start: 1; then pairs, each of which is two turns
    EXPECT_EQ(texts(1), (Texts{"start 1000", "address 0 notify", "address 0 notify",
                               "address 0 notify", "address 0 notify", "address 0 notify",
                               "address 0", "support off ended_rep"}));
}

TEST_F(PacketTracerTest, LossIsToldBeforeTraceGoesOn) {
    begin();
    run(kAdd);
    bool full = false;
    port_.full = [&full] { return full; };
    jump(kJumpA0, 0x2000);
    full = true;
    run(kAdd);
    run(kAdd); // tells 2000: lost
    run(kAdd); // tries to begin anew: lost
    full = false;
    run(kAdd);
    run(kAdd);
    stop();
    EXPECT_EQ(texts(2),
              (Texts{"support on trace_lost", "start 2008", "address 8", "support off ended_rep"}));
    EXPECT_EQ(port_.lost, 2U);
}

TEST_F(PacketTracerTest, LossAtTheEndIsToldToo) {
    begin();
    run(kAdd);
    run(kAdd);
    int bursts = 0;
    port_.full = [&bursts] { return ++bursts < 3; };
    jump(kJumpA0, 0x2000);
    run(kAdd);
    run(kAdd); // lost
    stop();    // so is the beginning that it makes
    EXPECT_EQ(texts(2), (Texts{"support off trace_lost"}));
}

TEST_F(PacketTracerTest, EndThatIsLostIsToldAtTheNextStart) {
    begin();
    run(kAdd);
    run(kAdd);
    bool full = true;
    port_.full = [&full] { return full; };
    stop();
    full = false;
    const std::size_t before = port_.frames.size();
    tracer_.start(cycle_);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(before), (Texts{"support on trace_lost", "start 1008"}));
}

TEST_F(PacketTracerTest, PredictedBranchesAreCountedUntilOneFails) {
    begin({.branch_prediction = true});
    turn(31); // the first one fails
    turn(40);
    run(kAdd);
    run(kBranchBack4);
    run(kAdd);
    // 40 - 31, and one that failed
    EXPECT_EQ(texts(2), (Texts{"map " + std::string(31, '0'), "count 9"}));
}

TEST_F(PacketTracerTest, OneMoreThanABranchMapIsTheShortestCount) {
    begin({.branch_prediction = true});
    turn(31 + 31);
    run(kAdd);
    run(kBranchBack4);
    run(kAdd);
    EXPECT_EQ(texts(3), (Texts{"count 0"}));
}

TEST_F(PacketTracerTest, CountGoesWithAnAddressThatIsDue) {
    begin({.branch_prediction = true});
    turn(31 + 40);
    jump(kJumpA0, 0x2000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(3), (Texts{"count 9 1000"}));
}

TEST_F(PacketTracerTest, CountTellsThatItsAddressIsABranchThatFailed) {
    begin({.branch_prediction = true});
    turn(31 + 40);
    run(kAdd);
    run(kBranchBack4);
    trap(kInterrupt | 7, 0x4000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(3), (Texts{"count 9 missed 4", "trap i7 handler 4000"}));
}

TEST_F(PacketTracerTest, FewPredictedBranchesAreAMap) {
    begin({.branch_prediction = true});
    turn(31 + 30);
    jump(kJumpA0, 0x2000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(3), (Texts{"map " + std::string(30, '0') + " 1000"}));
}

TEST_F(PacketTracerTest, PredictionsBeginAnewWithASynchronisingPacket) {
    begin({.branch_prediction = true});
    turn(31 + 5);
    trap(kInterrupt | 7, 0x1000); // as if it were the handler
    turn(31);                     // the first one fails again
    run(kAdd);
    EXPECT_EQ(texts(3),
              (Texts{"map 00000 4", "trap i7 handler 1000", "map " + std::string(31, '0')}));
}

TEST_F(PacketTracerTest, KnownTargetsAreTheirIndex) {
    begin({.jump_target_cache = true});
    run(kAdd);
    jump(kJumpA0, 0x9006); // 0x9006 / 2 mod 32 = 3
    run(kAdd);
    jump(kJumpA0, 0x20000);
    run(kAdd);
    run(kBranch8);
    jump(kJumpA0, 0x9006);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"address 8006", "address 16ffa", "index 3 map 1"}));
}

TEST_F(PacketTracerTest, KnownTargetsNearbyAreDifferences) {
    begin({.jump_target_cache = true});
    run(kAdd);
    for (int turn = 0; turn < 2; ++turn) {
        jump(kJumpA0, 0x2000);
        run(kAdd);
    }
    run(kAdd);
    EXPECT_EQ(texts(2), (Texts{"address 1000", "address 0"}));
}

TEST_F(PacketTracerTest, IndexCannotSayThatATrapFollows) {
    begin({.jump_target_cache = true});
    run(kAdd);
    jump(kJumpA0, 0x9006);
    run(kAdd);
    jump(kJumpA0, 0x20000);
    run(kAdd);
    jump(kJumpA0, 0x9006);
    run(kAdd);
    trap(2, 0x4000);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(4), (Texts{"address -16ffa updiscon", "trap e2 handler 4000"}));
}

TEST_F(PacketTracerTest, TargetsOfReturnsFromTrapsAreNotKept) {
    begin({.jump_target_cache = true});
    run(kAdd);
    jump(kMret, 0x9006);
    run(kAdd);
    jump(kJumpA0, 0x20000);
    run(kAdd);
    jump(kJumpA0, 0x9006);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(4), (Texts{"address -16ffa"}));
}

TEST_F(PacketTracerTest, TargetsAreForgottenWithASynchronisingPacket) {
    begin({.jump_target_cache = true});
    run(kAdd);
    jump(kJumpA0, 0x9006);
    run(kAdd);
    run(kAdd);
    trap(2, 0x40000);
    run(kAdd);
    jump(kJumpA0, 0x9006);
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(texts(5), (Texts{"address -36ffa"}));
}

} // namespace
} // namespace pes::trace::etrace

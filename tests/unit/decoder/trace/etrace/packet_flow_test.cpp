// SPDX-License-Identifier: Apache-2.0
// The instruction flow of hand-made packets: what the specification says of each case in which a
// place is met more than once, and what is told when packets are missing or damaged.
#include "tests/unit/decoder/trace/flow_fixture.h"
#include "tests/unit/trace/etrace/packet_recorder.h"
#include "tests/unit/trace/etrace/traced_walk.h"

#include "hw/trace/program/etrace/packet_tracer.h"
#include "tests/unit/decoder/trace/code_image.h"

#include <gtest/gtest.h>

#include <sstream>

namespace pes::trace {
namespace {

using etrace::Format;
using etrace::Packet;
using etrace::QualStatus;
using etrace::Sync;
using test::Code;
using test::Recorder;

Packet support(QualStatus status = QualStatus::NoChange, etrace::Options options = {}) {
    Packet packet;
    packet.sync = Sync::Support;
    packet.qual_status = status;
    packet.ioptions = options;
    return packet;
}
Packet start(Address address, unsigned privilege = 3) {
    Packet packet;
    packet.address = address;
    packet.privilege = static_cast<std::uint8_t>(privilege);
    return packet;
}
Packet trap(Address address, bool thaddr, bool interrupt = false) {
    Packet packet = start(address);
    packet.sync = Sync::Trap;
    packet.thaddr = thaddr;
    packet.interrupt = interrupt;
    return packet;
}
Packet address(std::int64_t difference) {
    Packet packet;
    packet.format = Format::Address;
    packet.address = static_cast<Address>(difference);
    return packet;
}
Packet updiscon(Packet packet) {
    packet.updiscon = true;
    return packet;
}
Packet notify(Packet packet) {
    packet.notify = true;
    return packet;
}
/// `ways`: a character for each branch, oldest first, 't' or 'n'.
Packet map(const std::string& ways) {
    Packet packet;
    packet.format = Format::Branch;
    packet.branches = static_cast<std::uint8_t>(ways.size());
    for (std::size_t branch = 0; branch < ways.size(); ++branch) {
        packet.branch_map |= std::uint32_t{ways[branch] == 'n'} << branch;
    }
    return packet;
}
Packet map(const std::string& ways, std::int64_t difference) {
    Packet packet = map(ways);
    packet.has_address = true;
    packet.address = static_cast<Address>(difference);
    return packet;
}

Packet count(std::uint32_t count, etrace::BranchFormat format = etrace::BranchFormat::NoAddress,
             std::int64_t difference = 0) {
    Packet packet;
    packet.format = Format::Extension;
    packet.extension = etrace::Extension::BranchCount;
    packet.branch_count = count;
    packet.branch_format = format;
    packet.address = static_cast<Address>(difference);
    return packet;
}
Packet index(std::uint32_t index) {
    Packet packet;
    packet.format = Format::Extension;
    packet.extension = etrace::Extension::JumpTarget;
    packet.index = index;
    return packet;
}

class PacketFlowTest : public ::testing::Test {
  protected:
    void load(const Code& code) { code.add_to(image_); }
    /// The words of the flow.
    std::string flow(const std::vector<Packet>& packets) {
        Recorder seen(image_);
        Flow flow(image_);
        flow.add_sink(seen);
        etrace::PacketItem item;
        for (const Packet& packet : packets) {
            item.frame.packet = packet;
            flow.add(item);
        }
        unplaced_ = flow.unplaced_messages();
        return seen.text();
    }

    ProgramImage image_;
    std::uint64_t unplaced_ = 0;
};

/// The specification's example: looplabel at 0x104, an indirect jump back to it at 0x10c.
class LoopLabel : public PacketFlowTest {
  protected:
    LoopLabel() { load(Code(0x100).nop().nop().nop().jalr(0, 10)); }
};

TEST_F(LoopLabel, IsMetASecondTimeIfAnAddressFollows) { // case 1
    EXPECT_EQ(flow({support(), start(0x100), address(4), address(0), address(4),
                    support(QualStatus::EndedReported)}),
              "start 0x100 0x104 0x108 0x10c 0x104 0x108 0x10c 0x104 0x108 stop");
}

TEST_F(LoopLabel, IsMetASecondTimeWithUpdiscon) { // case 2
    EXPECT_EQ(flow({support(), start(0x100), updiscon(address(4)), trap(0x100, true)}),
              "start 0x100 0x104 0x108 0x10c 0x104 ->0x100 0x100");
}

TEST_F(LoopLabel, IsMetTheFirstTimeIfATrapFollows) { // case 3
    EXPECT_EQ(flow({support(), start(0x100), address(4), trap(0x100, true)}),
              "start 0x100 0x104 ->0x100 0x100");
}

TEST_F(LoopLabel, IsMetTheFirstTimeWithNotify) { // case 4
    EXPECT_EQ(flow({support(), start(0x100), notify(address(4)), address(0), address(4),
                    support(QualStatus::EndedReported)}),
              "start 0x100 0x104 0x108 0x10c 0x104 0x108 stop");
}

TEST_F(LoopLabel, EndsTheFirstTimeWithEndedRep) {
    EXPECT_EQ(flow({support(), start(0x100), address(4), support(QualStatus::EndedReported)}),
              "start 0x100 0x104 stop");
}

TEST_F(LoopLabel, EndsTheSecondTimeWithEndedNtr) {
    EXPECT_EQ(flow({support(), start(0x100), address(4), support(QualStatus::EndedNotReported)}),
              "start 0x100 0x104 0x108 0x10c 0x104 stop");
}

TEST_F(LoopLabel, IsToldOnceIfWhatFollowsIsLost) {
    EXPECT_EQ(
        flow({support(), start(0x100), address(4), support(QualStatus::TraceLost), start(0x108)}),
        "start 0x100 0x104 gap:EncoderLoss start 0x108");
}

TEST_F(PacketFlowTest, BranchesFollowTheMap) {
    load(Code(0x100).beq(0x108).nop().beq(0x100).nop().nop());
    // 0x100 taken, 0x108 taken, 0x100 not taken, 0x104, 0x108 not taken, 0x10c, 0x110
    Packet first = start(0x100);
    first.branch = false;
    EXPECT_EQ(flow({support(), first, map("tnn", 0x10), support(QualStatus::EndedReported)}),
              "start 0x100 0x108 0x100 0x104 0x108 0x10c 0x110 stop");
}

TEST_F(PacketFlowTest, MapWithoutAddressEndsAtItsLastBranch) {
    load(Code(0x100).nop().beq(0x100).nop());
    const std::string turns(31, 't');
    std::string text = "start 0x100";
    for (int turn = 0; turn < 31; ++turn) {
        text += turn == 0 ? " 0x104" : " 0x100 0x104";
    }
    EXPECT_EQ(flow({support(), start(0x100), map(turns)}), text);
}

TEST_F(PacketFlowTest, MapWithMoreBranchesThanTheWayIsAContradiction) {
    load(Code(0x100).nop().beq(0x100).jalr(0, 10));
    EXPECT_EQ(flow({support(), start(0x100), map("nn", 0)}),
              "start 0x100 0x104 0x108 gap:Contradiction");
}

TEST_F(PacketFlowTest, MapWithFewerBranchesThanTheWayIsAContradiction) {
    load(Code(0x100).nop().beq(0x108).beq(0x10c).nop());
    EXPECT_EQ(flow({support(), start(0x100), map("n", 0xc)}),
              "start 0x100 0x104 gap:Contradiction");
}

TEST_F(PacketFlowTest, LoopThatThePacketsDoNotLeaveIsAContradiction) {
    load(Code(0x100).jal(0, 0x100).nop());
    const std::string text = flow({support(), start(0x100), address(4)});
    EXPECT_TRUE(text.ends_with("gap:Contradiction"));
}

TEST_F(PacketFlowTest, TrapAtTheTargetOfAJumpHasItsPlace) {
    load(Code(0x100).nop().jalr(0, 10).at(0x200).nop().nop());
    EXPECT_EQ(flow({support(), start(0x100), address(4), trap(0x180, false), start(0x200)}),
              "start 0x100 0x104 ->0x200 0x200");
}

TEST_F(PacketFlowTest, TrapInAHandlersFirstInstructionHasBothPlaces) {
    load(Code(0x100).nop().nop().at(0x200).nop().at(0x300).nop());
    EXPECT_EQ(flow({support(), start(0x100), trap(0x200, false), trap(0x300, true)}),
              "start 0x100 ->0x200 ->0x300 0x300");
}

TEST_F(PacketFlowTest, HandlerThatNoPacketNamesIsAGap) {
    load(Code(0x100).jalr(0, 10).at(0x300).nop());
    EXPECT_EQ(flow({support(), start(0x100), trap(0x180, false), trap(0x300, true)}),
              "start 0x100 gap:Contradiction start 0x300");
}

TEST_F(PacketFlowTest, ReturnFromATrapToAnotherModeGoesOnInIt) {
    // Runs through 0x104 twice: in M-mode, and as the place that it returns to in U-mode.
    load(Code(0x100).nop().nop().mret());
    EXPECT_EQ(flow({support(), start(0x100), start(0x104, 0), address(4),
                    support(QualStatus::EndedReported)}),
              "start 0x100 0x104 0x108 0x104 0x108 stop");
}

// jalr zero,0(zero): the program tells the target.
TEST_F(PacketFlowTest, JumpsToConstantsFollowTheProgram) {
    load(Code(0x0).nop().nop().at(0x100).nop().jalr(0, 0));
    EXPECT_EQ(flow({support(), start(0x100), address(-0xFC), support(QualStatus::EndedReported)}),
              "start 0x100 0x104 0x0 0x4 stop");
}

TEST_F(PacketFlowTest, ImplicitReturnsFollowTheCalls) {
    load(Code(0x100).jal(1, 0x200).nop().nop().at(0x200).nop().ret());
    EXPECT_EQ(flow({support(QualStatus::NoChange, {.implicit_return = true}), start(0x100),
                    address(8), support(QualStatus::EndedReported)}),
              "start 0x100 0x200 0x204 0x104 0x108 stop");
}

TEST_F(PacketFlowTest, ReturnAtTheReportedDepthGoesElsewhere) {
    load(Code(0x100).jal(1, 0x200).nop().at(0x200).nop().ret().at(0x300).nop());
    Packet told = address(0x200);
    told.irreport = true;
    told.irdepth = 1;
    EXPECT_EQ(flow({support(QualStatus::NoChange, {.implicit_return = true}), start(0x100), told,
                    support(QualStatus::EndedReported)}),
              "start 0x100 0x200 0x204 0x300 stop");
}

/// A loop 0x100, 0x104 whose branch the first 31 turns have taught the predictor.
class PredictedLoop : public PacketFlowTest {
  protected:
    PredictedLoop() { load(Code(0x100).nop().beq(0x100).nop().nop()); }
    std::string flow_of(std::vector<Packet> packets) {
        packets.insert(packets.begin(), {support(QualStatus::NoChange, {.branch_prediction = true}),
                                         start(0x100), map(std::string(31, 't'))});
        return flow(packets);
    }
    static std::string turns(unsigned count) {
        std::string text = "start";
        for (unsigned turn = 0; turn < count; ++turn) {
            text += " 0x100 0x104";
        }
        return text;
    }
};

TEST_F(PredictedLoop, CountWithoutAddressEndsAtTheBranchThatFails) {
    // 31 + 33 turns, and one in which the branch is not taken
    EXPECT_EQ(flow_of({count(2), address(8), support(QualStatus::EndedReported)}),
              turns(31 + 33 + 1) + " 0x108 stop");
}

TEST_F(PredictedLoop, CountWithAddressEndsThere) {
    // At the branch, which goes as predicted, or at the instruction before it.
    using etrace::BranchFormat;
    EXPECT_EQ(flow_of({count(2, BranchFormat::Address, 4), support(QualStatus::EndedReported)}),
              turns(31 + 33) + " stop");
    EXPECT_EQ(flow_of({count(2, BranchFormat::Address, 0), support(QualStatus::EndedReported)}),
              turns(31 + 33) + " 0x100 stop");
}

TEST_F(PredictedLoop, BranchAtTheAddressMayHaveFailed) {
    EXPECT_EQ(flow_of({count(2, etrace::BranchFormat::AddressMissed, 4), trap(0x100, true, true)}),
              turns(31 + 33 + 1) + " ->0x100 0x100");
}

TEST_F(PacketFlowTest, MapsTeachThePredictorToo) {
    load(Code(0x100).beq(0x108).nop().jal(0, 0x100));
    Packet first = start(0x100);
    first.branch = false;
    // Taken, taken, not taken, not taken: 01, 11, 11, 10, 00. Then it says not taken.
    const std::string ways = "t" + std::string(30, 'n');
    std::string text = "start 0x100 0x108";
    for (const char way : ways + std::string(31, 'n')) {
        text += way == 't' ? " 0x100 0x108" : " 0x100 0x104 0x108";
    }
    EXPECT_EQ(flow({support(QualStatus::NoChange, {.branch_prediction = true}), first, map(ways),
                    count(0), map("t", 0), support(QualStatus::EndedReported)}),
              text + " 0x100 0x108 0x100 stop");
}

TEST_F(PredictedLoop, CountIsAContradictionWithoutTheOption) {
    EXPECT_EQ(flow({support(), start(0x100), count(0)}), "start 0x100 gap:Contradiction");
}

TEST_F(PacketFlowTest, IndexIsTheTargetThatWasToldLastForIt) {
    load(Code(0x100).jalr(0, 10).at(0x206).jalr(0, 10).at(0x300).jalr(0, 10));
    // 0x206 / 2 mod 32 = 3, 0x300 / 2 mod 32 = 0
    EXPECT_EQ(flow({support(QualStatus::NoChange, {.jump_target_cache = true}), start(0x100),
                    address(0x106), address(0xFA), index(3), index(0), address(0),
                    support(QualStatus::EndedReported)}),
              "start 0x100 0x206 0x300 0x206 0x300 0x300 stop");
}

TEST_F(PacketFlowTest, IndexIsUnknownBehindASynchronisingPacket) {
    load(Code(0x100).jalr(0, 10).at(0x206).nop().jalr(0, 10));
    EXPECT_EQ(flow({support(QualStatus::NoChange, {.jump_target_cache = true}), start(0x100),
                    address(0x106), start(0x20a), index(3)}),
              "start 0x100 0x206 gap:Contradiction");
}

TEST_F(PacketFlowTest, IndexIsAContradictionWithoutTheOption) {
    load(Code(0x100).jalr(0, 10).at(0x206).jalr(0, 10));
    EXPECT_EQ(flow({support(), start(0x100), address(0x106), index(3)}),
              "start 0x100 gap:Contradiction"); // where 0x206 leads is not known
}

TEST_F(PacketFlowTest, NothingIsToldBeforeTheOptionsAreKnown) {
    load(Code(0x100).nop().nop());
    EXPECT_EQ(flow({start(0x100), address(4), support(), start(0x104)}), "start 0x104");
    EXPECT_EQ(unplaced_, 2U);
}

TEST_F(PacketFlowTest, CodeThatIsNotThereIsAGap) {
    load(Code(0x100).nop().nop());
    EXPECT_EQ(flow({support(), start(0x100), address(0x100)}),
              "start 0x100 0x104 gap:OutsideProgram");
}

/// Each run begins where the flow went before it, whatever the packets.
class Continuity : public FlowSink {
  public:
    void started(const FlowStart& start) override { next_ = start.address; }
    void ran(const InstructionRun& run) override {
        EXPECT_EQ(next_, run.begin);
        EXPECT_GT(run.instructions, 0U);
        next_ = run.next;
        instructions += run.instructions;
    }
    void trapped(const FlowTrap& trap) override {
        EXPECT_EQ(next_, trap.from);
        next_ = trap.to;
    }
    void gap(const FlowGap&) override { next_.reset(); }
    void stopped(const FlowStop&) override { next_.reset(); }

    std::uint64_t instructions = 0;

  private:
    std::optional<Address> next_;
};

class DamagedPackets : public ::testing::TestWithParam<etrace::Options> {
  protected:
    static constexpr std::size_t kSteps = 3000;
    static constexpr std::uint32_t kLongCount = 10'000;
    static constexpr etrace::Framing kFraming{.source_bits = 0, .timestamp_bytes = 2};

    DamagedPackets() {
        const std::vector<test::Step> steps = test::walk_in_modes(program_, kSteps);
        test::PacketRecorder port;
        etrace::PacketTracer tracer(port);
        tracer.configure({.protocol = Protocol::ETrace,
                          .mode = InstructionMode::History,
                          .sync_units = 64,
                          .etrace = GetParam()});
        tracer.start(0);
        for (const test::Step& step : steps) {
            step.trap ? tracer.trapped(step.taken) : tracer.retired(step.retirement);
            retired_ += step.trap ? 0 : 1;
        }
        tracer.stop(steps.back().cycle());
        for (const etrace::Frame& frame : port.frames) { // a place to begin at with every start
            if (frame.packet.is(Sync::Support)) {
                append(etrace::pack_synchronisation(kFraming));
                ++places_;
            }
            append(etrace::pack_frame(frame, kFraming, {}));
        }
    }
    void append(const PackedMessage& packed) {
        bytes_.append(packed.bytes.begin(),
                      packed.bytes.begin() + static_cast<std::ptrdiff_t>(packed.size));
    }
    std::uint64_t instructions(const std::string& bytes,
                               StreamStart start = StreamStart::AtMessage) {
        Continuity check;
        Flow flow(image_);
        flow.add_sink(check);
        std::istringstream input(bytes);
        etrace::PacketReader reader(input, {.framing = kFraming, .parameters = {}}, start);
        etrace::PacketItem item;
        while (reader.next(item)) {
            if (item.frame.packet.branch_count < kLongCount) { // else it takes minutes
                flow.add(item);
            }
        }
        EXPECT_EQ(reader.bytes(), bytes.size());
        return check.instructions;
    }

    test::RandomProgram program_{0};
    ProgramImage image_ = test::image_of(program_.code());
    std::string bytes_;
    std::uint64_t retired_ = 0;
    unsigned places_ = 0;
};

TEST_P(DamagedPackets, EveryTruncationTellsNoMoreThanTheWhole) {
    ASSERT_EQ(instructions(bytes_), retired_);
    std::uint64_t before = 0;
    for (std::size_t size = 0; size < bytes_.size(); size += 7) {
        const std::uint64_t now = instructions(bytes_.substr(0, size));
        ASSERT_GE(now, before) << size;
        before = now;
    }
    EXPECT_LE(before, retired_);
}

TEST_P(DamagedPackets, ReadingBeginsAnywhere) {
    // Further back than the null bytes that the stream begins with.
    for (std::size_t cut = kFraming.sync_bytes(); cut < bytes_.size(); cut += 13) {
        const std::uint64_t now = instructions(bytes_.substr(cut), StreamStart::InMessage);
        ASSERT_FALSE(HasFailure()) << cut;
        ASSERT_LT(now, retired_);
    }
    const std::string most = bytes_.substr(kFraming.sync_bytes());
    EXPECT_GT(instructions(most, StreamStart::InMessage), retired_ / 2)
        << places_ << " places in " << bytes_.size() << " bytes";
}

TEST_P(DamagedPackets, FlippedBitsNeverBreakTheFlow) {
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 400; ++trial) {
        std::string bytes = bytes_;
        for (int flips = 0; flips < 3; ++flips) {
            bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
        }
        instructions(bytes);
        ASSERT_FALSE(HasFailure()) << trial;
    }
}

TEST_P(DamagedPackets, RandomBytesAreSurvived) {
    std::mt19937_64 random(6);
    std::string bytes(4096, '\0');
    for (int trial = 0; trial < 50; ++trial) {
        for (char& byte : bytes) {
            byte = static_cast<char>(random());
        }
        instructions(bytes);
        ASSERT_FALSE(HasFailure());
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, DamagedPackets,
                         ::testing::Values(etrace::Options{},
                                           etrace::Options{.implicit_return = true},
                                           etrace::Options{.implicit_return = true,
                                                           .jump_target_cache = true,
                                                           .branch_prediction = true}));

} // namespace
} // namespace pes::trace

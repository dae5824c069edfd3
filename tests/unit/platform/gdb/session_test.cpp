// SPDX-License-Identifier: Apache-2.0
// Packets and answers as the gdb manual has them, appendix E.2 to E.4.
#include "platform/gdb/session.h"

#include "platform/gdb/packet.h"
#include "tests/unit/platform/gdb/fake_target.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace pes::gdb::test {
namespace {

using Then = Session::Then;

class GdbSession : public testing::Test {
  protected:
    std::string ask(const std::string& packet) {
        const Session::Answer answer = session_.answer(packet);
        EXPECT_EQ(answer.then, Then::Stay) << packet;
        return answer.packets.empty() ? "nothing" : answer.packets.back();
    }
    Then then(const std::string& packet) { return session_.answer(packet).then; }

    FakeTarget target_;
    Session session_{target_};
};

TEST_F(GdbSession, TellsWhatItSupports) {
    EXPECT_NE(ask("qSupported:swbreak+;hwbreak+").find("PacketSize=4000"), std::string::npos);
    EXPECT_EQ(ask("vMustReplyEmpty"), "");
    EXPECT_EQ(ask("unknown"), "");
    EXPECT_EQ(ask(""), "");
    EXPECT_EQ(ask("qAttached"), "1");
    EXPECT_EQ(ask("vCont?"), "vCont;c;C;s;S;r");
    EXPECT_FALSE(session_.quiet());
    EXPECT_EQ(ask("QStartNoAckMode"), "OK");
    EXPECT_TRUE(session_.quiet());
}

TEST_F(GdbSession, DescribesTheRegistersInPieces) {
    const std::string begin = ask("qXfer:features:read:target.xml:0,20");
    EXPECT_EQ(begin.substr(0, 6), "m<?xml");
    EXPECT_EQ(begin.size(), 1U + 0x20);
    const std::string all = ask("qXfer:features:read:target.xml:0,3fff");
    EXPECT_EQ(all.front(), 'l');
    for (const char* text : {"org.gnu.gdb.riscv.cpu", "org.gnu.gdb.riscv.fpu",
                             "org.gnu.gdb.riscv.csr", "org.gnu.gdb.riscv.virtual",
                             "name=\"mstatus\" bitsize=\"64\" type=\"int\" regnum=\"833\"",
                             "name=\"priv\" bitsize=\"64\" type=\"int\" regnum=\"4161\"",
                             "name=\"pc\" bitsize=\"64\" type=\"code_ptr\" regnum=\"32\"",
                             "name=\"ft0\" bitsize=\"64\" type=\"ieee_double\" regnum=\"33\""}) {
        EXPECT_NE(all.find(text), std::string::npos) << text;
    }
    EXPECT_LT(all.find("fflags"), all.find("riscv.csr"));
    EXPECT_EQ(ask("qXfer:features:read:other.xml:0,20"), "E00");
    EXPECT_EQ(ask("qXfer:features:read:target.xml:fffff,1"), "E16");
    EXPECT_EQ(ask("qXfer:features:read:target.xml:"), "E16");
}

TEST_F(GdbSession, ThreadsAreHarts) {
    EXPECT_EQ(ask("qfThreadInfo"), "m1,2");
    EXPECT_EQ(ask("qsThreadInfo"), "l");
    EXPECT_EQ(ask("qC"), "QC1");
    EXPECT_EQ(ask("qThreadExtraInfo,2"), hex_of("asleep"));
    EXPECT_EQ(ask("T2"), "OK");
    EXPECT_EQ(ask("T3"), "E16");
    EXPECT_EQ(ask("Hg2"), "OK");
    EXPECT_EQ(ask("Hc-1"), "OK");
    for (const char* wrong : {"Hg3", "H", "Hx1", "Hg", "T", "Tx"}) {
        EXPECT_EQ(ask(wrong), "E16") << wrong;
    }
}

TEST_F(GdbSession, RegistersAreLittleEndianAndOfTheSelectedHart) {
    target_.values[{1, 2}] = 0x1122'3344'5566'7788;
    target_.values[{1, kFirstCsr + 0x300}] = 0xA;
    EXPECT_EQ(ask("p2"), "0000000000000000");
    ask("Hg2");
    EXPECT_EQ(ask("p2"), "8877665544332211");
    EXPECT_EQ(ask("p341"), "0a00000000000000"); // 65 + 0x300
    EXPECT_EQ(ask("p342"), "xxxxxxxxxxxxxxxx");
    EXPECT_EQ(ask("pffff"), "E16");
    EXPECT_EQ(ask("p"), "E16");
    EXPECT_EQ(ask("P2=0100000000000000"), "OK");
    EXPECT_EQ((target_.values[{1, 2}]), 1U);
    for (const char* wrong : {"P2", "P2=", "P2=0", "P342=0000000000000000", "P=00", "P2=xx"}) {
        EXPECT_EQ(ask(wrong), "E16") << wrong;
    }
    const std::string general = ask("g");
    EXPECT_EQ(general.size(), 33U * 16);
    EXPECT_EQ(general.substr(32, 16), "0100000000000000");
    EXPECT_EQ(ask("G" + std::string(16, '0') + "0500000000000000"), "OK");
    EXPECT_EQ((target_.values[{1, 1}]), 5U);
    EXPECT_EQ(ask("G00"), "E16");
}

TEST_F(GdbSession, MemoryEndsWhereItEnds) {
    EXPECT_EQ(ask("M1000,3:0102ff"), "OK");
    EXPECT_EQ(ask("m1000,4"), "0102ff00");
    EXPECT_EQ(ask("X1000,2:}]}\x03"), "OK");
    EXPECT_EQ(ask("m1000,3"), "7d23ff");
    EXPECT_EQ(ask("X1000,0:"), "OK");
    EXPECT_EQ(ask("m103f,10"), "00");
    EXPECT_EQ(ask("m1040,1"), "E0e");
    EXPECT_EQ(ask("m1000,ffffffffffffffff").size(), 128U);
    EXPECT_EQ(ask("M103f,2:0000"), "E0e");
    for (const char* wrong :
         {"m", "m1000", "m1000,", "M1000,2:00", "M1000,1", "X,1:a", "M1000,1:0"}) {
        EXPECT_EQ(ask(wrong), "E16") << wrong;
    }
}

TEST_F(GdbSession, PointsAreBreakpointsAndWatches) {
    EXPECT_EQ(ask("Z0,80000000,2"), "OK");
    EXPECT_EQ(ask("Z1,80000004,4"), "OK");
    EXPECT_EQ(ask("Z2,1000,8"), "OK");
    EXPECT_EQ(ask("Z3,1008,4"), "OK");
    EXPECT_EQ(ask("Z4,1010,1"), "OK");
    const std::vector<Point> expected{{PointKind::Breakpoint, 0x8000'0000, 0},
                                      {PointKind::Breakpoint, 0x8000'0004, 0},
                                      {PointKind::WriteWatch, 0x1000, 8},
                                      {PointKind::ReadWatch, 0x1008, 4},
                                      {PointKind::AccessWatch, 0x1010, 1}};
    EXPECT_EQ(target_.points, expected);
    EXPECT_EQ(ask("z0,80000000,4"), "OK");
    EXPECT_EQ(ask("z2,1000,8"), "OK");
    EXPECT_EQ(target_.points.size(), 3U);
    EXPECT_EQ(ask("Z0,0,2"), "E16");
    EXPECT_EQ(ask("Z0,x,2"), "E16");
    EXPECT_EQ(ask("Z5,0,2"), "");
    EXPECT_EQ(ask("Z"), "");
}

TEST_F(GdbSession, EachHartGoesOnInItsWay) {
    EXPECT_EQ(then("vCont;s:2;c"), Then::GoOn);
    EXPECT_FALSE(session_.motions()[0].steps);
    EXPECT_TRUE(session_.motions()[1].steps);
    EXPECT_EQ(then("vCont;r80000000,80000010:1;s:-1"), Then::GoOn);
    EXPECT_EQ(session_.motions()[0].range, (std::pair<Address, Address>(0x8000'0000, 0x8000'0010)));
    EXPECT_TRUE(session_.motions()[1].steps);
    EXPECT_EQ(then("vCont;C05"), Then::GoOn);
    for (const char* wrong : {"vCont;x", "vCont;s:3", "vCont;r1:1", "vCont;;c", "vCont;t"}) {
        EXPECT_EQ(ask(wrong), "E16") << wrong;
    }
    ask("Hc2");
    EXPECT_EQ(then("s80000000"), Then::GoOn);
    EXPECT_TRUE(session_.motions()[1].steps);
    EXPECT_EQ((target_.values[{1, kPc}]), 0x8000'0000U);
    EXPECT_EQ(then("C05;80000004"), Then::GoOn);
    EXPECT_EQ((target_.values[{1, kPc}]), 0x8000'0004U);
    EXPECT_EQ(then("S05"), Then::GoOn);
    EXPECT_EQ(then("C"), Then::GoOn);
    EXPECT_EQ(ask("cx"), "E16");
}

TEST_F(GdbSession, SaysOnceThatHartsHaveMovedThatTheClientTakesToStandStill) {
    const auto note_behind = [this](const char* packet, bool other_moves) {
        EXPECT_EQ(then(packet), Then::GoOn);
        target_.values[{1, 5}] += other_moves ? 1 : 0;
        session_.stopped({.reason = StopReason::Step});
        return session_.note();
    };
    EXPECT_EQ(note_behind("vCont;s:1;c", true), "");
    EXPECT_FALSE(session_.motions()[1].unasked);
    EXPECT_EQ(note_behind("vCont;s:1", false), "");
    EXPECT_TRUE(session_.motions()[1].unasked && !session_.motions()[0].unasked);
    EXPECT_NE(note_behind("vCont;s:1", true).find("maintenance flush register-cache"),
              std::string::npos);
    EXPECT_EQ(note_behind("vCont;s:1", true), "");
}

TEST_F(GdbSession, LeavesInTwoWays) {
    EXPECT_EQ(then("D"), Then::Detach);
    EXPECT_EQ(then("k"), Then::Kill);
    EXPECT_EQ(then("vKill;1"), Then::Kill);
    EXPECT_TRUE(session_.answer("k").packets.empty());
}

TEST_F(GdbSession, StopsSayWhy) {
    target_.values[{1, kPc}] = 0x8000'0010;
    const std::string where = "20:1000008000000000;thread:2;";
    EXPECT_EQ(session_.stopped({.reason = StopReason::Step, .hart = 1}), "T05" + where);
    EXPECT_EQ(ask("?"), "T05" + where);
    EXPECT_EQ(ask("qC"), "QC2");
    EXPECT_EQ(session_.stopped({.reason = StopReason::Interrupt, .hart = 1}), "T02" + where);
    EXPECT_EQ(session_.stopped({.reason = StopReason::CannotGoOn, .hart = 1}), "T06" + where);
    EXPECT_EQ(session_.stopped({.reason = StopReason::Breakpoint, .hart = 1}), "T05" + where);
    ask("qSupported:swbreak+");
    EXPECT_EQ(session_.stopped({.reason = StopReason::Breakpoint, .hart = 1}),
              "T05swbreak:;" + where);
    EXPECT_EQ(session_.stopped({StopReason::WriteWatch, 1, 0x1000}), "T05watch:1000;" + where);
    EXPECT_EQ(session_.stopped({StopReason::ReadWatch, 1, 0x1000}), "T05rwatch:1000;" + where);
    EXPECT_EQ(session_.stopped({StopReason::AccessWatch, 1, 0x1000}), "T05awatch:1000;" + where);
    EXPECT_EQ(Session::exited(7), "W07");
    EXPECT_EQ(Session::exited(124), "W7c");
}

TEST_F(GdbSession, MonitorAnswersInText) {
    ask("Hg2");
    const Session::Answer answer = session_.answer("qRcmd," + hex_of("cycle"));
    EXPECT_EQ(answer.packets, (std::vector<std::string>{"O" + hex_of("1 cycle\n"), "OK"}));
    const Session::Answer pieces = session_.answer("qRcmd," + hex_of("long"));
    ASSERT_EQ(pieces.packets.size(), 4U);
    for (const std::string& packet : pieces.packets) {
        EXPECT_LE(packet.size(), kPacketSize);
    }
    EXPECT_EQ(ask("qRcmd,6"), "E16");
}

/// Gdb manual, appendix E.2: bc and bs; E.3: replaylog.
TEST_F(GdbSession, GoesBackOnOneHartOrOnAll) {
    EXPECT_NE(ask("qSupported:swbreak+").find(";ReverseStep+;ReverseContinue+"), std::string::npos);
    EXPECT_EQ(then("Hc2"), Then::Stay);
    EXPECT_EQ(then("bs"), Then::GoBack);
    EXPECT_EQ(session_.way_back(), WayBack::Step);
    EXPECT_EQ(session_.moved_hart(), 1U);
    EXPECT_EQ(then("Hc-1"), Then::Stay);
    EXPECT_EQ(then("bc"), Then::GoBack);
    EXPECT_EQ(session_.way_back(), WayBack::Continue);
    for (const char* wrong : {"b", "b9600", "bcs", "bs1"}) {
        EXPECT_EQ(ask(wrong), "") << wrong;
    }
    EXPECT_EQ(session_.stopped({.reason = StopReason::NoHistory, .hart = 1}),
              "T05replaylog:begin;20:0000000000000000;thread:2;");
    EXPECT_EQ(session_.moved_hart(), 1U); // where it stands still
}

/// Packets that are nearly right: always an answer that fits, no crash, no hang.
TEST_F(GdbSession, MalformedPacketsAreSurvived) {
    constexpr int kTimes = 100'000;
    const std::vector<std::string> good{"?",
                                        "g",
                                        "p20",
                                        "P20=0000000000000000",
                                        "m1000,4",
                                        "M1000,2:0102",
                                        "X1000,2:ab",
                                        "Hg1",
                                        "Hc-1",
                                        "T1",
                                        "qSupported:swbreak+",
                                        "qXfer:features:read:target.xml:0,100",
                                        "qRcmd,6c6f6e67",
                                        "qThreadExtraInfo,1",
                                        "Z0,80000000,2",
                                        "z2,1000,8",
                                        "vCont;s:1;c",
                                        "vCont;r80000000,80000010:1",
                                        "c80000000",
                                        "S05;80000000",
                                        "bs",
                                        "bc",
                                        "G0000000000000000",
                                        "vKill;1"};
    constexpr std::string_view kLikely = ",;:=-0123456789abcdef}*gmMX";
    std::mt19937 random(1);
    for (int time = 0; time < kTimes; ++time) {
        std::string packet = good[random() % good.size()];
        for (unsigned left = 1 + random() % 4; left != 0; --left) {
            const std::size_t at = random() % (packet.size() + 1);
            const char letter = random() % 8 == 0 ? static_cast<char>(random())
                                                  : kLikely[random() % kLikely.size()];
            switch (random() % 3) {
            case 0:
                packet.insert(at, 1, letter);
                break;
            case 1:
                packet.erase(std::min(at, packet.size()), 1 + random() % 3);
                break;
            default:
                packet.replace(std::min(at, packet.size()), 1, 1, letter);
                break;
            }
        }
        for (const std::string& answer : session_.answer(packet).packets) {
            ASSERT_LE(answer.size(), 2 * kPacketSize) << packet;
            ASSERT_EQ(answer.find_first_of("$#"), std::string::npos) << packet;
        }
        target_.points.clear();
    }
}

} // namespace
} // namespace pes::gdb::test

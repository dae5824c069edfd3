// SPDX-License-Identifier: Apache-2.0
// Examples are those of the gdb manual, appendix E.1 "Overview".
#include "platform/gdb/packet.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace pes::gdb {
namespace {

using Kind = PacketReader::Kind;

std::vector<Kind> kinds_of(PacketReader& reader) {
    std::vector<Kind> kinds;
    while (const auto item = reader.next()) {
        kinds.push_back(item->kind);
    }
    return kinds;
}

TEST(GdbPacket, TheChecksumIsTheSumModulo256) {
    EXPECT_EQ(framed("OK"), "$OK#9a");
    EXPECT_EQ(framed(""), "$#00");
    EXPECT_EQ(framed("qSupported:multiprocess+;xmlRegisters=i386"),
              "$qSupported:multiprocess+;xmlRegisters=i386#51");
}

/// "The binary representation of 0x7d is escaped as 0x7d 0x5d."
TEST(GdbPacket, SpecialCharactersAreEscapedByBit5) {
    EXPECT_EQ(escaped("}"), "}]");
    EXPECT_EQ(escaped("#$*"), "}\x03}\x04}\x0a");
    EXPECT_EQ(unescaped("}]"), "}");
    EXPECT_EQ(unescaped("a}"), "a}");
    std::string all;
    for (int byte = 0; byte < 256; ++byte) {
        all += static_cast<char>(byte);
    }
    EXPECT_EQ(unescaped(escaped(all)), all);
    EXPECT_EQ(escaped(all).find_first_of("#$*"), std::string::npos);
}

TEST(GdbPacket, PacketsComeInPieces) {
    PacketReader reader;
    const std::string stream = "+" + framed("m80000000,4") + "\x03-" + framed("g");
    for (const char byte : stream) {
        reader.take(std::string_view(&byte, 1));
    }
    EXPECT_EQ(reader.next()->kind, Kind::Accepted);
    const auto memory = reader.next();
    EXPECT_EQ(memory->kind, Kind::Packet);
    EXPECT_EQ(memory->data, "m80000000,4");
    EXPECT_EQ(reader.next()->kind, Kind::Interrupt);
    EXPECT_EQ(reader.next()->kind, Kind::Refused);
    EXPECT_EQ(reader.next()->data, "g");
    EXPECT_FALSE(reader.next());
}

TEST(GdbPacket, AWrongChecksumIsTold) {
    for (const char* bytes : {"$g#68", "$g#zz", "$g#6", "$g#$g#67"}) {
        PacketReader reader;
        reader.take(bytes);
        const bool waits = std::string_view(bytes) == "$g#6";
        EXPECT_EQ(kinds_of(reader), waits ? std::vector<Kind>() : std::vector{Kind::Damaged})
            << bytes;
    }
}

TEST(GdbPacket, ADollarBeginsAnew) {
    PacketReader reader;
    reader.take("$half of a pack$g#67");
    EXPECT_EQ(reader.next()->data, "g");
    EXPECT_FALSE(reader.next());
}

/// Data holds an interrupt's byte as any other.
TEST(GdbPacket, TheInterruptCountsOutsidePacketsOnly) {
    PacketReader reader;
    reader.take(framed("X0,1:\x03"));
    EXPECT_EQ(kinds_of(reader), std::vector{Kind::Packet});
}

TEST(GdbPacket, ATooLongPacketIsDamaged) {
    PacketReader reader;
    reader.take(framed(std::string(2 * kPacketSize, 'a')));
    reader.take(framed(std::string(2 * kPacketSize + 1, 'a')));
    reader.take(framed("g"));
    EXPECT_EQ(kinds_of(reader), (std::vector{Kind::Packet, Kind::Damaged, Kind::Packet}));
}

TEST(GdbPacket, NumbersAreHexadecimal) {
    EXPECT_EQ(number_of("80000000"), 0x8000'0000U);
    EXPECT_EQ(number_of("ffffffffffffffff"), ~std::uint64_t{0});
    for (const char* wrong : {"", "-1", "0x1", "1ffffffffffffffff", "1 "}) {
        EXPECT_FALSE(number_of(wrong)) << wrong;
    }
    EXPECT_EQ(hex_of("AZ"), "415a");
    EXPECT_FALSE(bytes_of("123"));
    EXPECT_FALSE(bytes_of("xx"));
    EXPECT_EQ(bytes_of("7f00")->size(), 2U);
}

/// Whatever comes, a packet behind it is found.
TEST(GdbPacket, MalformedBytesAreSurvived) {
    constexpr int kTimes = 100'000;
    constexpr std::string_view kLikely = "$#}*+-\x03"
                                         "0a";
    std::mt19937 random(1);
    PacketReader reader;
    for (int time = 0; time < kTimes; ++time) {
        std::string bytes;
        for (unsigned left = random() % 24; left != 0; --left) {
            bytes += random() % 3 == 0 ? static_cast<char>(random())
                                       : kLikely[random() % kLikely.size()];
        }
        reader.take(bytes);
        kinds_of(reader);
        if (time % 64 == 0) {
            reader.take("$##" + framed("g") + framed("g")); // ends whatever was begun
            std::optional<PacketReader::Item> last;
            while (auto item = reader.next()) {
                last = std::move(item);
            }
            ASSERT_TRUE(last && last->kind == Kind::Packet && last->data == "g") << time;
        }
    }
}

} // namespace
} // namespace pes::gdb

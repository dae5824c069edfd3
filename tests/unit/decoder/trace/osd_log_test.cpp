// SPDX-License-Identifier: Apache-2.0
// Packets of a software trace module -> lines of the host log.
#include "decoder/trace/osd_log.h"

#include "tests/unit/common/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace pes::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct ReadLog {
    std::string text;
    std::vector<std::string> flaws;
};

ReadLog read(const std::string& bytes) {
    std::istringstream input(bytes);
    OsdLog log;
    ReadLog result;
    log.read(input, [&](const std::string& line) { result.text += line; });
    result.flaws = log.describe_flaws();
    return result;
}

constexpr osd::Route kRoute{.destination = 1, .source = 7};

TEST(OsdLog, ReadsAnEventWrittenByHand) {
    // Nine words: DEST 1, SRC 7, FLAGS of an event, timestamp 0x0001012c, id 4, a value of 32 bits.
    const ReadLog log = read(std::string("\x00\x08\x00\x01\x00\x07\x80\x00\x01\x2C\x00\x01\x00\x04"
                                         "\x00\x61\x00\x02",
                                         18));
    EXPECT_EQ(log.text, "0001012c 0004 0000000000020061\n");
    EXPECT_TRUE(log.flaws.empty());
}

TEST(OsdLog, ReadsValuesOfEveryWidthInPacketsOfEveryLength) {
    const osd::Event event{0x89ABCDEF, osd::kThreadSwitchId, 0x0000'0000'0000'5678};
    for (const std::size_t value_words : {1U, 2U, 4U}) {
        for (std::size_t most = osd::kHeaderWords + 1; most <= osd::kLeastPacketWords; ++most) {
            std::string bytes;
            osd::append_event(bytes, kRoute, event, value_words, most);
            osd::append_event(bytes, kRoute, event, value_words, most);
            const ReadLog log = read(bytes);
            EXPECT_EQ(log.text, "89abcdef 8000 0000000000005678\n89abcdef 8000 0000000000005678\n");
            EXPECT_TRUE(log.flaws.empty());
        }
    }
}

TEST(OsdLog, SaysHowManyEventsWereMissed) {
    std::string bytes;
    osd::append_overflow(bytes, kRoute, 3);
    const ReadLog log = read(bytes);
    EXPECT_EQ(log.text, "Overflow, missed 3 events\n");
    EXPECT_THAT(log.flaws, ElementsAre("1 overflow packet: 3 events missed"));
}

TEST(OsdLog, KeepsSendersApart) {
    std::string bytes;
    const std::array<std::uint16_t, 3> head{1, 0, 0x10};
    const std::array<std::uint16_t, 1> value{0xAA};
    osd::append_packet(bytes, {0, 1}, osd::EventKind::Event, head);
    osd::append_packet(bytes, {0, 2}, osd::EventKind::Event, head);
    osd::append_packet(bytes, {0, 1}, osd::EventKind::Continuation, value);
    osd::append_packet(bytes, {0, 2}, osd::EventKind::Continuation, value);
    EXPECT_EQ(read(bytes).text, "00000001 0010 00000000000000aa\n00000001 0010 00000000000000aa\n");
}

TEST(OsdLog, CountsWhatItCannotRead) {
    std::string bytes;
    const std::array<std::uint16_t, 3> head{1, 0, 0x10};
    osd::append_packet(bytes, kRoute, osd::EventKind::Continuation, head);
    osd::append_packet(bytes, kRoute, static_cast<osd::EventKind>(9), head);
    osd::append_packet(bytes, kRoute, osd::EventKind::Event, head);
    bytes += std::string("\x00\x05\x00", 3);
    EXPECT_THAT(read(bytes).flaws,
                ElementsAre("1 packet that a trace module does not send",
                            "2 events with a part missing", "the file ends 3 bytes into a packet"));
}

TEST(OsdLog, SurvivesEveryTruncation) {
    std::string bytes;
    for (std::uint64_t event = 0; event < 5; ++event) {
        osd::append_event(bytes, kRoute, {1, 2, event}, 4, 6);
    }
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const ReadLog log = read(bytes.substr(0, size));
        EXPECT_LE(std::count(log.text.begin(), log.text.end(), '\n'), 5) << size;
    }
}

TEST(PesDecodeOsd, WritesTheLogOfAFile) {
    const pes::test::TemporaryDirectory directory;
    std::string bytes;
    osd::append_event(bytes, kRoute, {300, osd::kThreadSwitchId, 0x80001000}, 4);
    osd::append_overflow(bytes, kRoute, 2);
    const std::string file = directory.write("run.osd", bytes).string();
    const auto run = [&](const std::string& arguments) {
        return pes::test::run_command(PES_DECODE " trace " + file + " " + arguments);
    };
    EXPECT_EQ(run("--format osd --log -").out,
              "0000012c 8000 0000000080001000\nOverflow, missed 2 events\n");
    EXPECT_THAT(run("--format osd").out, HasSubstr("1  id 0x8000 (THREAD_SWITCH)"));
    EXPECT_EQ(run("--format osd --strict").exit_code, 1);
    EXPECT_EQ(run("--format other").exit_code, 2);
    EXPECT_THAT(run("--log -").err, HasSubstr("expected --format osd beside it"));
}

TEST(PesDecodeOsd, RefusesAFileWithoutAPacket) {
    const pes::test::TemporaryDirectory directory;
    const auto run = [&](const std::string& name, const std::string& bytes) {
        return pes::test::run_command(PES_DECODE " trace --format osd " +
                                      directory.write(name, bytes).string());
    };
    const pes::test::CommandResult words = run("words", "hello\n");
    EXPECT_EQ(words.exit_code, 2);
    EXPECT_THAT(words.err, HasSubstr("holds no packet of a software trace module"));
    EXPECT_EQ(words.out, "");
    // Of one word, which has no type.
    EXPECT_EQ(run("short", std::string("\x00\x01\x00\x00", 4)).exit_code, 2);
    EXPECT_EQ(run("empty", "").exit_code, 0);
}

TEST(PesDecodeOsd, RefusesOptionsOfMessages) {
    const pes::test::TemporaryDirectory directory;
    std::string bytes;
    osd::append_overflow(bytes, kRoute, 2);
    const std::string file = directory.write("run.osd", bytes).string();
    for (const char* option :
         {"--messages -", "--perf", "--elf nothing.elf", "--src-bits 1", "--wrapped"}) {
        const pes::test::CommandResult result =
            pes::test::run_command(PES_DECODE " trace --format osd " + file + " " + option);
        EXPECT_EQ(result.exit_code, 2) << option;
        EXPECT_THAT(result.err, HasSubstr("got --format osd beside it")) << option;
        EXPECT_EQ(result.out, "") << option;
    }
}

} // namespace
} // namespace pes::trace

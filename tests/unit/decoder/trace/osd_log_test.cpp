// SPDX-License-Identifier: Apache-2.0
// Packets of a software trace module -> lines of the host log.
#include "decoder/trace/osd/osd_log.h"

#include "tests/unit/common/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
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
    OsdReader reader(input);
    ReadLog result;
    for (OsdItem item; reader.next(item);) {
        result.text += osd_log_line(item);
    }
    result.flaws = describe_flaws(reader.counts());
    return result;
}

static_assert(osd::group_of(0) == osd::IdGroup::NotUsed);
static_assert(osd::group_of(1) == osd::IdGroup::User);
static_assert(osd::group_of(0x3FFF) == osd::IdGroup::User);
static_assert(osd::group_of(0x4000) == osd::IdGroup::Common);
static_assert(osd::group_of(0x8001) == osd::IdGroup::Reserved);
static_assert(osd::group_of(0xC000) == osd::IdGroup::System);

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
    EXPECT_THAT(run("--log -").err, HasSubstr("expected --format osd as well"));
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
    for (const char* option : {"--messages -", "--perf", "--elf nothing.elf", "--src-bits 1",
                               "--wrapped", "--folded f"}) {
        const pes::test::CommandResult result =
            pes::test::run_command(PES_DECODE " trace --format osd " + file + " " + option);
        EXPECT_EQ(result.exit_code, 2) << option;
        EXPECT_THAT(result.err, HasSubstr("got --format osd as well")) << option;
        EXPECT_EQ(result.out, "") << option;
    }
}

/// Two harts in a file each, as pes-vp writes them: modules 1 and 2.
class PesDecodeSoftwareTrace : public testing::Test {
  protected:
    PesDecodeSoftwareTrace() {
        send(0, {0xFFFF'FF00, osd::kThreadSwitchId, 0x1000});
        send_text(0, 0xFFFF'FF10, osd::kThreadNameId, std::string("idle\0", 5));
        send_text(0, 0xFFFF'FFF0, osd::kPrintId, "hello\n"); // over the wrap, two cycles each
        send(0, {0x100, osd::kThreadSwitchId, 0x2000});
        send(0, {0x200, osd::kThreadSwitchId, 0x1000});
        osd::append_overflow(files_[0], {0, 1}, 3);
        send(0, {0x300, 0x123, 7});
        send(1, {0xFFFF'FFF4, osd::kThreadNameId, 0x0065'6E6F'6C61}); // "alone", packed
        send_text(1, 0xFFFF'FFF5, osd::kPrintId, "world");
        send(1, {0x250, 0x9000, 1});
        directory_.write("run.osd", files_[0]);
        directory_.write("run.osd.hart1", files_[1]);
    }

    void send(std::uint16_t hart, const osd::Event& event) {
        osd::append_event(files_[hart], {0, static_cast<std::uint16_t>(hart + 1)}, event, 4);
    }
    void send_text(std::uint16_t hart, std::uint32_t time, std::uint16_t id,
                   const std::string& text) {
        for (const char character : text) {
            send(hart, {time, id, static_cast<std::uint8_t>(character)});
            time += 4;
        }
    }
    pes::test::CommandResult decode(const std::string& options,
                                    const std::string& traces = "run.osd run.osd.hart1") const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace --format osd " + traces + " " +
                                      options);
    }

    std::array<std::string, 2> files_;
    pes::test::TemporaryDirectory directory_;
};

TEST_F(PesDecodeSoftwareTrace, PutsCharactersTogetherAndUnwrapsTimes) {
    EXPECT_EQ(decode("--itc-print -").out,
              "[1] ITC Print: Msg Tics: <4294967280-4294967296> hello\n"
              "[2] ITC Print: Msg Tics: <4294967285-4294967301> world\n");
    EXPECT_EQ(decode("--itc-print - --itc-channel 65535").err,
              "pes-decode: 'run.osd, run.osd.hart1': 1 overflow packet: 3 events missed\n"
              "pes-decode: 'run.osd, run.osd.hart1': --itc-print has nothing in it: no character "
              "was sent with id 65535\n");
}

TEST_F(PesDecodeSoftwareTrace, MergesTheHartsByTime) {
    EXPECT_EQ(decode("--csv -").out, "source,time,kind,id,value,text\n"
                                     "1,4294967040,thread-switch,0x8000,0x1000,\n"
                                     "1,4294967056,thread-name,0x4000,0x1000,idle\n"
                                     "2,4294967284,thread-name,0x4000,0x0,alone\n"
                                     "1,4294967280,text,0x0004,,hello\n"
                                     "1,4294967552,thread-switch,0x8000,0x2000,\n"
                                     "1,4294967808,thread-switch,0x8000,0x1000,idle\n"
                                     "1,4294967808,missed,,3,\n"
                                     "2,4294967888,event,0x9000,0x1,\n"
                                     "1,4294968064,event,0x0123,0x7,\n"
                                     "2,4294967285,text,0x0004,,world\n")
        << "a text is told when it ends";
    EXPECT_THAT(decode("--log -").out, HasSubstr("[2] fffffff5 0004 0000000000000077\n"));
    const pes::test::CommandResult twice = decode("--log -", "run.osd run.osd");
    EXPECT_EQ(twice.exit_code, 2);
    EXPECT_THAT(twice.err, HasSubstr("both have events of module 1"));
}

// Under Linux an interrupt comes in the middle of a name, and the kernel has a pointer of its own.
TEST_F(PesDecodeSoftwareTrace, ANameGoesOnBehindSwitchesAndBack) {
    files_[0].clear();
    send(0, {0x100, osd::kThreadSwitchId, 0x1000});
    send_text(0, 0x110, osd::kThreadNameId, "rec");
    send(0, {0x200, osd::kThreadSwitchId, 0x2000});
    send(0, {0x210, 0x123, 1});
    send(0, {0x220, osd::kThreadSwitchId, 0x1000});
    send_text(0, 0x230, osd::kThreadNameId, "eiver");
    send(0, {0x300, osd::kThreadSwitchId, 0x2000});
    send(0, {0x310, osd::kThreadSwitchId, 0x1000});
    send(0, {0x320, 0x456, 2});
    directory_.write("names.osd", files_[0]);
    EXPECT_EQ(decode("--csv -", "names.osd").out, "source,time,kind,id,value,text\n"
                                                  "1,256,thread-switch,0x8000,0x1000,\n"
                                                  "1,512,thread-switch,0x8000,0x2000,\n"
                                                  "1,528,event,0x0123,0x1,\n"
                                                  "1,544,thread-switch,0x8000,0x1000,rec\n"
                                                  "1,768,thread-switch,0x8000,0x2000,\n"
                                                  "1,784,thread-switch,0x8000,0x1000,rec\n"
                                                  "1,272,thread-name,0x4000,0x1000,receiver\n"
                                                  "1,800,event,0x0456,0x2,\n");
}

TEST_F(PesDecodeSoftwareTrace, WritesJsonLines) {
    std::istringstream lines(decode("--json-lines -").out);
    std::vector<nlohmann::json> objects;
    for (std::string line; std::getline(lines, line);) {
        objects.push_back(nlohmann::json::parse(line));
    }
    ASSERT_EQ(objects.size(), 10U);
    EXPECT_EQ(objects[1], nlohmann::json::parse(R"({"type":"thread-name","source":1,
        "time":4294967056,"thread":"0x1000","name":"idle"})"));
    EXPECT_EQ(objects[3], nlohmann::json::parse(R"({"type":"text","source":1,"time":4294967280,
        "until":4294967296,"text":"hello"})"));
    EXPECT_EQ(objects[8], nlohmann::json::parse(R"({"type":"event","source":1,"time":4294968064,
        "id":"0x0123","value":"0x7"})"));
}

TEST_F(PesDecodeSoftwareTrace, ThreadsAreSlicesWithTheirNames) {
    EXPECT_EQ(decode("--timeline timeline.json --clock-hz 1000000").exit_code, 0);
    const auto timeline = nlohmann::json::parse(pes::test::read_file(directory_ / "timeline.json"));
    std::vector<std::string> slices;
    for (const auto& event : timeline["traceEvents"]) {
        const std::string phase = event["ph"].get<std::string>();
        if (phase == "B" || phase == "E") {
            slices.push_back(phase + " " + event["name"].get<std::string>() + " " +
                             event["ts"].dump());
        }
    }
    EXPECT_THAT(slices, ElementsAre("B idle 4294967040.0", "E idle 4294967552.0",
                                    "B 0x2000 4294967552.001", "E 0x2000 4294967808.0",
                                    "B idle 4294967808.001", "E idle 4294968064.0"))
        << "a name counts from the slice on in which it was told";
    EXPECT_THAT(timeline.dump(), HasSubstr("hello"));
}

TEST_F(PesDecodeSoftwareTrace, WritesCtfThatBabeltraceReads) {
    if (std::string(BABELTRACE).empty()) {
        GTEST_SKIP() << "babeltrace2 was not there when the tests were configured";
    }
    EXPECT_EQ(decode("--ctf --output-dir new").exit_code, 0);
    const pes::test::CommandResult read =
        pes::test::run_command(BABELTRACE " " + (directory_ / "new/ctf").string());
    EXPECT_EQ(read.exit_code, 0) << read.err;
    for (const char* part : {"pes:text", "text = \"hello\"", "text = \"world\"",
                             "thread = 0x1000, name = \"idle\"", "id = 291, value = 0x7"}) {
        EXPECT_THAT(read.out, HasSubstr(part));
    }
    EXPECT_THAT(read.err, HasSubstr("discarded events")) << "the missed ones";
}

TEST_F(PesDecodeSoftwareTrace, NamesTheGroupsOfIds) {
    EXPECT_THAT(decode("").out, HasSubstr("1  id 0x9000 (reserved)"));
    EXPECT_THAT(decode("").out, HasSubstr("6  id 0x4000 (THREAD_NAME)"));
}

} // namespace
} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// pes-decode trace as a subprocess.
#include "hw/interface/trace/crc32.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/trace_bytes.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {
namespace {

using pes::test::CommandResult;
using pes::test::read_file;
using pes::test::TemporaryDirectory;
using test::stimulus_write;
using test::time_event;
using test::TraceWriter;
using testing::HasSubstr;
using testing::StartsWith;

class PesDecodeTrace : public testing::Test {
  protected:
    void SetUp() override {
        directory_.write("sound.rtd", TraceWriter(0)
                                          .at(849, time_event())
                                          .at(850, stimulus_write(0x18, 42))
                                          .raw("\xFF\xFF\xFF")
                                          .bytes());
        directory_.write("torn.rtd",
                         TraceWriter(0).at(849, time_event()).raw("\xE0\x03\x1C").bytes());
        files_ = directory_.count();
    }

    CommandResult decode(const std::string& arguments) const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace " + arguments);
    }

    void expect_user_error(const std::string& arguments, const std::string& part) const {
        const CommandResult result = decode(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments;
        EXPECT_THAT(result.err, StartsWith("pes-decode: ")) << arguments;
        EXPECT_THAT(result.err, HasSubstr(part)) << arguments;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        EXPECT_EQ(result.out, "") << arguments;
        EXPECT_EQ(directory_.count(), files_) << arguments;
    }

    TemporaryDirectory directory_;
    std::size_t files_ = 0;
};

/// As a run that is killed between the two renames leaves them.
TEST_F(PesDecodeTrace, SaysThatTheFileBesideATraceIsOfAnotherTrace) {
    directory_.write("sound.rtd.toml", "bytes = 4");
    const CommandResult result = decode("sound.rtd --strict");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr("'sound.rtd': its .toml was written for a trace of 4 bytes, "
                                      "not of "));
    const auto size = std::filesystem::file_size(directory_ / "sound.rtd");
    directory_.write("sound.rtd.toml", "bytes = " + std::to_string(size));
    EXPECT_EQ(decode("sound.rtd").err, "");
    directory_.write("sound.rtd.toml", "bytes = -1");
    files_ = directory_.count();
    expect_user_error("sound.rtd",
                      "sound.rtd.toml:1: bytes = -1 is not valid, expected a whole number");
}

/// Another trace of the same length, which the number of bytes does not tell apart.
TEST_F(PesDecodeTrace, RefusesATraceWithTheFileOfAnotherOne) {
    Crc32 sum;
    const std::string bytes = read_file(directory_ / "sound.rtd");
    sum.add(bytes.data(), bytes.size());
    const std::string head = fmt::format("bytes = {}\ncrc32 = ", bytes.size());
    directory_.write("sound.rtd.toml", head + std::to_string(sum.value()));
    EXPECT_EQ(decode("sound.rtd").err, "");
    directory_.write("sound.rtd.toml", head + "0x12345678");
    files_ = directory_.count();
    expect_user_error("sound.rtd --csv out.csv",
                      fmt::format("'sound.rtd.toml' is of another trace: its crc32 is 0x12345678, "
                                  "that of 'sound.rtd' {:#010x}; expected the file that was "
                                  "written with this trace, or none\n",
                                  sum.value()));
    directory_.write("sound.rtd.toml", "crc32 = 0x1_0000_0000");
    expect_user_error("sound.rtd", "sound.rtd.toml:1: crc32 = 0x100000000 is not valid, "
                                   "expected a whole number from 0 to 4294967295");
}

/// A wrong width of SRC, say, is not what is wrong then.
TEST_F(PesDecodeTrace, NamesTheFileOfAnotherTraceBeforeAllThatComesOfIt) {
    directory_.write("none.rtd", "\x01\x01");
    directory_.write("none.rtd.toml", "crc32 = 1");
    files_ = directory_.count();
    expect_user_error("none.rtd", "'none.rtd.toml' is of another trace");
}

/// What is left of a message of TCODE 7 is, read as one, the absolute time 3 << 6 | 5.
TEST_F(PesDecodeTrace, TakesNoRestOfAMessageInAWrappedBufferForAMessage) {
    directory_.write("wrapped.rtd", TraceWriter(0)
                                        .raw({"\x8C\x00\x01\x14\x0F", 5})
                                        .at(849, time_event())
                                        .at(850, stimulus_write(0x18, 42))
                                        .bytes());
    const std::string lines = "Msg # 1, Tics: 849, TCode: INCIRCUITTRACE WS (35)";
    EXPECT_THAT(decode("wrapped.rtd --messages -").out, StartsWith("Msg # 1, Tics: 197, "));
    EXPECT_THAT(decode("wrapped.rtd --wrapped --messages -").out, StartsWith(lines));
    const CommandResult result = decode("wrapped.rtd --wrapped --strict");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("2 messages in 14 bytes, 0 idle"));
    EXPECT_THAT(result.out, HasSubstr("left out         5 bytes of a message"));
    directory_.write("wrapped.rtd.toml", "wrapped = true\n");
    EXPECT_THAT(decode("wrapped.rtd --messages -").out, StartsWith(lines));
}

/// The file ends in a message, and so in a record whose kind and address are there.
TEST_F(PesDecodeTrace, WhatAFullBufferCutsIsNoFlawOfATraceThatStopped) {
    constexpr unsigned kWord = 0x18; // stimulus 6
    constexpr unsigned kByte = 0x1B;
    const std::string bytes = TraceWriter(0)
                                  .at(849, time_event())
                                  .at(850, stimulus_write(kWord, 0x70657266))
                                  .at(851, stimulus_write(kByte, 0))
                                  .at(852, stimulus_write(kWord, 0))
                                  .at(853, stimulus_write(kByte, 2)) // a whole record
                                  .at(854, stimulus_write(kWord, 0x80000000))
                                  .at(855, stimulus_write(kByte, 2))
                                  .at(856, stimulus_write(kWord, 0x80000000))
                                  .bytes();
    directory_.write("stopped.rtd", bytes.substr(0, bytes.size() - 2));
    const CommandResult taken_for_whole = decode("stopped.rtd --strict --csv out.csv");
    EXPECT_EQ(taken_for_whole.exit_code, 1);
    EXPECT_THAT(taken_for_whole.out, HasSubstr("bytes into a message"));
    EXPECT_THAT(taken_for_whole.out, HasSubstr("performance records interrupted 1 time"));
    const auto expect_no_flaw = [&](const CommandResult& result) {
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_THAT(result.out, HasSubstr("bytes of a message that the full buffer cuts"));
        EXPECT_THAT(result.out, HasSubstr("1 record that the full buffer cuts"));
        EXPECT_THAT(result.out, HasSubstr("1 performance header with 1 record\n"));
    };
    expect_no_flaw(decode("stopped.rtd --stopped --strict --csv out.csv"));
    directory_.write("stopped.rtd.toml", "stopped = true\n");
    expect_no_flaw(decode("stopped.rtd --strict --csv out.csv"));
}

TEST_F(PesDecodeTrace, SumsUpASoundFile) {
    const CommandResult result = decode("sound.rtd --strict");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("sound.rtd: 2 messages in 12 bytes, 3 idle"));
    EXPECT_THAT(result.out, HasSubstr("1  DATA ACQUISITION (7)"));
    EXPECT_THAT(result.out, testing::Not(HasSubstr("damage")));
}

TEST_F(PesDecodeTrace, PrintsMessagesInsteadOfTheSummary) {
    const CommandResult result = decode("sound.rtd --messages -");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out,
              "Msg # 1, Tics: 849, TCode: INCIRCUITTRACE WS (35) ICT Reason: Control (0) "
              "Control 0\n"
              "Msg # 2, Tics: 850, TCode: DATA ACQUISITION (7) idTag: 0x00000018 Data: "
              "0x0000002a\n");
}

TEST_F(PesDecodeTrace, WritesMessagesToAFileBesideTheSummary) {
    const CommandResult result = decode("sound.rtd --messages messages.txt");
    EXPECT_THAT(result.out, HasSubstr("2 messages"));
    EXPECT_EQ(directory_.count(), files_ + 1);
}

TEST_F(PesDecodeTrace, PrintsTheTextOfAStimulus) {
    directory_.write("hello.rtd", TraceWriter(0)
                                      .at(100, time_event())
                                      .at(101, stimulus_write(4 * 6, 0x6C6C6568)) // "hell"
                                      .at(102, stimulus_write(0, 0x58585858))
                                      .at(150, stimulus_write(4 * 6 + 2, 0x0A6F)) // "o\n"
                                      .bytes());
    EXPECT_EQ(decode("hello.rtd --itc-print - --itc-channel 6").out,
              "ITC Print: Msg Tics: <101-150> hello\n");
    EXPECT_EQ(decode("hello.rtd --itc-print -").out, "ITC Print: Msg Tics: <102-102> XXXX\n");
    EXPECT_THAT(decode("hello.rtd --itc-print text.txt --messages messages.txt").out,
                HasSubstr("4 messages"));
    EXPECT_EQ(directory_.count(), files_ + 3);
}

TEST_F(PesDecodeTrace, SaysWhatIsDamagedAndWhere) {
    const CommandResult lenient = decode("torn.rtd");
    EXPECT_EQ(lenient.exit_code, 0);
    EXPECT_THAT(lenient.out, HasSubstr("1 x unknown TCODE"));
    EXPECT_THAT(lenient.out, HasSubstr("at 0x00000005    2 bytes: unknown TCODE 56"));
    EXPECT_THAT(lenient.out, HasSubstr("at 0x00000007    1 byte: the file ends inside a message"));
    EXPECT_EQ(lenient.err, "");
    const CommandResult strict = decode("torn.rtd --strict --messages -");
    EXPECT_EQ(strict.exit_code, 1);
    EXPECT_THAT(strict.out, HasSubstr("# at 0x5, 2 bytes: unknown TCODE 56\n"));
    EXPECT_THAT(strict.err, HasSubstr("pes-decode: 'torn.rtd': 1 x unknown TCODE\n"));
}

TEST_F(PesDecodeTrace, ReadsTheDialectThatTheTraceShowsUnlessTold) {
    TraceWriter writer(0, {TimestampDialect::NTrace, 64});
    writer.at(849, time_event()).at(850, stimulus_write(0, 1)).at(851, stimulus_write(0, 1));
    directory_.write("additive.rtd", writer.bytes());
    EXPECT_THAT(decode("additive.rtd --messages - --timestamps n-trace").out,
                HasSubstr("Tics: 851,"));
    const CommandResult found = decode("additive.rtd --messages -");
    EXPECT_THAT(found.out, HasSubstr("Tics: 851,"));
    EXPECT_THAT(found.err, HasSubstr("its times read as those of N-Trace"));
    EXPECT_THAT(decode("additive.rtd --messages - --timestamps sifive").out,
                testing::Not(HasSubstr("Tics: 851,")));
    EXPECT_EQ(decode("sound.rtd --messages -").err, "") << "SiFive's dialect is the default";
}

TEST_F(PesDecodeTrace, WrapsTimesAtTheWidthOfTheCounter) {
    TraceWriter writer(0, {TimestampDialect::SiFive, 8});
    writer.at(0xF0, time_event()).at(0x110, stimulus_write(0, 1));
    directory_.write("narrow.rtd", writer.bytes());
    EXPECT_THAT(decode("narrow.rtd --messages - --timestamp-bits 8").out, HasSubstr("Tics: 272,"));
    EXPECT_THAT(decode("narrow.rtd --messages - --timestamps sifive").out,
                HasSubstr("Tics: 1099511627792,"))
        << "2^40 + 16";
}

TEST_F(PesDecodeTrace, PointsOutAWrongWidthOfTheSource) {
    TraceWriter writer(2);
    for (std::uint16_t source = 0; source < 4; ++source) {
        writer.at(10, time_event(source));
        TraceMessage sample = make_message(MessageCode::InCircuitTrace)
                                  .set(Field::EventSource, EventSource::PcSample)
                                  .set(Field::EventData0, 0x123);
        sample.source = source;
        // Of whole-word writes to stimulus 6 alone, SRC could have five bits just as well.
        writer.at(20, sample).at(30, stimulus_write(0x18, 1, source));
        writer.at(40, stimulus_write(0x1A, 1, source));
    }
    directory_.write("four.rtd", writer.bytes());
    EXPECT_EQ(decode("four.rtd --src-bits 2 --strict").exit_code, 0);
    const CommandResult result = decode("four.rtd --strict");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("--src-bits 2 would read the start of the file"));
}

TEST_F(PesDecodeTrace, BlamesNoWidthOfTheSourceForAFlawOfAnotherKind) {
    TraceWriter writer(0);
    writer.at(10, time_event()).at(20, stimulus_write(0x18, 1)).at(30, stimulus_write(0x18, 2));
    directory_.write("ambiguous.rtd", writer.bytes());
    ASSERT_EQ(decode("ambiguous.rtd --src-bits 1 --strict").exit_code, 0);
    directory_.write("cut.rtd", writer.raw("\x1C").bytes());
    const CommandResult result = decode("cut.rtd --strict");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("the file ends 1 byte into a message"));
    EXPECT_THAT(result.err, testing::Not(HasSubstr("--src-bits")));
}

TEST_F(PesDecodeTrace, ReadsAnEmptyFile) {
    directory_.write("empty.rtd", "");
    const CommandResult result = decode("empty.rtd --strict");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("0 messages in 0 bytes"));
}

TEST_F(PesDecodeTrace, RefusesWhatIsNotATrace) {
    directory_.write("zeros.bin", std::string(64, '\0'));
    files_ = directory_.count();
    expect_user_error("zeros.bin", "no trace message");
    expect_user_error("zeros.bin --messages out.txt", "no trace message");
    expect_user_error("nothing.rtd", "'nothing.rtd'");
    expect_user_error(".", "directory");
    expect_user_error("", "FILE");
}

TEST_F(PesDecodeTrace, RefusesValuesThatOptionsCannotHave) {
    expect_user_error("sound.rtd --src-bits 13", "--src-bits got '13', expected 0 to 12");
    expect_user_error("sound.rtd --src-bits two", "--src-bits got 'two'");
    expect_user_error("sound.rtd --timestamps xor", "--timestamps got 'xor', expected sifive");
    expect_user_error("sound.rtd --timestamp-bits 0", "--timestamp-bits got '0', expected 1 to 64");
    expect_user_error("sound.rtd --itc-print - --itc-channel 32",
                      "--itc-channel got '32', expected 0 to 31");
    expect_user_error("sound.rtd --itc-channel 3", "expected --itc-print");
    expect_user_error("sound.rtd --no-load-strings off", "expected --itc-print as well");
    expect_user_error("sound.rtd --itc-print - --messages -", "standard output");
    expect_user_error("sound.rtd --messages sound.rtd", "sound.rtd");
}

} // namespace
} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// pes-decode trace --perf as a subprocess: the published files, their lines written out by hand.
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/perf_writes.h"
#include "tests/unit/decoder/trace/small_program.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace pes::trace {
namespace {

using namespace perf_record;
using pes::test::CommandResult;
using pes::test::read_file;
using pes::test::TemporaryDirectory;
using test::PerfWrites;
using test::TraceWriter;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class PesDecodePerf : public testing::Test {
  protected:
    void SetUp() override {
        directory_.write("hello.elf",
                         test::small_program(
                             {{"main", 0x80000000, 0x40}, {"_ZN5guest4workEv", 0x80000040, 0x20}}));
    }

    CommandResult decode(const std::string& arguments) const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace " + arguments);
    }
    std::string file(const std::string& name) const { return read_file(directory_ / name); }

    void expect_user_error(const std::string& arguments, const std::string& part) const {
        const CommandResult result = decode(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments;
        EXPECT_THAT(result.err, HasSubstr(part)) << arguments;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }

    /// Header at 1000, mask at 1020, definitions up to 1080, then two records.
    void write_two_records(CountType type) {
        PerfWrites writes;
        writes.header(type, 0x5, 40);
        writes.record(RecordKind::FunctionEnter, {0x80000040, 0x80000010}, {100, 0x1'0000'0002});
        writes.manual(0x80000044, {200, 300});
        directory_.write("run.rtd", writes.trace());
    }

    TemporaryDirectory directory_;
};

constexpr const char* kDefinitions0 =
    "[0] 1050 [Perf Cntr Def] [Counter=0] [Type=0] [Code=0] [EventData=0x00000000] "
    "[CntrCSR=0xc00] [CntrBits=40]\n";
constexpr const char* kDefinitions2 =
    "[0] 1080 [Perf Cntr Def] [Counter=2] [Type=0] [Code=2] [EventData=0x00000000] "
    "[CntrCSR=0xc02] [CntrBits=40]\n";

TEST_F(PesDecodePerf, WritesThePublishedFilesByteForByte) {
    write_two_records(CountType::Raw);
    const CommandResult result = decode("run.rtd --elf hello.elf --perf --strict");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("1 performance header with 2 records"));
    // Kind 1090, addresses 1100 and 1110, values 1120 (ends at 1130) and 1130 + 1140, then the
    // second record: 1150, 1160, 1170 and 1180, of which the last one never comes out.
    const std::string head = "# ELFPATH=hello.elf\n";
    const std::string raw = "# COUNT_TYPE: RAW\n";
    const std::string work = " ffl::_ZN5guest4workEv:0\n";
    const std::string enter = "[0] 1110 [Func Enter at 0x80000040] [Called From 0x80000010]" + work;
    const std::string value0 = "[0] 1130 PC=0x80000040 [Perf Cntr] [Index=0] [Value=100] " + work;
    const std::string value2 =
        "[0] 1140 PC=0x80000040 [Perf Cntr] [Index=2] [Value=4294967298] " + work;
    const std::string address = "[0] 1160 PC=0x80000044 [Address]" + work;
    const std::string next0 = "[0] 1180 PC=0x80000044 [Perf Cntr] [Index=0] [Value=200] " + work;
    EXPECT_EQ(file("hello.perf"), head + raw + "[0] 1020 [Perf Cntr Mask] [Mask=0x00000005]\n" +
                                      kDefinitions0 + kDefinitions2 + enter + value0 + value2 +
                                      address + next0);
    EXPECT_EQ(file("perf/hello.address"), head + raw + address);
    EXPECT_EQ(file("perf/hello.callret"), head + raw + enter);
    EXPECT_EQ(file("perf/hello.perfchannel0"), head + raw + kDefinitions0 + value0 + next0);
    EXPECT_EQ(file("perf/hello.perfchannel2"), head + raw + kDefinitions2 + value2);
    EXPECT_FALSE(std::filesystem::exists(directory_ / "perf/hello.perfchannel1"));
}

TEST_F(PesDecodePerf, MendsTimesAndTheLastValueOnRequest) {
    write_two_records(CountType::Raw);
    decode("run.rtd --elf hello.elf --perf --fixed");
    const std::string work = " ffl::_ZN5guest4workEv:0\n";
    EXPECT_THAT(file("hello.perf"),
                HasSubstr("[0] 1120 PC=0x80000040 [Perf Cntr] [Index=0] [Value=100] " + work +
                          "[0] 1140 PC=0x80000040 [Perf Cntr] [Index=2] [Value=4294967298] " +
                          work));
    EXPECT_THAT(
        file("perf/hello.perfchannel2"),
        testing::EndsWith("[0] 1180 PC=0x80000044 [Perf Cntr] [Index=2] [Value=300] " + work));
}

TEST_F(PesDecodePerf, PrintsAnExitAtThePlaceThatItReturnsTo) {
    PerfWrites writes;
    writes.header(CountType::Delta, 0x80000000);
    writes.record(RecordKind::FunctionExit, {0x80000040, 0x80000010}, {1});
    writes.record(RecordKind::Interrupt, {0x80000000}, {2});
    directory_.write("run.rtd", writes.trace());
    decode("run.rtd --elf hello.elf --perf");
    EXPECT_EQ(file("perf/hello.callret"),
              "# ELFPATH=hello.elf\n# COUNT_TYPE: Delta\n"
              "[0] 1080 [Func Exit] [Func at 0x80000040] [Returning to 0x80000010] ffl::main:0\n");
    EXPECT_THAT(
        file("perf/hello.perfchannel31"),
        HasSubstr("[0] 1100 PC=0x80000010 [Perf Cntr] [Index=31] [Value=1]  ffl::main:0\n"));
    EXPECT_THAT(file("perf/hello.address"), HasSubstr(" PC=0x80000000 [Address] ffl::main:0\n"));
}

TEST_F(PesDecodePerf, PrintsARawEventWithItsData) {
    PerfWrites writes;
    write_header(writes, CountType::DeltaXor, 8);
    write_definition(writes, EventType::Raw, 0x12'0000'0021, {0xC03, 48});
    directory_.write("run.rtd", writes.trace());
    decode("run.rtd --elf hello.elf --perf");
    EXPECT_EQ(file("perf/hello.perfchannel3"),
              "# ELFPATH=hello.elf\n# COUNT_TYPE: DeltaXOR\n"
              "[0] 1060 [Perf Cntr Def] [Counter=3] [Type=2] [Code=0] [EventData=0x1200000021] "
              "[CntrCSR=0xc03] [CntrBits=48]\n");
}

TEST_F(PesDecodePerf, LosesASecondWrapOnlyInThePublishedStyle) {
    PerfWrites writes;
    writes.header(CountType::DeltaXor, 1, 8);
    std::uint64_t previous_counter = 0;
    for (const std::uint64_t counter : {200, 100, 50}) { // wraps twice
        writes.manual(counter == 200 ? 0x80000000 : 0,
                      {coded_value(CountType::DeltaXor, counter, previous_counter, 8)});
        previous_counter = counter;
    }
    writes.manual(0, {0});
    directory_.write("run.rtd", writes.trace());
    const auto values = [&] {
        std::string all;
        std::istringstream lines(file("perf/hello.perfchannel0"));
        for (std::string line; std::getline(lines, line);) {
            if (const auto at = line.find("[Value="); at != std::string::npos) {
                all += line.substr(at + 7, line.find(']', at) - at - 7) + " ";
            }
        }
        return all;
    };
    decode("run.rtd --elf hello.elf --perf");
    EXPECT_EQ(values(), "200 356 50 ");
    decode("run.rtd --elf hello.elf --perf --fixed");
    EXPECT_EQ(values(), "200 356 562 562 ");
}

TEST_F(PesDecodePerf, LeavesOutRecordsOutsideOfTheProgramUnlessFixed) {
    PerfWrites writes;
    writes.header(CountType::Raw, 1).manual(0x1000, {7}).manual(0x80000000, {8}).manual(0, {9});
    directory_.write("run.rtd", writes.trace());
    const CommandResult result = decode("run.rtd --elf hello.elf --perf --strict");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("2 performance records with an address outside"));
    EXPECT_THAT(file("hello.perf"), Not(HasSubstr("0x00001000")));
    EXPECT_THAT(file("hello.perf"), HasSubstr("[Value=8]"));
    decode("run.rtd --elf hello.elf --perf --fixed");
    EXPECT_THAT(file("hello.perf"), HasSubstr("PC=0x00001000 [Address]\n"));
    EXPECT_THAT(file("hello.perf"), HasSubstr("PC=0x00001000 [Perf Cntr] [Index=0] [Value=7] \n"));
}

TEST_F(PesDecodePerf, PrintsTheLowHalfOfTimesUnlessFixed) {
    TraceWriter writer(0, {TimestampDialect::SiFive, 40});
    PerfWrites writes;
    writes.header(CountType::Raw, 0).manual(0x80000000, {});
    writer.at(0x1'8000'0000, test::time_event());
    for (const PerfWrite& write : writes.list()) {
        writer.at(0x1'8000'0005, to_message({6, write.bytes, write.value}));
    }
    directory_.write("run.rtd", writer.bytes());
    decode("run.rtd --elf hello.elf --perf");
    EXPECT_THAT(file("perf/hello.address"), HasSubstr("[0] -2147483643 PC=0x80000000 [Address]"));
    decode("run.rtd --elf hello.elf --perf --fixed");
    EXPECT_THAT(file("perf/hello.address"), HasSubstr("[0] 6442450949 PC=0x80000000 [Address]"));
}

TEST_F(PesDecodePerf, NumbersCoresByTheirSource) {
    PerfWrites writes(3);
    writes.header(CountType::Raw, 0).manual(0x80000000, {});
    directory_.write("run.rtd", writes.trace(2));
    decode("run.rtd --elf hello.elf --perf --src-bits 2");
    EXPECT_THAT(file("perf/hello.address"), HasSubstr("\n[3] 1040 PC=0x80000000 [Address]"));
}

TEST_F(PesDecodePerf, ReadsTheChannelThatItIsTold) {
    PerfWrites writes;
    writes.header(CountType::Raw, 0).manual(0x80000000, {});
    directory_.write("run.rtd", writes.trace(0, 9));
    EXPECT_THAT(decode("run.rtd --elf hello.elf --perf").out,
                HasSubstr("0 performance headers with 0 records"));
    EXPECT_EQ(file("hello.perf"), "# ELFPATH=hello.elf\n");
    EXPECT_THAT(decode("run.rtd --elf hello.elf --perf --perf-channel 9").out,
                HasSubstr("1 performance header with 1 record\n"));
}

TEST_F(PesDecodePerf, PutsTheFilesBesideTheTraceOrWhereItIsTold) {
    std::filesystem::create_directory(directory_ / "traces");
    PerfWrites writes;
    writes.header(CountType::Raw, 0).manual(0x80000000, {});
    directory_.write("traces/run.rtd", writes.trace());
    decode("traces/run.rtd --elf hello.elf --perf");
    EXPECT_TRUE(std::filesystem::exists(directory_ / "traces/hello.perf"));
    EXPECT_TRUE(std::filesystem::exists(directory_ / "traces/perf/hello.address"));
    decode("traces/run.rtd --elf hello.elf --perf --output-dir new/results");
    EXPECT_TRUE(std::filesystem::exists(directory_ / "new/results/perf/hello.address"));
}

TEST_F(PesDecodePerf, ReadsTheStandardInput) {
    write_two_records(CountType::Raw);
    decode("run.rtd --elf hello.elf --perf --output-dir expected");
    const CommandResult result = decode("- --elf hello.elf --perf --output-dir new < run.rtd");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("1 performance header with 2 records"));
    EXPECT_EQ(file("new/hello.perf"), file("expected/hello.perf"));
}

TEST_F(PesDecodePerf, SaysWhereRecordsAreLost) {
    PerfWrites writes;
    writes.header(CountType::Raw, 1).manual(0x80000000, {1}).manual(0x80000004, {2});
    writes.drop(writes.size() - 1, 1);
    directory_.write("run.rtd", writes.trace());
    const CommandResult result = decode("run.rtd --elf hello.elf --perf --strict");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, HasSubstr("records of source 0: the trace ends inside of them, 0 "
                                      "writes dropped"));
    EXPECT_THAT(result.err, HasSubstr("performance records interrupted 1 time, 0 writes dropped"));
}

TEST_F(PesDecodePerf, RefusesOptionsThatLackTheirCompanion) {
    directory_.write("run.rtd", "");
    expect_user_error("run.rtd --perf", "expected --elf as well");
    expect_user_error("run.rtd --fixed", "--fixed got nothing to apply to");
    expect_user_error("run.rtd --folded - --folded-weight instructions", "expected --elf as well");
    expect_user_error("run.rtd --output-dir .", "--output-dir got nothing to apply to");
    expect_user_error("run.rtd --elf hello.elf --perf --perf-channel 32", "expected 0 to 31");
    expect_user_error("run.rtd --elf hello.elf --perf --output-dir hello.elf/results",
                      "cannot make the directory");
}

TEST_F(PesDecodePerf, LeavesNothingBehindWhenItFails) {
    directory_.write("noise.rtd", std::string(20, '\x03'));
    directory_.write("run.rtd", "");
    const std::size_t files = directory_.count();
    expect_user_error("noise.rtd --elf hello.elf --perf", "holds no trace message");
    EXPECT_EQ(directory_.count(), files);
    expect_user_error("noise.rtd --elf hello.elf --ctf --output-dir new/results",
                      "holds no trace message");
    EXPECT_EQ(directory_.count(), files);
    directory_.write("perf", "a file in the place of the directory");
    expect_user_error("run.rtd --elf hello.elf --perf", "cannot make the directory 'perf'");
    EXPECT_EQ(directory_.count(), files + 1);
}

} // namespace
} // namespace pes::trace

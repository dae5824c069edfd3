// SPDX-License-Identifier: Apache-2.0
// Who says how a trace is encoded: options, the file beside the trace, defaults.
#include "decoder/trace/trace_settings.h"
#include "platform/host/user_error.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using pes::test::TemporaryDirectory;

constexpr TimestampFormat kNTrace{TimestampDialect::NTrace, 48};

TEST(TraceSettings, DefaultsAreThoseOfSiFivesEncoders) {
    const TraceEncoding encoding = resolve({}, {});
    EXPECT_EQ(encoding.timestamps, (TimestampFormat{TimestampDialect::SiFive, 40}));
    EXPECT_EQ(encoding.source_bits, 0U);
    EXPECT_TRUE(encoding.programs.empty());
}

TEST(TraceSettings, OptionsWinOverTheFile) {
    TraceSettings file;
    file.dialect = TimestampDialect::NTrace;
    file.timestamp_bits = 48;
    file.source_bits = 3;
    file.programs = {{"a.elf", 0, std::nullopt}};
    EXPECT_EQ(resolve({}, file).timestamps, kNTrace);
    TraceSettings options;
    options.dialect = TimestampDialect::SiFive;
    options.source_bits = 1;
    options.programs = {{"b.elf", 0, std::nullopt}};
    const TraceEncoding encoding = resolve(options, file);
    EXPECT_EQ(encoding.timestamps, (TimestampFormat{TimestampDialect::SiFive, 40}))
        << "the width that the file gives is that of its dialect";
    EXPECT_EQ(encoding.source_bits, 1U);
    EXPECT_EQ(paths_of(encoding.programs), std::vector<std::string>{"b.elf"});
    options = {};
    options.timestamp_bits = 32;
    EXPECT_EQ(resolve(options, file).timestamps, (TimestampFormat{TimestampDialect::NTrace, 32}));
}

TEST(TraceSettings, TheFileBesideTheTraceIsRead) {
    const TemporaryDirectory directory;
    const std::string trace = (directory.path() / "t.rtd").string();
    EXPECT_FALSE(read_side_file(trace).dialect);
    directory.write("p.elf", "");
    directory.write("t.rtd.toml", "timestamps = \"n-trace\"\ntimestamp_bits = 48\nsource_bits = 2\n"
                                  "clock_hz = 1000000000\nprogram = \"/not/here/p.elf\"\n"
                                  "later = true\n");
    const TraceSettings settings = read_side_file(trace);
    EXPECT_EQ(settings.dialect, TimestampDialect::NTrace);
    EXPECT_EQ(settings.timestamp_bits, 48U);
    EXPECT_EQ(settings.source_bits, 2U);
    EXPECT_EQ(settings.clock_hz, 1e9);
    EXPECT_EQ(paths_of(settings.programs),
              std::vector<std::string>{(directory.path() / "p.elf").string()});
}

TEST(TraceSettings, TheFileSaysWhetherTheBufferWrapped) {
    const TemporaryDirectory directory;
    const std::string trace = (directory.path() / "t.rtd").string();
    EXPECT_EQ(resolve({}, {}).start, StreamStart::AtMessage);
    directory.write("t.rtd.toml", "wrapped = true\n");
    EXPECT_EQ(resolve({}, read_side_file(trace)).start, StreamStart::InMessage);
    directory.write("t.rtd.toml", "wrapped = false\n");
    EXPECT_EQ(resolve({}, read_side_file(trace)).start, StreamStart::AtMessage);
    TraceSettings options;
    options.start = StreamStart::InMessage;
    EXPECT_EQ(resolve(options, read_side_file(trace)).start, StreamStart::InMessage);
}

TEST(TraceSettings, TheFileSaysWhetherTheBufferStopped) {
    const TemporaryDirectory directory;
    const std::string trace = (directory.path() / "t.rtd").string();
    EXPECT_EQ(resolve({}, {}).end, StreamEnd::BehindMessage);
    directory.write("t.rtd.toml", "stopped = true\n");
    EXPECT_EQ(resolve({}, read_side_file(trace)).end, StreamEnd::InMessage);
    TraceSettings options;
    options.end = StreamEnd::BehindMessage;
    EXPECT_EQ(resolve(options, read_side_file(trace)).end, StreamEnd::BehindMessage);
}

TEST(TraceSettings, FirmwareAndKernelAreBothFoundBesideTheTrace) {
    const TemporaryDirectory directory;
    const std::string trace = (directory.path() / "t.rtd").string();
    directory.write("fw.elf", "");
    directory.write("kernel.elf", "");
    directory.write("t.rtd.toml",
                    "program = [\"/not/here/fw.elf\", \"gone.elf\", \"kernel.elf\"]\n");
    EXPECT_EQ(
        read_side_file(trace).programs,
        (std::vector<ProgramFile>{{(directory.path() / "fw.elf").string(), 0, std::nullopt},
                                  {(directory.path() / "kernel.elf").string(), 0, std::nullopt}}));
}

TEST(TraceSettings, AWidthWithoutADialectHoldsForAny) {
    TraceSettings file;
    file.timestamp_bits = 48;
    EXPECT_EQ(resolve({}, file).timestamps, (TimestampFormat{TimestampDialect::SiFive, 48}));
    TraceSettings options;
    options.dialect = TimestampDialect::NTrace;
    EXPECT_EQ(resolve(options, file).timestamps, kNTrace);
}

TEST(TraceSettings, AFileThatCannotBeIsTheUsersMistake) {
    const TemporaryDirectory directory;
    const std::string trace = (directory.path() / "t.rtd").string();
    const auto refused = [&](const char* content) {
        directory.write("t.rtd.toml", content);
        try {
            read_side_file(trace);
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_THAT(refused("timestamps = 3"), testing::HasSubstr("timestamps"));
    EXPECT_THAT(refused("timestamps = \"nexus\""),
                testing::HasSubstr("expected one of sifive, n-trace"));
    EXPECT_THAT(refused("timestamp_bits = 65"), testing::HasSubstr("from 1 to 64"));
    EXPECT_THAT(refused("source_bits = -1"), testing::HasSubstr("from 0 to 12"));
    EXPECT_THAT(refused("clock_hz = 0"), testing::HasSubstr("Hz"));
    EXPECT_THAT(refused("wrapped = 1"), testing::HasSubstr("true or false"));
    EXPECT_THAT(refused("program = 1"), testing::HasSubstr("a list of quoted strings"));
    EXPECT_THAT(refused("program = [1]"), testing::HasSubstr("a list of quoted strings"));
    EXPECT_THAT(refused("stopped = 1"), testing::HasSubstr("true or false"));
    EXPECT_THAT(refused("= ="), testing::HasSubstr("toml:1: not valid TOML: "));
}

} // namespace
} // namespace pes::trace

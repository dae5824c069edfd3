// SPDX-License-Identifier: Apache-2.0
// What the host asks of an encoder, what it says about a trace file, and what it says was lost.
#include "platform/soc/trace/trace_report.h"
#include "platform/soc/trace/trace_setup.h"

#include <gmock/gmock.h>
#include <toml++/toml.h>

namespace pes {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Fields of teControl as the register map gives them: 6:4 instruction, 8:7 instrumentation,
// 13 stall, 19:16 sync messages, 23:20 sync units, 26:24 format, 31:28 sink.
TEST(TraceSetup, IsAControlWordOfTheEncoder) {
    EXPECT_EQ(encoder_control({}, 6), 0x61F5'20F0U);
    EXPECT_EQ(encoder_control({.program = ProgramTrace::PlainHistory}, 6), 0x61F5'20E0U);
    EXPECT_EQ(encoder_control({.program = ProgramTrace::Branches}, 8), 0x81F5'20B0U);
    EXPECT_EQ(encoder_control({.program = ProgramTrace::None}, 6), 0x61F5'2080U);
    EXPECT_EQ(encoder_control({.instrumentation = false, .stall = false}, 6), 0x61F5'0070U);
}

TEST(TraceSetup, EventsComeWithPcSamples) {
    EXPECT_EQ(encoder_control({.program = ProgramTrace::Events}, 6), 0x61A5'2090U);
}

TEST(TraceReport, WithoutLossesThereIsNothingToSay) {
    TraceReport report;
    report.encoders.push_back({.messages = 5, .bytes = 20, .stalls = 3, .stall_cycles = 100});
    report.sinks.push_back({"encoder 0", {.written = 24}});
    report.funnels.push_back(0);
    EXPECT_THAT(report.losses(), IsEmpty());
}

TEST(TraceReport, EachKindOfLossIsALineThatNamesPlaceAndAmount) {
    TraceReport report;
    report.encoders.push_back({});
    report.encoders.push_back({.messages = 5, .lost = 1, .overflows = 1});
    report.funnels = {7};
    report.sinks.push_back({"encoder 0", {.overwritten = 64}});
    report.sinks.push_back({"encoder 1", {.refused = 1}});
    report.sinks.push_back({"funnel 0", {.discarded = 9}});
    report.probe_bytes_unread = 80;
    EXPECT_THAT(report.losses(),
                ElementsAre(AllOf(HasSubstr("encoder 1"), HasSubstr("1 message ")),
                            AllOf(HasSubstr("funnel 0"), HasSubstr("7 messages")),
                            AllOf(HasSubstr("encoder 0"), HasSubstr("64 bytes overwritten")),
                            AllOf(HasSubstr("encoder 1"), HasSubstr("refused 1 byte ")),
                            AllOf(HasSubstr("funnel 0"), HasSubstr("9 bytes lost")),
                            AllOf(HasSubstr("80 bytes"), HasSubstr("--trace FILE"))));
}

TEST(TraceReport, TheSoftwareTraceModulesSayWhatTheyMissed) {
    TraceReport report;
    report.software = {{.events = 8}, {.events = 8, .missed = 5, .overflows = 1}};
    report.software_bytes_unread = 22;
    EXPECT_THAT(report.losses(),
                ElementsAre(AllOf(HasSubstr("module 1"), HasSubstr("5 events in 1 overflow ")),
                            AllOf(HasSubstr("22 bytes"), HasSubstr("--osd-trace FILE"))));
}

TEST(TraceDescription, SaysHowToReadTheFile) {
    PlatformConfig config;
    config.harts = 4;
    config.clock_hz = 25'000'000;
    config.trace.timestamps = trace::TimestampDialect::NTrace;
    config.trace.timestamp_bits = 64;
    TraceReport report;
    report.probe_bytes = 77;
    report.probe_crc32 = 0xFEDC'BA98;
    const std::string text = trace_description(config, {"/some/it's \"odd\".elf"}, report);
    EXPECT_THAT(text, HasSubstr("crc32 = 0xfedcba98\n"));
    const toml::table read = toml::parse(text);
    EXPECT_EQ(read["timestamps"].value<std::string>(), "n-trace");
    EXPECT_EQ(read["timestamp_bits"].value<int>(), 64);
    EXPECT_EQ(read["source_bits"].value<int>(), 2);
    EXPECT_EQ(read["clock_hz"].value<int>(), 25'000'000);
    EXPECT_EQ(read["bytes"].value<int>(), 77);
    EXPECT_EQ(read["crc32"].value<std::uint32_t>(), 0xFEDC'BA98U);
    EXPECT_EQ(read["program"].value<std::string>(), "/some/it's \"odd\".elf");
}

TEST(TraceDescription, NamesFirmwareAndKernel) {
    const toml::table both = toml::parse(trace_description({}, {"/fw.elf", "/\"kernel\".elf"}, {}));
    ASSERT_EQ(both["program"].as_array()->size(), 2U);
    EXPECT_EQ(both["program"][0].value<std::string>(), "/fw.elf");
    EXPECT_EQ(both["program"][1].value<std::string>(), "/\"kernel\".elf");
    EXPECT_FALSE(toml::parse(trace_description({}, {}, {})).contains("program"));
}

} // namespace
} // namespace pes

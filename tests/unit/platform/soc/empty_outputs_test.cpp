// SPDX-License-Identifier: Apache-2.0
// Why an output stayed empty: each cause gives its own sentence.
#include "platform/soc/outputs/empty_outputs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <vector>

namespace pes {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Optional;

TEST(EmptyOutputs, SamplesThatAreThereNeedNoReason) {
    SampleChannel samples;
    SampleRecord record{};
    record.magic = kSampleMagic;
    record.size = kSampleSize;
    samples.write(std::as_bytes(std::span(&record, 1)));
    EXPECT_EQ(why_no_samples(samples, {}), std::nullopt);
}

TEST(SampleChannel, CountsRecordsOfBothVersionsInAnyPieces) {
    std::vector<std::byte> bytes;
    const auto append = [&bytes](std::uint16_t version, std::uint16_t size) {
        SampleRecord record{};
        record.magic = kSampleMagic;
        record.version = version;
        record.size = size;
        const auto head = std::as_bytes(std::span(&record, 1));
        bytes.insert(bytes.end(), head.begin(), head.end());
        bytes.resize(bytes.size() + size - kSampleSize);
    };
    append(1, 64);
    append(2, 104);
    append(2, 104 + 31 * 8);
    append(1, 64);
    for (const std::size_t piece : {8U, 40U, 64U, 1000U}) {
        SampleChannel samples;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            samples.write(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
        }
        EXPECT_EQ(samples.records(), 4U);
        EXPECT_EQ(samples.malformed(), 0U);
        EXPECT_EQ(samples.partial(), 0U);
    }
}

TEST(EmptyOutputs, TheReasonForNoSamplesIsTheFirstThatHolds) {
    const SampleChannel samples;
    EXPECT_THAT(why_no_samples(samples, {.host_interface_on = false, .has_tohost = false}),
                Optional(HasSubstr("htif.enabled = false")));
    EXPECT_THAT(why_no_samples(samples, {.has_tohost = false}),
                Optional(HasSubstr("no symbol tohost")));
    EXPECT_THAT(why_no_samples(samples, {}), Optional(HasSubstr("no counter reached a threshold")));
    EXPECT_THAT(why_no_samples(samples, {.threshold_interrupts = 1}),
                Optional(HasSubstr("reached a threshold 1 time, but")));
    EXPECT_THAT(why_no_samples(samples, {.threshold_interrupts = 20}),
                Optional(HasSubstr("reached a threshold 20 times, but")));
}

TEST(EmptyOutputs, BytesThatAreNoRecordAreNamed) {
    SampleChannel samples;
    const std::array<std::byte, 70> bytes{};
    samples.write(bytes);
    EXPECT_THAT(why_no_samples(samples, {}), Optional(HasSubstr("the 70 bytes")));
}

TEST(EmptyOutputs, ATraceThatIsThereNeedsNoReason) {
    TraceReport report;
    report.encoders = {{.messages = 3, .bytes = 9}};
    report.probe_bytes = 12;
    EXPECT_EQ(why_no_trace(report, {}), std::nullopt);
}

TEST(EmptyOutputs, TheReasonForNoTraceFollowsFromWhatWasAskedFor) {
    TraceReport report;
    report.encoders.resize(2);
    EXPECT_THAT(why_no_trace(report, {.program = ProgramTrace::None}),
                Optional(HasSubstr("the program wrote to none")));
    EXPECT_THAT(why_no_trace(report, {.program = ProgramTrace::None, .instrumentation = false}),
                Optional(HasSubstr("leave nothing to trace")));
    EXPECT_THAT(why_no_trace(report, {.program = ProgramTrace::Events}),
                Optional(HasSubstr("no event")));
    EXPECT_THAT(why_no_trace(report, {}), Optional(HasSubstr("switched the encoder off")));
    report.encoders[1].messages = 7;
    EXPECT_THAT(why_no_trace(report, {}),
                Optional(AllOf(HasSubstr("none of the 7 messages"), HasSubstr("another sink"))));
}

TEST(EmptyOutputs, SilentSoftwareTraceModulesAreNamed) {
    TraceReport report;
    report.software = {{.events = 1, .words = 8}};
    EXPECT_EQ(why_no_software_trace(report, 0x8F0), std::nullopt);
    report.software = {{}};
    EXPECT_THAT(why_no_software_trace(report, 0x8F0),
                Optional(HasSubstr("no packets: CSR 0x8f0 was not written")));
    report.software = {{.events = 1, .words = 8}, {}, {}};
    EXPECT_THAT(why_no_software_trace(report, 0x8F0), Optional(HasSubstr("of harts 1, 2: CSR")));
    report.software.pop_back();
    EXPECT_THAT(why_no_software_trace(report, 0x8F0), Optional(HasSubstr("of hart 1: CSR")));
}

} // namespace
} // namespace pes

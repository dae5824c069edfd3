// SPDX-License-Identifier: Apache-2.0
// What pes-decode finds out about a trace of which nothing is said.
#include "decoder/trace/found_settings.h"
#include "hw/interface/trace/etrace/packet_codec.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/trace_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using pes::test::TemporaryDirectory;
using test::stimulus_write;
using test::time_event;
using test::TraceWriter;
using testing::HasSubstr;

class FoundSettingsTest : public testing::Test {
  protected:
    FoundSettings find(std::string_view bytes, const TraceSettings& options = {},
                       const TraceSettings& side_file = {}) {
        directory_.write("some.trace", std::string(bytes));
        return find_settings((directory_.path() / "some.trace").string(), options, side_file);
    }

    /// Times that go on by 1 to 100 cycles.
    static std::string timed(TimestampDialect dialect) {
        TraceWriter writer(0, {dialect, 40});
        writer.at(1'000, time_event());
        std::uint64_t time = 1'000;
        for (unsigned step = 1; step < 100; step += 7) {
            time += step;
            writer.at(time, stimulus_write(0, step));
        }
        return writer.bytes();
    }

    static std::string untimed(const std::vector<TraceMessage>& messages) {
        TraceWriter writer(0);
        for (const TraceMessage& message : messages) {
            writer.untimed(message);
        }
        return writer.bytes();
    }

    TemporaryDirectory directory_;
};

TEST_F(FoundSettingsTest, TimesThatOnlyGoOnInOneDialectTellIt) {
    const FoundSettings n_trace = find(timed(TimestampDialect::NTrace));
    EXPECT_EQ(n_trace.settings.dialect, TimestampDialect::NTrace);
    EXPECT_THAT(n_trace.sentence, HasSubstr("--timestamps sifive"));
    const FoundSettings sifive = find(timed(TimestampDialect::SiFive));
    EXPECT_FALSE(sifive.settings.dialect);
    EXPECT_EQ(sifive.sentence, "") << "the default";
}

TEST_F(FoundSettingsTest, ANarrowCounterThatWrapsIsNotTakenForAnotherDialect) {
    TraceWriter writer(0, {TimestampDialect::SiFive, 8});
    writer.at(0, time_event());
    for (std::uint64_t time = 20; time < 3'000; time += 20) {
        writer.at(time, stimulus_write(0, time));
    }
    EXPECT_FALSE(find(writer.bytes()).settings.dialect);
}

TEST_F(FoundSettingsTest, MessagesThatOnlyOneDialectHasTellIt) {
    const TraceMessage repeat = make_message(MessageCode::RepeatBranch).set(Field::BranchCount, 3);
    const TraceMessage runs = make_message(MessageCode::ResourceFull)
                                  .set(Field::ResourceCode, Resource::Taken)
                                  .set(Field::ResourceData, 40);
    const TraceMessage histories = make_message(MessageCode::ResourceFull)
                                       .set(Field::ResourceCode, Resource::HistoryRepeat)
                                       .set(Field::ResourceData, 5)
                                       .set(Field::HistoryRepeat, 2);
    const TraceMessage interrupt = make_message(MessageCode::IndirectBranch)
                                       .set(Field::BranchType, BranchType::Interrupt)
                                       .set(Field::InstructionCount, 4)
                                       .set(Field::Address, 0x1000);
    const TraceMessage full = make_message(MessageCode::ResourceFull)
                                  .set(Field::ResourceCode, Resource::InstructionCount)
                                  .set(Field::ResourceData, 512);
    for (const TraceMessage& own : {repeat, histories, interrupt}) {
        EXPECT_EQ(find(untimed({full, own})).settings.dialect, TimestampDialect::NTrace);
    }
    EXPECT_FALSE(find(untimed({full})).settings.dialect);
    EXPECT_FALSE(find(untimed({full, runs})).settings.dialect);
    // They count more than times, which a loss may have put out of order.
    EXPECT_FALSE(find(timed(TimestampDialect::NTrace) + untimed({runs})).settings.dialect);
}

TEST_F(FoundSettingsTest, WhatIsSaidIsNotLookedFor) {
    const std::string bytes = timed(TimestampDialect::NTrace);
    TraceSettings said;
    said.dialect = TimestampDialect::SiFive;
    EXPECT_FALSE(find(bytes, said).settings.dialect);
    EXPECT_FALSE(find(bytes, {}, said).settings.dialect);
    TraceSettings packets;
    packets.protocol = Protocol::ETrace;
    EXPECT_FALSE(find(bytes, packets).settings.dialect);
    TraceSettings messages;
    messages.protocol = Protocol::Nexus;
    EXPECT_EQ(find(bytes, messages).settings.dialect, TimestampDialect::NTrace);
}

/// A support packet, a start packet, and some of format 2, with times of so many bytes.
std::string packets(unsigned timestamp_bytes) {
    std::string bytes;
    const auto add = [&](const etrace::Packet& packet, std::uint64_t time) {
        const PackedMessage packed = etrace::pack_frame({.timestamp = time, .packet = packet},
                                                        {.timestamp_bytes = timestamp_bytes}, {});
        bytes.append(reinterpret_cast<const char*>(packed.bytes.data()), packed.size);
    };
    etrace::Packet support;
    support.sync = etrace::Sync::Support;
    support.ienable = true;
    add(support, 10);
    etrace::Packet start;
    start.sync = etrace::Sync::Start;
    start.privilege = 3;
    start.address = 0x8000'0000;
    add(start, 12);
    etrace::Packet report;
    report.format = etrace::Format::Address;
    for (std::uint64_t time = 20; time < 60; time += 3) {
        report.address = 4 * time;
        add(report, time);
    }
    return bytes;
}

TEST_F(FoundSettingsTest, PacketsThatAreNoMessagesAreETrace) {
    for (const unsigned bytes : {5U, 8U, 4U}) {
        const FoundSettings found = find(packets(bytes));
        EXPECT_EQ(found.settings.protocol, Protocol::ETrace);
        EXPECT_EQ(found.settings.timestamp_bits, 8 * bytes);
        EXPECT_THAT(found.sentence, HasSubstr("--format nexus"));
    }
    EXPECT_FALSE(find(packets(5).substr(2)).settings.protocol) << "no support packet first";
    const std::string foreign = '\x1F' + std::string(31, '\xFF'); // longer than any packet
    EXPECT_FALSE(find(packets(5) + foreign).settings.protocol);
    TraceSettings messages;
    messages.protocol = Protocol::Nexus;
    EXPECT_FALSE(find(packets(5), messages).settings.protocol);
}

TEST_F(FoundSettingsTest, AFileWithNothingInItShowsNothing) {
    EXPECT_EQ(find("").sentence, "");
    EXPECT_EQ(find_settings("-", {}, {}).sentence, "");
}

} // namespace
} // namespace pes::trace

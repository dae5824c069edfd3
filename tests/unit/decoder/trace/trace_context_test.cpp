// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/message_text.h"
#include "tests/unit/decoder/trace/trace_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace pes::trace {
namespace {

using test::stimulus_write;
using test::time_event;
using test::TraceWriter;
using testing::HasSubstr;
using Times = std::vector<std::optional<std::uint64_t>>;

using Addresses = std::vector<std::optional<std::uint64_t>>;

TraceMessage event(EventSource source, std::uint64_t first) {
    return make_message(MessageCode::InCircuitTrace)
        .set(Field::EventSource, source)
        .set(Field::EventData0, first);
}

TraceMessage event(EventSource source, std::uint64_t first, std::uint64_t second) {
    return event(source, first).set(Field::DataFormat, 1).set(Field::EventData1, second);
}

TraceMessage with_full_address(TraceMessage message) {
    message.code = MessageCode::InCircuitTraceSync;
    return message;
}

struct ReadTrace {
    Times times;
    std::vector<std::optional<std::uint64_t>> addresses;
    std::string text;
};

ReadTrace read(const TraceWriter& writer, unsigned source_bits, TimestampFormat format = {}) {
    std::istringstream input(writer.bytes());
    TraceReader reader(input, source_bits);
    ContextTracker contexts(format);
    ReadTrace trace;
    for (TraceItem item; reader.next(item);) {
        const MessageContext context = contexts.next(item);
        if (item.kind == TraceItem::Kind::Message) {
            trace.times.push_back(context.time);
            trace.addresses.push_back(context.address);
            append_message(trace.text, trace.times.size(), item.message, context,
                           source_bits > 0 ? SourceColumn::Shown : SourceColumn::Hidden);
        }
    }
    return trace;
}

/// What stands behind "TCode: ".
std::string text_of(const TraceMessage& message, const MessageContext& context = {}) {
    std::string text;
    append_message(text, 1, message, context, SourceColumn::Hidden);
    EXPECT_EQ(text.back(), '\n');
    const std::string mark = "TCode: ";
    return text.substr(text.find(mark) + mark.size(),
                       text.size() - 1 - text.find(mark) - mark.size());
}

TEST(TraceContext, KeepsTheTimesOfSourcesApartInBothDialects) {
    for (const TimestampFormat format : {TimestampFormat{TimestampDialect::SiFive, 40},
                                         TimestampFormat{TimestampDialect::NTrace, 64}}) {
        TraceWriter writer(2, format);
        Times expected;
        std::mt19937_64 random(5);
        for (std::uint16_t source = 0; source < 4; ++source) {
            writer.at(100U * source, time_event(source));
            expected.emplace_back(100U * source);
        }
        std::uint64_t time = 1000;
        for (int count = 0; count < 1000; ++count) {
            time += random() % 500;
            writer.at(time, stimulus_write(0, random(), static_cast<std::uint16_t>(random() % 4)));
            expected.emplace_back(time);
        }
        EXPECT_EQ(read(writer, 2, format).times, expected);
    }
}

TEST(TraceContext, KnowsTheTimeOfAnErrorButNotOfWhatFollows) {
    TraceWriter writer(0);
    writer.at(10, time_event())
        .at(20, make_message(MessageCode::Error))
        .at(30, stimulus_write(0, 1))
        .at(40, time_event())
        .at(50, stimulus_write(0, 1));
    EXPECT_EQ(read(writer, 0).times, (Times{10, 20, std::nullopt, 40, 50}));
}

TEST(TraceContext, LosesTheTimesOfAllSourcesToDamage) {
    TraceWriter writer(1);
    writer.at(10, time_event(0)).at(10, time_event(1)).raw("\x1F");
    writer.at(20, stimulus_write(0, 1, 0)).at(20, stimulus_write(0, 1, 1));
    EXPECT_EQ(read(writer, 1).times, (Times{10, 10, std::nullopt, std::nullopt}));
}

TEST(TraceContext, LosesOnlyTheTimeOfTheSourceOfAnUnknownCode) {
    TraceWriter writer(1);
    writer.at(10, time_event(0)).at(10, time_event(1)).raw("\xE0\x07"); // source 1
    writer.at(20, stimulus_write(0, 1, 0)).at(20, stimulus_write(0, 1, 1));
    EXPECT_EQ(read(writer, 1).times, (Times{10, 10, 20, std::nullopt}));
}

TEST(TraceContext, FollowsAddressesThroughAllMessagesThatCarryOne) {
    TraceWriter writer(0);
    writer
        .untimed(event(EventSource::PcSample, 1)) // nothing to be different from
        .untimed(with_full_address(event(EventSource::PcSample, 0x4000'0000)))
        .untimed(event(EventSource::PcSample, 0x8))
        .untimed(make_message(MessageCode::IndirectBranch).set(Field::Address, 0x1))
        .untimed(time_event())
        .untimed(event(EventSource::Exception, 0x2, 5));
    EXPECT_EQ(read(writer, 0).addresses,
              (std::vector<std::optional<std::uint64_t>>{std::nullopt, 0x8000'0000, 0x8000'0010,
                                                         0x8000'0012, std::nullopt, 0x8000'0016}));
}

TEST(TraceContext, ContinuesFromTheDestinationOfACall) {
    TraceWriter writer(0);
    writer.untimed(with_full_address(event(EventSource::CallReturn, 0x100, 0x30)))
        .untimed(event(EventSource::PcSample, 0));
    EXPECT_EQ(read(writer, 0).addresses,
              (std::vector<std::optional<std::uint64_t>>{0x200, 0x200 ^ 0x60}));
}

TEST(TraceContext, CountersBelongToTheEventBeforeThemAndMoveNoReference) {
    TraceWriter writer(0);
    writer.at(10, with_full_address(event(EventSource::PcSample, 0x40000000)))
        .at(20, event(EventSource::Counters, 0x0004'0003'0002'0001, 0x0008'0007'0006'FFFF))
        .at(30, event(EventSource::PcSample, 2));
    const ReadTrace trace = read(writer, 0);
    EXPECT_EQ(trace.addresses, (Addresses{0x80000000, 0x80000000, 0x80000004}));
    EXPECT_THAT(trace.text, HasSubstr("Address: 80000000 TCode: INCIRCUITTRACE (34) ICT Reason: "
                                      "PPCx8 (12) ppcEvent: 0=0x0001 1=0x0002 2=0x0003 3=0x0004 "
                                      "4=0xffff 5=0x0006 6=0x0007 7=0x0008\n"));
}

/// What an event of a reserved kind says may have been an address, so the next one has to be full.
TEST(TraceContext, AReservedEventMakesAddressesUnknown) {
    for (const std::uint64_t kind : {1U, 2U, 7U}) {
        TraceWriter writer(0);
        writer.at(10, with_full_address(event(EventSource::PcSample, 0x40000000)))
            .at(20, event(static_cast<EventSource>(kind), 0x1234, 0x5678))
            .at(30, event(EventSource::PcSample, 2))
            .at(40, with_full_address(event(EventSource::PcSample, 0x40000008)))
            .at(50, event(EventSource::PcSample, 2));
        const ReadTrace trace = read(writer, 0);
        EXPECT_EQ(trace.addresses,
                  (Addresses{0x80000000, std::nullopt, std::nullopt, 0x80000010, 0x80000014}));
        EXPECT_THAT(trace.text, HasSubstr("CKDATA0: 0x00001234 CKDATA1: 0x00005678"));
    }
    TraceWriter writer(0);
    writer.at(10, with_full_address(event(EventSource::PcSample, 0x40000000)))
        .at(20, event(EventSource::PcSample, 4).set(Field::DataFormat, 2U))
        .at(30, event(EventSource::PcSample, 2));
    EXPECT_EQ(read(writer, 0).addresses, (Addresses{0x80000000, std::nullopt, std::nullopt}));
}

/// Linux kernels and users of Sv39, Sv48 and Sv57 (privileged specification: bits above the highest
/// of a virtual address are its sign), as encoders of that many bits, or one more, send them.
TEST(TraceContext, ExtendsAddressesThatOnlyAKernelHas) {
    constexpr std::uint64_t kKernel = 0xFFFF'FFFF'8002'BCD6;
    for (const unsigned bits : {39U, 40U, 48U, 49U, 57U, 58U}) {
        const std::uint64_t sent = kKernel & ((std::uint64_t{1} << bits) - 1);
        EXPECT_EQ(extend_address(sent, std::nullopt), kKernel) << bits;
        EXPECT_EQ(extend_address(sent, bits), kKernel) << bits;
        EXPECT_EQ(extend_address(sent, 64), sent) << bits;
    }
    EXPECT_EQ(extend_address(kKernel, std::nullopt), kKernel);
    for (const std::uint64_t user :
         {0x8002'BCD6ULL, 0xFFFF'FFFEULL, 0x3F'FFF0'0000ULL, 0x2A'AAAA'A000ULL, 0x5555'87FD'1750ULL,
          0x7FFF'8FD0'608CULL, 0xFF'FFFF'F000'0000ULL, 0x40'0000'0000ULL, 0x8000'0000'0000ULL}) {
        EXPECT_EQ(extend_address(user, std::nullopt), user) << std::hex << user;
    }
    EXPECT_EQ(extend_address(0x8000'0000'0000, 48), 0xFFFF'8000'0000'0000);
}

TEST(TraceContext, FollowsNarrowAddressesFromTheUserToTheKernelAndBack) {
    constexpr std::uint64_t kUser = 0x7FFF'8FD0'608C;
    constexpr std::uint64_t kKernel = 0xFFFF'FFFF'8000'35C8;
    constexpr std::uint64_t kNarrow = kKernel & 0x1'FFFF'FFFF'FFFF; // 49 bits
    TraceWriter writer(0);
    writer.at(10, with_full_address(event(EventSource::PcSample, kUser >> 1)))
        .at(20, event(EventSource::PcSample, (kUser ^ kNarrow) >> 1))
        .at(30, event(EventSource::CallReturn, 2, (kUser ^ kNarrow ^ 4) >> 1))
        .at(40, event(EventSource::PcSample, 0))
        .at(50, with_full_address(event(EventSource::PcSample, kNarrow >> 1)));
    const ReadTrace trace = read(writer, 0);
    EXPECT_EQ(trace.addresses, (Addresses{kUser, kKernel, kKernel ^ 4, kUser, kKernel}));
    EXPECT_THAT(trace.text, HasSubstr("U-ADDR: 0xffffc00007e82aa2\n")); // as published
    EXPECT_THAT(trace.text, HasSubstr("PCdest 0x7fff8fd0608c\n"));
    EXPECT_THAT(trace.text, HasSubstr("F-ADDR: 0xffffffffc0001ae4\n"));
}

TEST(TraceContext, NeedsAFullAddressAfterAnError) {
    TraceWriter writer(0);
    writer.untimed(with_full_address(event(EventSource::PcSample, 0x100)))
        .untimed(make_message(MessageCode::Error))
        .untimed(event(EventSource::PcSample, 0));
    EXPECT_EQ(read(writer, 0).addresses,
              (std::vector<std::optional<std::uint64_t>>{0x200, std::nullopt, std::nullopt}));
}

TEST(MessageText, PrintsInstrumentationAsPublished) {
    TraceWriter writer(0);
    writer.at(849, time_event()).at(850, stimulus_write(0, 0x7F63F334));
    EXPECT_EQ(read(writer, 0).text,
              "Msg # 1, Tics: 849, TCode: INCIRCUITTRACE WS (35) ICT Reason: Control (0) Control "
              "0\n"
              "Msg # 2, Tics: 850, TCode: DATA ACQUISITION (7) idTag: 0x00000000 Data: "
              "0x7f63f334\n");
}

TEST(MessageText, PrintsEventsAsPublished) {
    TraceWriter writer(0);
    writer
        .untimed(with_full_address(event(EventSource::Control, 0x2020'0385,
                                         static_cast<std::uint64_t>(ControlCode::TraceOn))))
        .untimed(event(EventSource::PcSample, 0xA));
    EXPECT_EQ(read(writer, 0).text,
              "Msg # 1, Address: 4040070a TCode: INCIRCUITTRACE WS (35) ICT Reason: Control (0) "
              "Control 2 F-ADDR: 0x20200385\n"
              "Msg # 2, Address: 4040071e TCode: INCIRCUITTRACE (34) ICT Reason: Periodic (15) "
              "U-ADDR: 0x0000000a\n");
}

TEST(MessageText, PrintsProgramTraceAsPublished) {
    EXPECT_EQ(text_of(make_message(MessageCode::ProgramTraceSync)
                          .set(Field::SyncReason, SyncReason::TraceEnable)
                          .set(Field::Address, 0x1000'09DB)),
              "SYNC (9) Reason: (5) Trace Enable I-CNT: 0 F-Addr: 0x100009db");
    EXPECT_EQ(text_of(make_message(MessageCode::IndirectBranch)
                          .set(Field::InstructionCount, 34)
                          .set(Field::Address, 0x79E)),
              "INDIRECT BRANCH (4) Branch Type: Indirect (0) I-CNT: 34 U-ADDR: "
              "0x0000079e ");
    EXPECT_EQ(text_of(make_message(MessageCode::ProgramTraceCorrelation)
                          .set(Field::EventCode, 4)
                          .set(Field::DataFormat, 1)
                          .set(Field::InstructionCount, 49)
                          .set(Field::History, 0x3EE)),
              "CORRELATION (33) EVCODE: 4 CDF: 1 I-CNT: 49 History: 0x000003ee");
    EXPECT_EQ(text_of(make_message(MessageCode::ResourceFull)
                          .set(Field::ResourceCode, Resource::History)
                          .set(Field::ResourceData, 0xBFFF'EFFF)),
              "RESOURCE FULL (27) RCode: 1 History: 0xbfffefff");
}

/// As many digits as the store had: the tag tells its size, not the data.
TEST(MessageText, PrintsStoresInTheirSizeAsPublished) {
    const auto store = [](std::uint64_t tag) {
        return text_of(
            make_message(MessageCode::DataAcquisition).set(Field::IdTag, tag).set(Field::Data, 2));
    };
    EXPECT_EQ(store(0x18), "DATA ACQUISITION (7) idTag: 0x00000018 Data: 0x00000002");
    EXPECT_EQ(store(0x1A), "DATA ACQUISITION (7) idTag: 0x0000001a Data: 0x0002");
    EXPECT_EQ(store(0x1B), "DATA ACQUISITION (7) idTag: 0x0000001b Data: 0x02");
    EXPECT_EQ(text_of(make_message(MessageCode::AuxAccessWrite)
                          .set(Field::AccessAddress, 0x1B)
                          .set(Field::Data, 0xAB)),
              "AUX ACCESS WRITE (23) Addr: 0x0000001b Data: 0xab");
}

TEST(MessageText, PrintsSynchronisingMessagesAsPublished) {
    EXPECT_EQ(text_of(make_message(MessageCode::DirectBranchSync)
                          .set(Field::SyncReason, SyncReason::Periodic)
                          .set(Field::InstructionCount, 7)
                          .set(Field::Address, 0x1000'09DB)),
              "DIRECT BRANCH WS (11) Reason: (2) T Count I-CNT: 7 F-Addr: 0x100009db");
    EXPECT_EQ(text_of(make_message(MessageCode::IndirectBranchSync)
                          .set(Field::SyncReason, SyncReason::ExternalTrigger)
                          .set(Field::BranchType, BranchType::Trap)
                          .set(Field::InstructionCount, 7)
                          .set(Field::Address, 0x1000'09DB)),
              "INDIRECT BRANCH WS (12) Reason: (0) EVTI Branch Type Exception (1) I-CNT: 7 F-Addr: "
              "0x100009db");
    EXPECT_EQ(text_of(make_message(MessageCode::IndirectBranchHistorySync)
                          .set(Field::SyncReason, SyncReason::InstructionCountOverflow)
                          .set(Field::InstructionCount, 7)
                          .set(Field::Address, 0x1000'09DB)
                          .set(Field::History, 5)),
              "INDIRECT BRANCH HISTORY WS (29) Reason: (4) I-Count Overflow Branch Type Indirect "
              "(0) I-CNT: 7 F-Addr: 0x100009db History: 0x00000005");
}

TEST(MessageText, PrintsCountsOfBranchesAndErrorsAsPublished) {
    EXPECT_EQ(text_of(make_message(MessageCode::ResourceFull)
                          .set(Field::ResourceCode, Resource::NotTaken)
                          .set(Field::ResourceData, 40)),
              "RESOURCE FULL (27) RCode: 8 Not Taken Count: 40");
    EXPECT_EQ(text_of(make_message(MessageCode::ResourceFull)
                          .set(Field::ResourceCode, Resource::Taken)
                          .set(Field::ResourceData, 40)),
              "RESOURCE FULL (27) RCode: 9 Taken Count: 40");
    EXPECT_EQ(text_of(make_message(MessageCode::Error)), "ERROR (8) Error Type 0");
    EXPECT_EQ(text_of(make_message(MessageCode::Error).set(Field::ErrorCode, 0x84)),
              "ERROR (8) Error Type 0 Error Code 0x84");
}

TEST(MessageText, PrintsEventsWithValuesAsPublished) {
    EXPECT_EQ(text_of(event(EventSource::ExternalTrigger, 0x33)),
              "INCIRCUITTRACE (34) ICT Reason: External Trigger (8) U-ADDR: 0x00000033");
    EXPECT_EQ(text_of(event(EventSource::ExternalTrigger, 0x33, 3)),
              "INCIRCUITTRACE (34) ICT Reason: External Trigger + ID (8) Trigger ID 3 U-ADDR: "
              "0x00000033");
    EXPECT_EQ(text_of(with_full_address(event(EventSource::Watchpoint, 0x33, 3))),
              "INCIRCUITTRACE WS (35) ICT Reason: Watchpoint + ID (14) Trigger ID 3 F-ADDR: "
              "0x00000033");
    EXPECT_EQ(text_of(event(EventSource::Exception, 0x33, 13)),
              "INCIRCUITTRACE (34) ICT Reason: Exception (10) Cause 13 U-ADDR: 0x00000033");
    EXPECT_EQ(text_of(event(EventSource::Interrupt, 0x33, 11)),
              "INCIRCUITTRACE (34) ICT Reason: Interrupt (11) Cause 11 U-ADDR: 0x00000033");
    EXPECT_EQ(text_of(event(EventSource::Context, 0x33, 12)),
              "INCIRCUITTRACE (34) ICT Reason: Context (13) ?Context 12 Pid: 3 U-ADDR: 0x00000033");
    EXPECT_EQ(text_of(event(EventSource::Context, 0x33, 738 << 2 | 2)),
              "INCIRCUITTRACE (34) ICT Reason: Context (13) SContext 2954 Pid: 738 U-ADDR: "
              "0x00000033");
    EXPECT_EQ(text_of(event(EventSource::Context, 0x33, 5 << 2 | 3)),
              "INCIRCUITTRACE (34) ICT Reason: Context (13) HContext 23 Pid: 5 U-ADDR: "
              "0x00000033");
}

/// The destination is the call's own address XOR twice the second value.
TEST(MessageText, PrintsCallsAsPublished) {
    EXPECT_EQ(text_of(event(EventSource::CallReturn, 0x33)),
              "INCIRCUITTRACE (34) ICT Reason: Inferable Call (9) U-ADDR: 0x00000033");
    EXPECT_EQ(text_of(event(EventSource::CallReturn, 0x33, 0x10),
                      {.time = {}, .address = {}, .destination = 0x8000'0046}),
              "INCIRCUITTRACE (34) ICT Reason: Call/Return (9) U-ADDR: 0x00000033 PCdest "
              "0x80000046");
    EXPECT_EQ(text_of(event(EventSource::CallReturn, 0x33, 0x10)),
              "INCIRCUITTRACE (34) ICT Reason: Call/Return (9) U-ADDR: 0x00000033 PCdest ?");
}

TEST(MessageText, PrintsOwnershipAsPublished) {
    const auto ownership = [](std::uint64_t process) {
        return text_of(make_message(MessageCode::Ownership).set(Field::Process, process));
    };
    EXPECT_EQ(ownership(0b1'11'00), "OWNERSHIP TRACE (2) V or Prv change: Bad prv: v=1, prv=11");
    EXPECT_EQ(ownership((46298339ULL << 5) | 0b0'10'10),
              "OWNERSHIP TRACE (2) sync or scontext change: pid=46298339, Bad "
              "prv: v=0, prv=10");
    EXPECT_EQ(ownership(0b0'11'00), "OWNERSHIP TRACE (2) V or Prv change: M-mode: v=0, prv=11");
    EXPECT_EQ(ownership(0x5c22),
              "OWNERSHIP TRACE (2) sync or scontext change: pid=737, U-mode: v=0, prv=00");
    EXPECT_EQ(ownership(0x7),
              "OWNERSHIP TRACE (2) sync or hcontext change: pid=0, S-mode: v=0, prv=01");
    EXPECT_EQ(ownership(0b1'01'00), "OWNERSHIP TRACE (2) V or Prv change: VS-mode: v=1, prv=01");
    EXPECT_EQ(ownership(0b1), "OWNERSHIP TRACE (2) Bad ownership tag: b01: U-mode: v=0, prv=00");
}

TEST(MessageText, ShowsTheSourceAndTimesThatAreNotKnown) {
    TraceWriter writer(2);
    writer.at(5, stimulus_write(0x1B, 1, 3));
    EXPECT_EQ(read(writer, 2).text,
              "Msg # 1, Src: 3, Tics: ?, TCode: DATA ACQUISITION (7) idTag: 0x0000001b Data: "
              "0x01\n");
}

} // namespace
} // namespace pes::trace

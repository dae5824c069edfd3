// SPDX-License-Identifier: Apache-2.0
// pes-decode trace --events as a subprocess: the published files, their lines written out by hand.
#include "hw/interface/trace/event_counters.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/event_writer.h"
#include "tests/unit/decoder/trace/small_program.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using pes::test::CommandResult;
using pes::test::read_file;
using pes::test::TemporaryDirectory;
using test::EventWriter;
using test::TraceWriter;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kMain = 0x80000000;
constexpr std::uint64_t kCall = kMain;              // jal ra, 0x80000040
constexpr std::uint64_t kIndirectCall = kMain + 4;  // jalr ra, 0(a0)
constexpr std::uint64_t kSwap = kMain + 8;          // jalr ra, 0(t0)
constexpr std::uint64_t kJump = kMain + 12;         // jalr zero, 0(a0)
constexpr std::uint64_t kTrapReturn = kMain + 16;   // mret
constexpr std::uint64_t kNoTransfer = kMain + 20;   // addi
constexpr std::uint64_t kReturn = kMain + 0x40;     // c.jr ra
constexpr std::uint64_t kOutside = kMain + 0x10000; // behind the program

std::string program(std::uint64_t begin) {
    using namespace std::string_literals;
    return test::small_program(
        {{"main", begin, 0x40,
          "\xEF\x00\x00\x04\xE7\x00\x05\x00\xE7\x80\x02\x00\x67\x00\x05\x00\x73\x00\x20\x30"s},
         {"work", begin + 0x40, 0x20, "\x82\x80"s}});
}

class PesDecodeEvents : public testing::Test {
  protected:
    PesDecodeEvents() { directory_.write("hello.elf", program(kMain)); }

    CommandResult decode(const std::string& arguments) const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace run.rtd " + arguments);
    }
    /// The files as published, or mended with " --fixed".
    void convert(const EventWriter& writer, const std::string& more = "") {
        directory_.write("run.rtd", writer.bytes());
        const CommandResult result = decode("--elf hello.elf --events" + more);
        EXPECT_EQ(result.exit_code, 0) << result.err;
    }
    std::string file(const std::string& name) const { return read_file(directory_ / name); }
    bool exists(const std::string& name) const {
        return std::filesystem::exists(directory_ / name);
    }

    TemporaryDirectory directory_;
};

const std::string kHead = "# ELFPATH=hello.elf\n";

TEST_F(PesDecodeEvents, WritesThePublishedFilesByteForByte) {
    EventWriter writer;
    writer.event(100, EventSource::Control, kMain, 2)
        .event(110, EventSource::CallReturn, kCall)
        .transfer(120, kReturn, kIndirectCall)
        .transfer(130, kIndirectCall, kReturn)
        .event(140, EventSource::Exception, kMain, 11)
        .event(150, EventSource::Context, kTrapReturn, 1 << 2)
        .event(160, EventSource::Interrupt, kSwap, 7)
        .event(170, EventSource::PcSample, kJump)
        .event(180, EventSource::ExternalTrigger, kJump, 3)
        .event(190, EventSource::ExternalTrigger, kJump)
        .event(200, EventSource::Watchpoint, kSwap, 1)
        .event(210, EventSource::Watchpoint, kSwap)
        .event(220, EventSource::Context, kMain, 77 << 2 | 2)
        .event(230, EventSource::Context, kMain, 88 << 2 | 3);
    convert(writer);
    const std::string end = " ffl::main:0\n";
    const std::string control = "[0] 100 [Control] PC=0x80000000 Control=[2:Trace On]" + end;
    const std::string transfers = "[0] 110 [Call] PC=0x80000000 PCDest=[0x80000040]" + end +
                                  "[0] 120 [Return] PC=0x80000040 PCDest=[0x80000004] ffl::work:0\n"
                                  "[0] 130 [Call] PC=0x80000004 PCDest=[0x80000040]" +
                                  end;
    const std::string exception =
        "[0] 140 [Exception] PC=0x80000000 Cause=[11:Environment call from M-mode]" + end;
    const std::string privilege = "[0] 150 [PrivContext] PC=0x80000010 Pid=[1]" + end;
    const std::string interrupt =
        "[0] 160 [Interrupt] PC=0x80000008 Cause=[7:Machine timer interrupt]" + end;
    const std::string sample = "[0] 170 [PC Sample] PC=0x8000000c 0=[0]" + end;
    const std::string triggers = "[0] 180 [External Trigger] PC=0x8000000c ID=[3]" + end +
                                 "[0] 190 [External Trigger] PC=0x8000000c ID=[--]" + end;
    const std::string watchpoints = "[0] 200 [Watchpoint] PC=0x80000008 ID=[0]" + end +
                                    "[0] 210 [Watchpoint] PC=0x80000008 ID=[--]" + end;
    const std::string supervisor = "[0] 220 [SContext] PC=0x80000000 Pid=[77]" + end;
    const std::string hypervisor = "[0] 230 [hContext] PC=0x80000000 Pid=[88]" + end;
    EXPECT_EQ(file("hello.events"), kHead + control + transfers + exception + privilege +
                                        interrupt + sample + triggers + watchpoints + supervisor +
                                        hypervisor);
    EXPECT_EQ(file("events/hello.control"), kHead + control);
    EXPECT_EQ(file("events/hello.callret"), kHead + transfers);
    EXPECT_EQ(file("events/hello.exception"), kHead + exception);
    EXPECT_EQ(file("events/hello.privcontext"), kHead + privilege);
    EXPECT_EQ(file("events/hello.interrupt"), kHead + interrupt);
    EXPECT_EQ(file("events/hello.periodic"), kHead + sample);
    EXPECT_EQ(file("events/hello.trigger"), kHead + triggers);
    EXPECT_EQ(file("events/hello.watchpoint"), kHead + watchpoints);
    EXPECT_EQ(file("events/hello.scontext"), kHead + supervisor);
    EXPECT_EQ(file("events/hello.hcontext"), kHead + hypervisor);
}

TEST_F(PesDecodeEvents, ATraceWithoutEventsHasNothingButTheHead) {
    convert(EventWriter().message(5, test::stimulus_write(0x18, 1)));
    EXPECT_EQ(file("hello.events"), kHead);
    EXPECT_FALSE(exists("events/hello.callret"));
}

TEST_F(PesDecodeEvents, TellsTransfersApartByTheirInstruction) {
    EventWriter writer;
    writer
        .event(5, EventSource::PcSample, kMain) // the first one has a sync
        .transfer(10, kTrapReturn, kReturn)
        .transfer(20, kSwap, kReturn)
        .transfer(30, kJump, kReturn);
    convert(writer);
    EXPECT_EQ(file("events/hello.callret"),
              kHead + "[0] 10 [Exception Return] PC=0x80000010 PCDest=[0x80000040] ffl::main:0\n"
                      "[0] 20 [Call/Return?? PC=0x80000008 PCDest=[0x80000040] ffl::main:0\n"
                      "[0] 30 [Call/Return?? PC=0x8000000c PCDest=[0x80000040] ffl::main:0\n");
    convert(writer, " --fixed");
    EXPECT_THAT(file("hello.events"),
                HasSubstr("[0] 20 [Call/Return] PC=0x80000008 PCDest=[0x80000040] ffl::main:0\n"));
}

TEST_F(PesDecodeEvents, SaysWhereADirectCallWithSyncGoesOnlyOnRequest) {
    const EventWriter writer = EventWriter().event(10, EventSource::CallReturn, kCall);
    convert(writer);
    EXPECT_THAT(file("hello.events"), HasSubstr("[Call] PC=0x80000000 PCDest=[0x80000000] ffl"));
    convert(writer, " --fixed");
    EXPECT_THAT(file("hello.events"), HasSubstr("[Call] PC=0x80000000 PCDest=[0x80000040] ffl"));
}

TEST_F(PesDecodeEvents, LeavesOutACallWhereTheProgramHasNone) {
    EventWriter writer;
    writer.event(10, EventSource::CallReturn, kNoTransfer).transfer(20, kNoTransfer, kReturn);
    convert(writer);
    EXPECT_EQ(file("hello.events"), kHead);
    convert(writer, " --fixed");
    EXPECT_EQ(file("hello.events"),
              kHead + "[0] 10 [Call] PC=0x80000014 PCDest=[--] ffl::main:0\n"
                      "[0] 20 [Call/Return] PC=0x80000014 PCDest=[0x80000040] ffl::main:0\n");
}

TEST_F(PesDecodeEvents, CutsNumbersTo32BitsOnlyInThePublishedStyle) {
    constexpr std::uint64_t kHigh = 0xFFFF'FFFF'8000'0000;
    directory_.write("hello.elf", program(kHigh));
    EventWriter writer;
    writer.event(0x1'8000'0005, EventSource::Watchpoint, kHigh + 8, 0x1'0000'0002)
        .event(0x1'8000'0006, EventSource::CallReturn, kHigh)
        .event(0x1'8000'0007, EventSource::Context, kHigh, 0x6'0000'0006);
    convert(writer);
    EXPECT_EQ(file("hello.events"),
              kHead + "[0] -2147483643 [Watchpoint] PC=0xffffffff80000008 ID=[2] ffl::main:0\n"
                      "[0] -2147483642 [Call] PC=0xffffffff80000000 PCDest=[0xffffffff80000040] "
                      "ffl::main:0\n"
                      "[0] -2147483641 [SContext] PC=0xffffffff80000000 Pid=[-2147483647] "
                      "ffl::main:0\n");
    convert(writer, " --fixed");
    EXPECT_EQ(file("hello.events"),
              kHead +
                  "[0] 6442450949 [Watchpoint] PC=0xffffffff80000008 ID=[4294967298] ffl::main:0\n"
                  "[0] 6442450950 [Call] PC=0xffffffff80000000 PCDest=[0xffffffff80000040] "
                  "ffl::main:0\n"
                  "[0] 6442450951 [SContext] PC=0xffffffff80000000 Pid=[6442450945] "
                  "ffl::main:0\n");
}

TEST_F(PesDecodeEvents, HasNoPlaceForWhatLiesOutsideOfTheProgram) {
    EventWriter writer;
    writer.event(10, EventSource::PcSample, kOutside)
        .event(20, EventSource::Exception, kOutside, 1)
        .event(30, EventSource::Interrupt, kOutside, 7)
        .event(40, EventSource::Context, kOutside, 3 << 2)
        .event(50, EventSource::Context, kOutside, 9 << 2 | 2)
        .event(60, EventSource::Control, kOutside, 3)
        .event(70, EventSource::ExternalTrigger, kOutside)
        .event(80, EventSource::Watchpoint, kOutside);
    for (const char* style : {"", " --fixed"}) {
        convert(writer, style);
        EXPECT_EQ(file("hello.events"),
                  kHead + "[0] 10 [PC Sample] PC=0x80010000 0=[0]\n"
                          "[0] 20 [Exception] PC=0x80010000 Cause=[1:Instruction access fault]\n"
                          "[0] 30 [Interrupt] PC=0x80010000 Cause=[7:Machine timer interrupt]\n"
                          "[0] 40 [PrivContext] PC=0x80010000 Pid=[3]\n"
                          "[0] 50 [SContext] PC=0x80010000 Pid=[9]\n"
                          "[0] 60 [Control] PC=0x80010000 Control=[3:Trace Off]\n"
                          "[0] 70 [External Trigger] PC=0x80010000 ID=[--]\n"
                          "[0] 80 [Watchpoint] PC=0x80010000 ID=[--]\n");
    }
}

// A call of a null pointer. The published decoder takes a reference of 0 for none: after it, it has
// no address until the next F-ADDR, and an event at 0 gets a line only if it is a context.
TEST_F(PesDecodeEvents, ForgetsAddressesAt0OnlyInThePublishedStyle) {
    EventWriter writer;
    writer.event(5, EventSource::PcSample, kMain)
        .transfer(10, kIndirectCall, 0)
        .event(20, EventSource::Exception, 0, 1)
        .event(22, EventSource::Context, kSwap, 3 << 2)
        .event(25, EventSource::PcSample, kMain)
        .synchronise()
        .event(30, EventSource::PcSample, kSwap)
        .event(40, EventSource::PcSample, kMain);
    convert(writer);
    const std::string end = " ffl::main:0\n";
    const std::string before = kHead + "[0] 5 [PC Sample] PC=0x80000000 0=[0]" + end +
                               "[0] 10 [Call] PC=0x80000004 PCDest=[0x00000000]" + end;
    const std::string after = "[0] 30 [PC Sample] PC=0x80000008 0=[0]" + end +
                              "[0] 40 [PC Sample] PC=0x80000000 0=[0]" + end;
    EXPECT_EQ(file("hello.events"),
              before + "[0] 22 [PrivContext] PC=0x00000000 Pid=[3] ffl:::0\n" + after);
    EXPECT_EQ(file("events/hello.exception"), kHead);
    convert(writer, " --fixed");
    EXPECT_EQ(file("hello.events"),
              before + "[0] 20 [Exception] PC=0x00000000 Cause=[1:Instruction access fault]\n" +
                  "[0] 22 [PrivContext] PC=0x80000008 Pid=[3]" + end +
                  "[0] 25 [PC Sample] PC=0x80000000 0=[0]" + end + after);
}

TEST_F(PesDecodeEvents, LeavesOutACallOrReturnWithSyncThatSaysWhereItGoesUnlessFixed) {
    EventWriter writer;
    writer.transfer(10, kIndirectCall, kReturn)
        .transfer(20, kReturn, kSwap)
        .synchronise()
        .transfer(30, kReturn, kSwap)
        .event(40, EventSource::PcSample, kSwap);
    convert(writer);
    const std::string second = "[0] 20 [Return] PC=0x80000040 PCDest=[0x80000008] ffl::work:0\n";
    EXPECT_EQ(file("events/hello.callret"), kHead + second);
    convert(writer, " --fixed");
    EXPECT_EQ(file("events/hello.callret"),
              kHead + "[0] 10 [Call] PC=0x80000004 PCDest=[0x80000040] ffl::main:0\n" + second +
                  "[0] 30 [Return] PC=0x80000040 PCDest=[0x80000008] ffl::work:0\n");
}

TEST_F(PesDecodeEvents, KnowsTheNumberOfAWatchpointWithoutSyncOnlyWhenFixed) {
    EventWriter writer;
    writer.event(10, EventSource::Watchpoint, kMain, 3)
        .event(20, EventSource::Watchpoint, kMain, 4);
    convert(writer);
    EXPECT_THAT(file("events/hello.watchpoint"),
                HasSubstr("[0] 10 [Watchpoint] PC=0x80000000 ID=[3]"));
    EXPECT_THAT(file("events/hello.watchpoint"),
                HasSubstr("[0] 20 [Watchpoint] PC=0x80000000 ID=[0]"));
    convert(writer, " --fixed");
    EXPECT_THAT(file("events/hello.watchpoint"),
                HasSubstr("[0] 20 [Watchpoint] PC=0x80000000 ID=[4]"));
}

TEST_F(PesDecodeEvents, NamesCausesAsPublishedAndThoseThatCameLaterOnRequest) {
    EventWriter writer;
    for (const std::uint64_t cause : {2, 10, 15, 16, 18, 19, 24, 48}) {
        writer.event(cause, EventSource::Exception, kMain, cause);
    }
    for (const std::uint64_t cause : {1, 9, 13, 16}) {
        writer.event(100 + cause, EventSource::Interrupt, kMain, cause);
    }
    convert(writer);
    const std::string published = file("hello.events");
    for (const char* part :
         {"Cause=[2:Illegal instruction]", "Cause=[10:Reserved]", "Cause=[15:Store/AMO page fault]",
          "Cause=[16:Reserved]", "Cause=[18:Reserved]", "Cause=[19:Reserved]", "Cause=[24:Custom]",
          "Cause=[48:Custom]", "Cause=[1:Supervisor software interrupt]",
          "Cause=[9:Supervisor external interrupt]", "Cause=[13:Reserved]", "Cause=[16:Custom]"}) {
        EXPECT_THAT(published, HasSubstr(part));
    }
    convert(writer, " --fixed");
    const std::string fixed = file("hello.events");
    for (const char* part :
         {"Cause=[2:Illegal instruction]", "Cause=[16:Double trap]", "Cause=[18:Software check]",
          "Cause=[19:Hardware error]", "Cause=[13:Counter-overflow interrupt]"}) {
        EXPECT_THAT(fixed, HasSubstr(part));
    }
}

TEST_F(PesDecodeEvents, KnowsTheCodeOfEnterResetOnlyWhenFixed) {
    EventWriter writer;
    writer.event(10, EventSource::Control, kMain, 7).event(20, EventSource::Control, kMain, 8);
    convert(writer);
    EXPECT_THAT(file("events/hello.control"), HasSubstr("Control=[7:Enter Reset]"));
    EXPECT_THAT(file("events/hello.control"), HasSubstr("Control=[8:Reserved]"));
    convert(writer, " --fixed");
    EXPECT_THAT(file("events/hello.control"), HasSubstr("Control=[7:Reserved]"));
    EXPECT_THAT(file("events/hello.control"), HasSubstr("Control=[8:Enter Reset]"));
}

TEST_F(PesDecodeEvents, AControlEventWithoutAddressIsOutsideOfTheProgram) {
    const EventWriter writer = EventWriter().message(10, test::time_event());
    convert(writer);
    EXPECT_EQ(file("events/hello.control"), kHead);
    convert(writer, " --fixed");
    EXPECT_EQ(file("events/hello.control"),
              kHead + "[0] 10 [Control] PC=0x0 Control=[0:No Event]\n");
}

TEST_F(PesDecodeEvents, WaitsForSyncBehindAStopOnlyInThePublishedStyle) {
    EventWriter writer;
    writer.event(10, EventSource::ExternalTrigger, kMain, 1)
        .message(20, make_message(MessageCode::ProgramTraceCorrelation)
                         .set(Field::EventCode, 4)
                         .set(Field::DataFormat, 0)
                         .set(Field::InstructionCount, 1))
        .event(30, EventSource::ExternalTrigger, kMain, 2)
        .event(35, EventSource::Context, kMain, 1 << 2)
        .synchronise()
        .event(40, EventSource::ExternalTrigger, kMain, 3)
        .event(50, EventSource::ExternalTrigger, kMain, 4);
    convert(writer);
    const std::string published = file("events/hello.trigger");
    EXPECT_THAT(published, HasSubstr("ID=[1]"));
    EXPECT_THAT(published, Not(HasSubstr("ID=[2]")));
    EXPECT_THAT(published, HasSubstr("ID=[3]"));
    EXPECT_THAT(published, HasSubstr("ID=[4]"));
    EXPECT_EQ(file("events/hello.privcontext"),
              kHead + "[0] 0 [PrivContext] PC=0x00000000 Pid=[1] ffl:::0\n");
    convert(writer, " --fixed");
    EXPECT_THAT(file("events/hello.trigger"),
                HasSubstr("[0] 30 [External Trigger] PC=0x80000000 ID=[2]"));
    EXPECT_EQ(file("events/hello.privcontext"),
              kHead + "[0] 35 [PrivContext] PC=0x80000000 Pid=[1] ffl::main:0\n");
}

TEST_F(PesDecodeEvents, LeavesOutEventsAtAnUnknownPlace) {
    EventWriter writer;
    writer.event(10, EventSource::PcSample, kMain)
        .message(20, make_message(MessageCode::Error).set(Field::ErrorType, 0))
        .event(30, EventSource::PcSample, kMain)
        .event(35, EventSource::Context, kMain, 1 << 2)
        .synchronise()
        .event(40, EventSource::PcSample, kJump);
    const std::string first = kHead + "[0] 10 [PC Sample] PC=0x80000000 0=[0] ffl::main:0\n";
    const std::string last = "[0] 40 [PC Sample] PC=0x8000000c 0=[0] ffl::main:0\n";
    convert(writer);
    EXPECT_EQ(file("hello.events"),
              first + "[0] 0 [PrivContext] PC=0x00000000 Pid=[1] ffl:::0\n" + last);
    convert(writer, " --fixed");
    EXPECT_EQ(file("hello.events"), first + last);
}

TEST_F(PesDecodeEvents, ALossOfOneSourceIsALossOfAllOnlyInThePublishedStyle) {
    const auto sample = [](std::uint16_t source, bool sync, std::uint64_t field) {
        TraceMessage message = EventWriter::begin(sync, EventSource::PcSample, 0);
        message.source = source;
        return message.set(Field::EventData0, field >> 1);
    };
    TraceMessage error = make_message(MessageCode::Error).set(Field::ErrorType, 0);
    error.source = 1;
    TraceWriter writer(1);
    writer.untimed(sample(0, true, kMain))
        .untimed(sample(1, true, kMain))
        .untimed(error)
        .untimed(sample(0, false, kMain ^ kSwap))
        .untimed(sample(1, false, kMain ^ kSwap))
        .untimed(sample(0, true, kJump));
    directory_.write("run.rtd", writer.bytes());
    const std::string first = kHead + "[0] 0 [PC Sample] PC=0x80000000 0=[0] ffl::main:0\n"
                                      "[1] 0 [PC Sample] PC=0x80000000 0=[0] ffl::main:0\n";
    const std::string last = "[0] 0 [PC Sample] PC=0x8000000c 0=[0] ffl::main:0\n";
    EXPECT_EQ(decode("--elf hello.elf --events --src-bits 1").exit_code, 0);
    EXPECT_EQ(file("hello.events"), first + last);
    EXPECT_EQ(decode("--elf hello.elf --events --src-bits 1 --fixed").exit_code, 0);
    EXPECT_EQ(file("hello.events"),
              first + "[0] 0 [PC Sample] PC=0x80000008 0=[0] ffl::main:0\n" + last);
}

TEST_F(PesDecodeEvents, LeavesOutEventsOfAFormThatDoesNotExist) {
    EventWriter writer;
    writer.event(10, EventSource::PcSample, kMain, 1)
        .event(20, EventSource::Exception, kMain)
        .event(30, EventSource::Interrupt, kMain)
        .event(40, EventSource::Context, kMain, 1)
        .event(50, static_cast<EventSource>(7), kMain, 1)
        .message(60, EventWriter::begin(true, EventSource::Control, 2));
    convert(writer, " --fixed");
    EXPECT_EQ(file("hello.events"), kHead);
}

TEST_F(PesDecodeEvents, NumbersCoresByTheirSourceAndUnknownTimesAre0) {
    TraceMessage sample =
        EventWriter::begin(true, EventSource::PcSample, 0).set(Field::EventData0, kMain >> 1);
    sample.source = 2;
    directory_.write("run.rtd", TraceWriter(2).untimed(sample).bytes());
    EXPECT_EQ(decode("--elf hello.elf --events --src-bits 2").exit_code, 0);
    EXPECT_THAT(file("hello.events"), HasSubstr("\n[2] 0 [PC Sample] PC=0x80000000 0=[0] ffl"));
}

TEST_F(PesDecodeEvents, PutsTheFilesWhereItIsTold) {
    std::filesystem::create_directory(directory_ / "results");
    convert(EventWriter().event(10, EventSource::PcSample, kMain), " --output-dir results --fixed");
    EXPECT_TRUE(exists("results/hello.events"));
    EXPECT_TRUE(exists("results/events/hello.periodic"));
    EXPECT_FALSE(exists("hello.events"));
}

TEST_F(PesDecodeEvents, CountersStandBehindTheirEvent) {
    EventWriter writer;
    const TraceMessage counters = make_counters_message({0x147, 0x1C, 3, 4, 5, 6, 7, 0xFFFF});
    writer.event(10, EventSource::PcSample, kMain)
        .message(11, counters)
        .event(20, EventSource::Watchpoint, kCall, 1)
        .message(21, counters)
        .event(30, EventSource::PcSample, kReturn);
    convert(writer, " --json-lines run.json");
    const std::string values = "[PPCx8] cntr[0]=0x0147 cntr[1]=0x001c cntr[2]=0x0003 "
                               "cntr[3]=0x0004 cntr[4]=0x0005 cntr[5]=0x0006 cntr[6]=0x0007 "
                               "cntr[7]=0xffff\n";
    EXPECT_EQ(file("events/hello.periodic"),
              kHead + "[0] 10 [PC Sample] PC=0x80000000 0=[0] ffl::main:0\n[0] 11 " + values +
                  "[0] 30 [PC Sample] PC=0x80000040 0=[0] ffl::work:0\n");
    EXPECT_THAT(file("events/hello.watchpoint"), HasSubstr("[0] 21 " + values));
    EXPECT_THAT(file("hello.events"), HasSubstr("[0] 21 " + values));
    EXPECT_THAT(file("run.json"),
                HasSubstr(R"("kind":"counters","time":11,"address":"0x80000000","function":"main",)"
                          R"("counters":[327,28,3,4,5,6,7,65535]})"));
}

TEST_F(PesDecodeEvents, NeedsAProgram) {
    directory_.write("run.rtd", "");
    const CommandResult result = decode("--events");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("--events got no program to name its files after, expected "
                                      "--elf as well"));
    EXPECT_FALSE(exists("events"));
}

} // namespace
} // namespace pes::trace

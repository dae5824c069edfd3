// SPDX-License-Identifier: Apache-2.0
// What pes-decode trace makes of events beside their text files: calls in folded stacks, timeline
// and CTF, PC samples in tables of hot spots, and a word about what came out empty.
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/event_writer.h"
#include "tests/unit/decoder/trace/perf_writes.h"
#include "tests/unit/decoder/trace/small_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pes::trace {
namespace {

using nlohmann::json;
using pes::test::CommandResult;
using pes::test::read_file;
using pes::test::TemporaryDirectory;
using test::EventWriter;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kEventMain = 0x80000000;
constexpr std::uint64_t kEventCall = kEventMain;             // jal ra, work
constexpr std::uint64_t kEventIndirectCall = kEventMain + 4; // jalr ra, 0(a0)
constexpr std::uint64_t kWork = kEventMain + 0x40;
constexpr std::uint64_t kEventReturn = kWork; // c.jr ra
constexpr std::uint64_t kHandler = kEventMain + 0x80;
constexpr std::uint64_t kHandlerCall = kHandler;         // jal ra, service
constexpr std::uint64_t kEventTrapReturn = kHandler + 4; // mret
constexpr std::uint64_t kService = kEventMain + 0xC0;    // c.jr ra

class PesDecodeEventOutputs : public testing::Test {
  protected:
    PesDecodeEventOutputs() {
        using namespace std::string_literals;
        directory_.write(
            "hello.elf",
            test::small_program({{"main", kEventMain, 0x40, "\xEF\x00\x00\x04\xE7\x00\x05\x00"s},
                                 {"work", kWork, 0x40, "\x82\x80"s},
                                 {"handler", kHandler, 0x40, "\xEF\x00\x00\x04\x73\x00\x20\x30"s},
                                 {"service", kService, 0x20, "\x82\x80"s}}));
    }

    CommandResult decode(const std::string& arguments) const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace run.rtd " + arguments);
    }
    void trace(const EventWriter& writer) const { directory_.write("run.rtd", writer.bytes()); }
    std::string folded(const EventWriter& writer, const std::string& more = "") const {
        trace(writer);
        const CommandResult result = decode("--elf hello.elf --folded -" + more);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_THAT(result.err, IsEmpty());
        return result.out;
    }

    TemporaryDirectory directory_;
};

/// main calls work, directly at 100 and through a register at 150; both return.
EventWriter two_calls() {
    EventWriter writer;
    writer.event(90, EventSource::Control, kEventMain, 2)
        .event(100, EventSource::CallReturn, kEventCall)
        .transfer(130, kEventReturn, kEventCall + 4)
        .transfer(150, kEventIndirectCall, kWork)
        .transfer(155, kEventReturn, kEventIndirectCall + 4);
    return writer;
}

TEST_F(PesDecodeEventOutputs, FoldCallsAndReturns) {
    EXPECT_EQ(folded(two_calls()), "main 20\nwork 35\n")
        << "30 and 5 in work, 20 between the calls";
}

TEST_F(PesDecodeEventOutputs, BecomeSlicesOfTheTimeline) {
    trace(two_calls());
    decode("--elf hello.elf --timeline timeline.json --clock-hz 1000000");
    std::vector<std::string> story;
    const json timeline = json::parse(read_file(directory_ / "timeline.json"));
    for (const json& event : timeline["traceEvents"]) {
        if (event["ph"] == "B" || event["ph"] == "E") {
            EXPECT_FALSE(event.contains("args")) << "speedscope looks for the end by name and args";
            story.push_back(event["ph"].get<std::string>() + " " +
                            event["name"].get<std::string>() + " " + event["ts"].dump());
        }
    }
    EXPECT_THAT(story, ElementsAre("B work 100.0", "E work 130.0", "B work 150.0", "E work 155.0"));
}

TEST_F(PesDecodeEventOutputs, BecomeFunctionsOfCtf) {
    if (std::string(BABELTRACE).empty()) {
        GTEST_SKIP() << "babeltrace2 was not there when the tests were configured";
    }
    trace(two_calls());
    EXPECT_EQ(decode("--elf hello.elf --ctf --clock-hz 1000000").err, "");
    const CommandResult read =
        pes::test::run_command(BABELTRACE " " + (directory_ / "ctf").string() +
                               " | grep -o 'func_[a-z]*.*addr = 0x8000[0-9]*'"
                               " | sed 's/:.*addr = / /'");
    EXPECT_EQ(read.out, "func_entry 0x80000040\nfunc_exit 0x80000040\nfunc_entry 0x80000040\n"
                        "func_exit 0x80000040\n");
}

TEST_F(PesDecodeEventOutputs, AHandlerIsAFrameUpToTheEventsOfWhatItInterrupted) {
    EventWriter writer;
    writer.event(100, EventSource::CallReturn, kEventCall)
        .event(110, EventSource::Interrupt, kWork + 8, 7)
        .event(112, EventSource::CallReturn, kHandlerCall)
        .transfer(117, kService, kHandlerCall + 4)
        .transfer(130, kEventReturn, kEventCall + 4); // no event told of the mret in between
    EXPECT_EQ(folded(writer), "work 23\nwork;handler 2\nwork;handler;service 5\n");
}

TEST_F(PesDecodeEventOutputs, AHandlerEndsWithTheEventOfItsTrapReturn) {
    EventWriter writer;
    writer.event(100, EventSource::CallReturn, kEventCall)
        .event(110, EventSource::Exception, kWork + 8, 2)
        .event(112, EventSource::CallReturn, kHandlerCall)
        .transfer(117, kService, kHandlerCall + 4)
        .transfer(120, kEventTrapReturn, kWork + 8)
        .transfer(130, kEventReturn, kEventCall + 4);
    EXPECT_EQ(folded(writer), "work 20\nwork;handler 5\nwork;handler;service 5\n");
}

TEST_F(PesDecodeEventOutputs, AChangeOfModeTellsWhereAHandlerBeginsAndEnds) {
    constexpr std::uint64_t kUser = 0 << 2, kMachine = 3 << 2;
    EventWriter writer;
    writer.event(90, EventSource::Context, kEventMain, kUser)
        .event(100, EventSource::CallReturn, kEventCall)
        .event(110, EventSource::Exception, kWork + 8, 8)
        .event(111, EventSource::Context, kHandler, kMachine)
        .event(121, EventSource::Context, kWork + 12, kUser)
        .transfer(130, kEventReturn, kEventCall + 4);
    EXPECT_EQ(folded(writer), "work 19\nwork;handler 11\n");
}

TEST_F(PesDecodeEventOutputs, CallsEndAtALoss) {
    EventWriter writer;
    writer.event(100, EventSource::CallReturn, kEventCall)
        .message(110, make_message(MessageCode::Error).set(Field::ErrorType, 0))
        .synchronise()
        .event(200, EventSource::CallReturn, kEventCall)
        .transfer(205, kEventReturn, kEventCall + 4);
    trace(writer);
    EXPECT_EQ(decode("--elf hello.elf --folded -").out, "work 5\n")
        << "what passed over the loss belongs to nobody";
}

TEST_F(PesDecodeEventOutputs, SaysWhereTraceAndProgramDisagreeAboutCalls) {
    EventWriter writer = two_calls();
    writer.event(160, EventSource::CallReturn, kEventMain + 8);
    trace(writer);
    EXPECT_THAT(decode("--elf hello.elf --folded -").err,
                HasSubstr("call or return events where the program has no such jump: 1"));
}

EventWriter samples() {
    EventWriter writer;
    writer.event(10, EventSource::PcSample, kEventMain + 8)
        .event(20, EventSource::PcSample, kWork + 2)
        .event(30, EventSource::PcSample, kWork + 4)
        .message(35, make_message(MessageCode::Error).set(Field::ErrorType, 0))
        .event(40, EventSource::PcSample, kWork + 4);
    return writer;
}

TEST_F(PesDecodeEventOutputs, PcSamplesFeedTheTableOfHotSpots) {
    trace(samples());
    const CommandResult result = decode("--elf hello.elf --by function --ascii");
    EXPECT_THAT(result.out, HasSubstr("4 PC samples, 1 at an unknown address\n\n"
                                      "PC samples: 3 by function\n"
                                      "          2   66.7 %  ########################  work\n"
                                      "          1   33.3 %  ############              main\n"));
    EXPECT_EQ(decode("--elf hello.elf --by function --hot-spots -").out,
              "event,by,rank,samples,share,estimated_events,function,file,line,address,offset,"
              "program,lengthened,process\n"
              "pc-sample,function,1,2,0.666667,2,work,,,0x80000040,0,hello.elf,0,\n"
              "pc-sample,function,2,1,0.333333,1,main,,,0x80000000,0,hello.elf,0,\n");
}

/// Told by an Ownership message and by an event of scontext (tag 2); other contexts are none.
TEST_F(PesDecodeEventOutputs, EqualAddressesOfTwoProcessesAreTwoRows) {
    const auto ownership = [](std::uint64_t context, unsigned format) {
        return make_message(MessageCode::Ownership).set(Field::Process, context << 5 | format);
    };
    EventWriter writer;
    writer.event(10, EventSource::PcSample, kWork)
        .message(15, ownership(7, 2))
        .event(20, EventSource::PcSample, kWork)
        .message(25, ownership(9, 3))
        .event(30, EventSource::PcSample, kWork)
        .event(35, EventSource::Context, kEventMain, 8 << 2 | 2)
        .event(40, EventSource::PcSample, kWork)
        .event(45, EventSource::Context, kEventMain, 9 << 2 | 3)
        .event(50, EventSource::PcSample, kWork)
        .event(60, EventSource::PcSample, kWork);
    trace(writer);
    for (const std::string by : {"function", "address"}) {
        const std::string rest = ",work,,,0x80000040,0,hello.elf,0,";
        const CommandResult result = decode("--elf hello.elf --ascii --hot-spots - --by " + by);
        EXPECT_EQ(result.out.substr(result.out.find('\n') + 1),
                  "pc-sample," + by + ",1,3,0.500000,3" + rest + "8\n" +     //
                      "pc-sample," + by + ",2,2,0.333333,2" + rest + "7\n" + //
                      "pc-sample," + by + ",3,1,0.166667,1" + rest + "\n");
    }
    EXPECT_THAT(decode("--elf hello.elf --by function --ascii").out,
                HasSubstr("          3   50.0 %  ########################  work, process 8\n"
                          "          2   33.3 %  ################          work, process 7\n"
                          "          1   16.7 %  ########                  work\n"));
}

TEST_F(PesDecodeEventOutputs, PcSamplesWeighStacks) {
    EventWriter writer;
    writer.event(10, EventSource::PcSample, kEventMain)
        .event(100, EventSource::CallReturn, kEventCall)
        .event(110, EventSource::PcSample, kWork + 4)
        .event(120, EventSource::PcSample, kWork + 4)
        .transfer(130, kEventReturn, kEventCall + 4);
    EXPECT_EQ(folded(writer, " --folded-weight samples"), "main 1\nwork 2\n")
        << "which function called work is not known before it returns";
}

TEST_F(PesDecodeEventOutputs, WhatCameOutEmptyIsSaid) {
    trace(EventWriter().message(5, test::stimulus_write(4, 1)));
    struct Case {
        const char* options;
        const char* reason;
    };
    for (const Case& one :
         {Case{"--folded f", "--folded has nothing in it: the trace has no calls"},
          Case{"--folded f --folded-weight samples", "the trace has no PC sample"},
          Case{"--folded f --folded-weight instructions --elf hello.elf", "no program trace"},
          Case{"--folded f --folded-weight 3", "no two performance records have counter 3"},
          Case{"--perf --elf hello.elf", "--perf has nothing in it"},
          Case{"--events --elf hello.elf", "--events has nothing in it"},
          Case{"--ctf --elf hello.elf", "--ctf has nothing in it"},
          Case{"--csv f", "--csv has nothing in it: the trace has no performance record on "
                          "stimulus 6"},
          Case{"--json-lines f", "--json-lines has nothing in it"},
          Case{"--timeline f", "--timeline has nothing in it"},
          Case{"--hot-spots f", "--hot-spots has nothing in it"},
          Case{"--itc-print f", "--itc-print has nothing in it: no text was written to stimulus 0"},
          Case{"--instructions f --elf hello.elf", "--instructions has nothing in it"}}) {
        const CommandResult result = decode(one.options);
        EXPECT_EQ(result.exit_code, 0) << one.options;
        EXPECT_THAT(result.err, HasSubstr(one.reason));
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }
    EXPECT_EQ(decode("--messages f --statistics g").err, "");
}

TEST_F(PesDecodeEventOutputs, StatisticsOfATraceWithoutAMessageSayWhyTheyAreEmpty) {
    for (const char* bytes : {"", "\xFF\xFF\xFF\xFF"}) {
        directory_.write("empty.rtd", bytes);
        const CommandResult result =
            pes::test::run_command("cd " + directory_.path().string() +
                                   " && " PES_DECODE " trace empty.rtd --statistics -");
        EXPECT_EQ(result.exit_code, 0);
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err, "pes-decode: 'empty.rtd': --statistics has nothing in it: the trace "
                              "has no message\n");
    }
}

} // namespace
} // namespace pes::trace

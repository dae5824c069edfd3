// SPDX-License-Identifier: Apache-2.0
// CSV, JSON lines, timeline, folded stacks and CTF of pes-decode trace, from one small call tree:
//
//   main, from 0x80000004      enters at 1060, counter 100
//     work, from 0x80000008    enters at 1100, 110; leaves at 1140, 150
//   main                       leaves at 1180, 157
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/perf_writes.h"
#include "tests/unit/decoder/trace/small_program.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pes::trace {
namespace {

using namespace perf_record;
using nlohmann::json;
using pes::test::CommandResult;
using pes::test::read_file;
using pes::test::TemporaryDirectory;
using test::PerfWrites;
using test::TraceWriter;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t kPerfMain = 0x80000000;
constexpr std::uint64_t kPerfWork = 0x80000040;

class PesDecodeOutputs : public testing::Test {
  protected:
    void SetUp() override {
        directory_.write("hello.elf", test::small_program({{"main", kPerfMain, 0x40},
                                                           {"_ZN5guest4workEv", kPerfWork, 0x20}}));
        directory_.write("run.rtd", call_tree(CountType::Raw).trace());
    }

    static PerfWrites call_tree(CountType type, std::uint16_t source = 0) {
        PerfWrites writes(source);
        writes.header(type, 1);
        std::uint64_t previous = 0;
        const auto value = [&](std::uint64_t now) {
            const std::uint64_t coded = coded_value(type, now, previous, 64);
            previous = type == CountType::Raw ? 0 : now;
            return std::vector<std::uint64_t>{coded};
        };
        writes.record(RecordKind::FunctionEnter, {kPerfMain, kPerfMain + 4}, value(100));
        writes.record(RecordKind::FunctionEnter, {kPerfWork, kPerfMain + 8}, value(110));
        writes.record(RecordKind::FunctionExit, {kPerfWork, kPerfMain + 8}, value(150));
        writes.record(RecordKind::FunctionExit, {kPerfMain, kPerfMain + 4}, value(157));
        return writes;
    }

    CommandResult decode(const std::string& arguments) const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace " + arguments);
    }
    std::string file(const std::string& name) const { return read_file(directory_ / name); }

    TemporaryDirectory directory_;
};

TEST_F(PesDecodeOutputs, WriteALineOfCsvForEachValue) {
    const CommandResult result = decode("run.rtd --elf hello.elf --csv -");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out,
              "source,record,kind,time,address,function,file,line,call_site,counter,event,counts,"
              "value\n"
              "0,1,enter,1060,0x80000000,main,,,0x80000004,0,event 0,raw,100\n"
              "0,2,enter,1100,0x80000040,guest::work(),,,0x80000008,0,event 0,raw,110\n"
              "0,3,exit,1140,0x80000040,guest::work(),,,0x80000008,0,event 0,raw,150\n"
              "0,4,exit,1180,0x80000000,main,,,0x80000004,0,event 0,raw,157\n");
}

TEST_F(PesDecodeOutputs, WriteCsvWithoutAProgramAndOfRecordsWithoutCounters) {
    PerfWrites writes;
    writes.header(CountType::Raw, 0).manual(0x1234, {});
    directory_.write("bare.rtd", writes.trace());
    EXPECT_THAT(decode("bare.rtd --csv -").out, HasSubstr("0,1,manual,1030,0x1234,,,,,,,,\n"));
}

TEST_F(PesDecodeOutputs, WriteAnObjectForEachRecordEventAndChangeOfOwnership) {
    TraceWriter writer(0);
    writer.at(50, test::time_event());
    writer.at(60, make_message(MessageCode::InCircuitTraceSync)
                      .set(Field::EventSource, EventSource::Exception)
                      .set(Field::DataFormat, 1)
                      .set(Field::EventData0, kPerfWork >> 1)
                      .set(Field::EventData1, 5));
    writer.at(70, make_message(MessageCode::Ownership).set(Field::Process, 7 << 5 | 1 << 2 | 2));
    directory_.write("events.rtd", writer.bytes() + call_tree(CountType::Raw).trace());
    std::istringstream lines(decode("events.rtd --elf hello.elf --json-lines -").out);
    std::vector<json> objects;
    for (std::string line; std::getline(lines, line);) {
        objects.push_back(json::parse(line));
    }
    ASSERT_EQ(objects.size(), 9U);
    EXPECT_EQ(objects[0],
              json::parse(R"object({"type":"event","source":0,"kind":"control","time":50,
                                          "code":0})object"));
    EXPECT_EQ(objects[1],
              json::parse(R"object({"type":"event","source":0,"kind":"exception","time":60,
        "address":"0x80000040","function":"guest::work()","cause":5
})object"));
    EXPECT_EQ(objects[2], json::parse(R"object({"type":"ownership","source":0,"time":70,"context":7,
                                          "privilege":"S","virtual":false})object"));
    EXPECT_EQ(objects[4]["type"], "header");
    EXPECT_EQ(objects[4]["counters"][0]["csr"], "0xc00");
    EXPECT_EQ(objects[5],
              json::parse(R"object({"type":"record","source":0,"record":1,"kind":"enter",
        "time":1060,"address":"0x80000000","function":"main","call_site":"0x80000004",
        "values":{"0":100}})object"));
}

TEST_F(PesDecodeOutputs, WriteATimelineWithSlicesAndCounters) {
    decode("run.rtd --elf hello.elf --timeline timeline.json --clock-hz 1000000");
    const json events = json::parse(file("timeline.json"))["traceEvents"];
    std::vector<std::string> story;
    for (const json& event : events) {
        const std::string phase = event["ph"];
        if (phase == "B") {
            story.push_back("enter " + event["name"].get<std::string>() + " at " +
                            event["ts"].dump());
        } else if (phase == "E") {
            story.push_back("leave " + event["name"].get<std::string>() + " at " +
                            event["ts"].dump());
        } else if (phase == "C") {
            story.push_back(event["args"]["count"].dump());
        }
    }
    EXPECT_THAT(story,
                ElementsAre("enter main at 1060.0", "10", "enter guest::work() at 1100.0", "40",
                            "leave guest::work() at 1140.0", "7", "leave main at 1180.0"))
        << "ticks of a microsecond; the first value has nothing to be compared with";
}

TEST_F(PesDecodeOutputs, ShowOwnershipAndEventsInTheTimeline) {
    TraceWriter writer(0);
    writer.at(50, test::time_event());
    writer.at(70, make_message(MessageCode::Ownership).set(Field::Process, 7 << 5 | 1 << 2 | 2));
    writer.at(80, make_message(MessageCode::InCircuitTraceSync)
                      .set(Field::EventSource, EventSource::PcSample)
                      .set(Field::EventData0, kPerfWork >> 1));
    writer.at(90, make_message(MessageCode::Ownership).set(Field::Process, 8 << 5 | 2));
    directory_.write("owners.rtd", writer.bytes());
    decode("owners.rtd --elf hello.elf --timeline timeline.json");
    const json events = json::parse(file("timeline.json"))["traceEvents"];
    const std::string text = events.dump();
    EXPECT_THAT(text, HasSubstr("context 7, privilege 1"));
    EXPECT_THAT(text, HasSubstr("context 8, privilege 0"));
    EXPECT_THAT(text, HasSubstr("pc-sample: guest::work()"));
    const auto count = [&](const char* phase) {
        return std::count_if(events.begin(), events.end(),
                             [&](const json& event) { return event["ph"] == phase; });
    };
    EXPECT_EQ(count("B"), 2);
    EXPECT_EQ(count("E"), 2) << "what is open at the end is closed";
    EXPECT_TRUE(std::all_of(events.begin(), events.end(), [](const json& event) {
        return event["ph"] != "E" || !event["name"].get<std::string>().empty();
    })) << "some viewers close the slice of that name";
}

TEST_F(PesDecodeOutputs, FoldStacksByTimeOrCounterWhateverTheCounting) {
    EXPECT_EQ(decode("run.rtd --elf hello.elf --folded -").out, "main 80\nmain;guest::work() 40\n");
    for (const CountType type : {CountType::Raw, CountType::Delta}) {
        directory_.write("run.rtd", call_tree(type).trace());
        EXPECT_THAT(decode("run.rtd --elf hello.elf --folded - --folded-weight 0").out,
                    HasSubstr("main;guest::work() 40\n"));
        EXPECT_THAT(decode("run.rtd --elf hello.elf --folded - --folded-weight 0").out,
                    HasSubstr("main 17\n"));
    }
}

TEST_F(PesDecodeOutputs, FoldSamplesIntoTheFunctionThatTheyInterrupt) {
    PerfWrites writes;
    writes.header(CountType::Delta, 1);
    writes.record(RecordKind::FunctionEnter, {kPerfMain, 0}, {5});
    writes.record(RecordKind::Interrupt, {kPerfWork + 4}, {30});
    writes.record(RecordKind::Interrupt, {kPerfMain + 4}, {12});
    directory_.write("run.rtd", writes.trace());
    EXPECT_EQ(decode("run.rtd --elf hello.elf --folded - --folded-weight 0").out,
              "(unknown) 5\nmain 12\nmain;guest::work() 30\n");
}

TEST_F(PesDecodeOutputs, NameTheSourceInFoldedStacksOfSeveral) {
    directory_.write("run.rtd",
                     call_tree(CountType::Raw, 0).trace(1) + call_tree(CountType::Raw, 1).trace(1));
    EXPECT_EQ(decode("run.rtd --elf hello.elf --folded - --src-bits 1").out,
              "source 0;main 80\nsource 0;main;guest::work() 40\n"
              "source 1;main 80\nsource 1;main;guest::work() 40\n");
}

TEST_F(PesDecodeOutputs, RefuseWhatDoesNotFitTogether) {
    EXPECT_THAT(decode("run.rtd --ctf").err, HasSubstr("expected --elf as well"));
    EXPECT_THAT(decode("run.rtd --folded-weight 0").err, HasSubstr("expected --folded as well"));
    EXPECT_THAT(
        decode("run.rtd --folded f --folded-weight cycles").err,
        HasSubstr(
            "--folded-weight got 'cycles', expected time, instructions, samples or a counter"));
    EXPECT_THAT(decode("run.rtd --csv same --timeline same").err, HasSubstr("two outputs go to"));
    EXPECT_THAT(decode("run.rtd --csv run.rtd").err, HasSubstr("run.rtd"));
    EXPECT_THAT(decode("run.rtd --clock-hz 5").err, HasSubstr("expected --timeline or --ctf"));
}

/// An independent reader of CTF.
class PesDecodeCtf : public PesDecodeOutputs {
  protected:
    void SetUp() override {
        PesDecodeOutputs::SetUp();
        if (std::string(BABELTRACE).empty()) {
            GTEST_SKIP() << "babeltrace2 was not there when the tests were configured";
        }
    }
};

TEST_F(PesDecodeCtf, IsReadByBabeltrace) {
    EXPECT_EQ(decode("run.rtd --elf hello.elf --ctf --clock-hz 1000000").exit_code, 0);
    const CommandResult read = pes::test::run_command(BABELTRACE " --clock-seconds --no-delta " +
                                                      (directory_ / "ctf").string());
    EXPECT_EQ(read.exit_code, 0) << read.err;
    EXPECT_EQ(read.err, "");
    std::istringstream lines(read.out);
    std::vector<std::string> calls;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("cyg_profile") != std::string::npos) {
            const auto time = line.substr(0, line.find(']') + 1);
            const auto name = line.find("func_");
            const auto address = line.rfind("{ addr");
            calls.push_back(time + " " + line.substr(name, line.find(':', name) - name) + " " +
                            line.substr(address));
        }
    }
    EXPECT_THAT(
        calls,
        ElementsAre("[0.001060000] func_entry { addr = 0x80000000, call_site = 0x80000004 }",
                    "[0.001100000] func_entry { addr = 0x80000040, call_site = 0x80000008 }",
                    "[0.001140000] func_exit { addr = 0x80000040, call_site = 0x80000008 }",
                    "[0.001180000] func_exit { addr = 0x80000000, call_site = 0x80000004 }"));
    EXPECT_THAT(read.out, HasSubstr("lttng_ust_statedump:bin_info"));
    EXPECT_THAT(read.out, HasSubstr("hello.elf"));
    EXPECT_THAT(read.out, HasSubstr("counter = 0, value = 157"));
}

TEST_F(PesDecodeOutputs, RefuseACtfDirectoryOfAnotherTrace) {
    directory_.write("other.rtd", call_tree(CountType::Raw).trace());
    EXPECT_EQ(decode("run.rtd --elf hello.elf --ctf").exit_code, 0);
    const std::string stream = file("ctf/hello_0.ctf");
    EXPECT_EQ(decode("run.rtd --elf hello.elf --ctf").exit_code, 0) << "the same again";
    const CommandResult other = decode("other.rtd --elf hello.elf --ctf");
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("--ctf got 'ctf', which holds another trace, expected an "
                                     "empty or a new directory"));
    EXPECT_EQ(decode("- --elf hello.elf --ctf < run.rtd").exit_code, 2);
    EXPECT_EQ(decode("other.rtd --elf hello.elf --ctf --output-dir other").exit_code, 0);
    EXPECT_EQ(file("ctf/hello_0.ctf"), stream);
}

TEST_F(PesDecodeOutputs, RefuseACtfDirectoryWithStreamsOfAnEarlierRun) {
    decode("run.rtd --elf hello.elf --ctf");
    const std::string metadata = file("ctf/metadata");
    directory_.write("ctf/hello_1.ctf", "stream");
    const CommandResult result = decode("run.rtd --elf hello.elf --ctf --clock-hz 5");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("'hello_1.ctf' of an earlier run"));
    EXPECT_EQ(file("ctf/metadata"), metadata);
    std::filesystem::remove(directory_ / "ctf/metadata");
    EXPECT_EQ(decode("run.rtd --elf hello.elf --ctf").exit_code, 2)
        << "streams of an unknown trace";
}

TEST_F(PesDecodeCtf, IsReadableAfterALoss) {
    PerfWrites writes = call_tree(CountType::Raw);
    writes.drop(7, 2); // inside of the first record
    directory_.write("run.rtd", writes.trace());
    decode("run.rtd --elf hello.elf --ctf");
    const CommandResult read =
        pes::test::run_command(BABELTRACE " " + (directory_ / "ctf").string());
    EXPECT_EQ(read.exit_code, 0) << read.err;
}

TEST_F(PesDecodeCtf, SplitsALongTraceIntoPackets) {
    PerfWrites writes;
    writes.header(CountType::Raw, 1);
    for (std::uint64_t record = 0; record < 5000; ++record) {
        writes.manual(kPerfMain, {record});
    }
    directory_.write("run.rtd", writes.trace());
    decode("run.rtd --elf hello.elf --ctf");
    const CommandResult read = pes::test::run_command(
        BABELTRACE " " + (directory_ / "ctf").string() + " | grep -c pes:counter");
    EXPECT_EQ(read.out, "5000\n");
    EXPECT_EQ(read.err, "");
}
} // namespace
} // namespace pes::trace

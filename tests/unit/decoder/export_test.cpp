// SPDX-License-Identifier: Apache-2.0
// What whole runs do not have: stacks of calls, recursion, samples without a threshold, names that
// a format has no place for. The program is real, its samples are made up.
#include "decoder/export/formats.h"
#include "decoder/export/protobuf.h"
#include "hw/interface/pmu/profile_cva6.h"
#include "platform/host/user_error.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/decoder/sample_bytes.h"

#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <sstream>

namespace pes {
namespace {

using test::event_at;
using test::record_at;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Export : public testing::Test {
  protected:
    Export()
        : symbolizer_(parse_program_files({GUEST_PROGRAM})), data_(symbolizer_, kCva6Profile) {}

    Address function(const std::string& name) const {
        for (const Function& each : symbolizer_.programs().front().functions()) {
            if (each.name == name) {
                return each.begin;
            }
        }
        ADD_FAILURE() << "no function " << name;
        return 0;
    }

    void add(const SampleRecord& record, std::vector<std::uint64_t> calls) {
        RecordDetails details;
        details.fixed.calls = static_cast<std::uint32_t>(calls.size());
        details.calls = std::move(calls);
        data_.add(record, &details);
    }

    std::string written(const std::string& format) {
        data_.finish();
        const std::filesystem::path path = directory_.path() / format;
        OutputFile file(path);
        export_format(format).write(file, data_);
        file.commit();
        std::ostringstream text;
        text << std::ifstream(path, std::ios::binary).rdbuf();
        return text.str();
    }

    test::TemporaryDirectory directory_;
    Symbolizer symbolizer_;
    ExportData data_;
    const Address sort_ = function("guest::Sorter::sort(long*, long)");
    const Address main_ = function("main");
    const std::string sort_name_ = "guest::Sorter::sort(long*, long)";
};

TEST_F(Export, FoldedStacksBeginWithTheProgramAndTheOutermostCall) {
    add(record_at(sort_ + 4), {main_ + 8, main_ + 4});
    add(record_at(sort_), {main_ + 12, main_ + 4});
    data_.add(record_at(main_), nullptr);
    EXPECT_EQ(written("folded"),
              "guest.elf;main 100\nguest.elf;main;main;" + sort_name_ + " 200\n");
}

TEST_F(Export, SamplesWithoutThresholdsCountAsOne) {
    SampleRecord record = record_at(main_);
    record.threshold = 0;
    data_.add(record, nullptr);
    data_.add(record, nullptr);
    EXPECT_EQ(written("folded"), "guest.elf;main 2\n");
}

TEST_F(Export, AddressesOutsideOfSymbolsAreOneFunction) {
    data_.add(record_at(0x10), nullptr);
    data_.add(record_at(0x20), nullptr);
    EXPECT_EQ(written("folded"), "(no program);(outside of symbols) 200\n");
    EXPECT_THAT(written("perf-script"), HasSubstr("10 [unknown] ([unknown])\n"));
}

TEST_F(Export, CallgrindHasTheCostOfACallOnceForEachSample) {
    const Address call = main_ + 8;
    add(record_at(sort_), {call});
    add(record_at(sort_ + 4), {sort_ + 8, sort_ + 8, call}); // recursion
    const std::string text = written("callgrind");
    EXPECT_THAT(text, HasSubstr("\nevents: sampled_instret\nsummary: 200\n"));
    const auto calls_from = [&](Address from) {
        std::istringstream lines(text);
        std::string line, before;
        std::vector<std::string> costs;
        while (std::getline(lines, line)) {
            if (before.starts_with("calls=") && line.starts_with(fmt::format("{:#x} ", from))) {
                costs.push_back(before.substr(0, before.find(' ')) + line.substr(line.rfind(' ')));
            }
            before = line;
        }
        return costs;
    };
    EXPECT_THAT(calls_from(call), ElementsAre("calls=2 200"));
    EXPECT_THAT(calls_from(sort_ + 8), ElementsAre("calls=1 100"));
}

TEST_F(Export, CallgrindNamesOfEventsAreWords) {
    data_.add(event_at(main_, 3, 0x1F), nullptr);
    EXPECT_THAT(written("callgrind"), HasSubstr("\nevents: sampled_event_0x1f\n"));
}

TEST_F(Export, SpeedscopeTellsHartsApart) {
    SampleRecord record = record_at(sort_);
    add(record, {main_});
    record.hart = 1;
    add(record, {});
    const auto document = nlohmann::json::parse(written("speedscope"));
    ASSERT_EQ(document["profiles"].size(), 2);
    EXPECT_EQ(document["profiles"][0]["name"], "instret, hart 0");
    EXPECT_EQ(document["profiles"][1]["name"], "instret, hart 1");
    std::vector<std::string> names;
    for (const std::size_t frame : document["profiles"][0]["samples"][0]) {
        names.push_back(document["shared"]["frames"][frame]["name"]);
    }
    EXPECT_THAT(names, ElementsAre("main", sort_name_));
}

TEST_F(Export, PerfScriptHasTheInnermostFrameFirst) {
    SampleRecord record = record_at(sort_ + 4);
    record.cycle = 2'000'000'345;
    add(record, {main_ + 8});
    EXPECT_EQ(written("perf-script"),
              fmt::format("guest.elf 1/1 [000] 2.000000345:        100 instret: \n"
                          "\t{:16x} {}+0x4 ({})\n\t{:16x} main+0x8 ({})\n\n",
                          sort_ + 4, sort_name_, GUEST_PROGRAM, main_ + 8, GUEST_PROGRAM));
}

TEST_F(Export, PerfDataTellsOfEachHartAndOfLostSamples) {
    SampleRecord record = record_at(sort_);
    data_.add(record, nullptr);
    record.hart = 1;
    record.lost = 5;
    data_.add(record, nullptr);
    record.lost = 7;
    data_.add(record, nullptr);
    data_.set_clock_hz(100'000'000);
    const std::string bytes = written("perf-data");
    const auto number = [&bytes](std::size_t at, std::size_t size) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, size);
        return value;
    };
    EXPECT_EQ(bytes.substr(0, 8), "PERFILE2");
    std::vector<std::uint64_t> types;
    std::vector<std::uint64_t> lost;
    std::vector<std::string> samples;
    const std::uint64_t end = number(40, 8) + number(48, 8);
    for (std::uint64_t at = number(40, 8); at < end; at += number(at + 6, 2)) {
        const std::uint64_t type = number(at, 4);
        types.push_back(type);
        if (type == 13) {
            lost.push_back(number(at + 8, 8));
        } else if (type == 9) {
            samples.push_back(fmt::format("{} ns, thread {}, hart {}: {}", number(at + 32, 8),
                                          number(at + 28, 4), number(at + 40, 4),
                                          number(at + 48, 8)));
        }
    }
    EXPECT_THAT(types, ElementsAre(3, 3, 10, 9, 13, 9, 13, 9));
    EXPECT_THAT(lost, ElementsAre(5, 2));
    EXPECT_THAT(samples,
                ElementsAre("10000 ns, thread 1, hart 0: 100", "10000 ns, thread 2, hart 1: 100",
                            "10000 ns, thread 2, hart 1: 100"));
}

TEST_F(Export, FirefoxStacksNameTheirCallers) {
    SampleRecord record = record_at(sort_);
    record.cycle = 2'500'000;
    add(record, {main_ + 8});
    data_.add(record_at(main_ + 8), nullptr); // earlier, and behind it in the file
    const auto document = nlohmann::json::parse(written("firefox"));
    const auto& thread = document["threads"][0];
    EXPECT_EQ(thread["samples"]["time"], nlohmann::json({0.001, 2.5}));
    EXPECT_EQ(thread["samples"]["stack"], nlohmann::json({0, 1}));
    EXPECT_EQ(thread["samples"]["weight"], nlohmann::json({100, 100}));
    EXPECT_EQ(thread["stackTable"]["prefix"], nlohmann::json({nullptr, 0}));
    const std::size_t function = thread["frameTable"]["func"][1];
    const std::size_t name = thread["funcTable"]["name"][function];
    EXPECT_EQ(document["shared"]["stringArray"][name], sort_name_);
}

TEST_F(Export, EveryFormatTakesNoSample) {
    for (const ExportFormat& format : export_formats()) {
        EXPECT_NO_THROW(written(std::string(format.name))) << format.name;
    }
}

TEST(ExportFormats, AnUnknownOneIsAUserErrorThatNamesTheOthers) {
    try {
        export_format("gprof");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("FORMAT got 'gprof', expected one of folded, callgrind"));
    }
}

TEST(Protobuf, FieldsAreThoseOfTheSpecificationsExamples) {
    EXPECT_EQ(ProtobufMessage().number(1, 150).wire(), "\x08\x96\x01");
    EXPECT_EQ(ProtobufMessage().bytes(2, "testing").wire(), "\x12\x07testing");
    EXPECT_EQ(ProtobufMessage().numbers(6, {3, 270, 86942}).wire(),
              "\x32\x06\x03\x8E\x02\x9E\xA7\x05");
    EXPECT_EQ(ProtobufMessage().number(1, 0).wire(), "");
}

} // namespace
} // namespace pes

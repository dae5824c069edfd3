// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/report.h"

#include "platform/host/csv.h"
#include "platform/profile/text_layout.h"
#include "tests/unit/decoder/sample_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pes {
namespace {

using testing::HasSubstr;
using testing::Not;

HotSpot row(std::uint64_t samples, double share, const std::string& function, unsigned line) {
    HotSpot spot;
    spot.tally = {samples, samples * 100};
    spot.share = share;
    spot.function = function;
    spot.file = line == 0 ? "" : "/home/someone/src/app/sort.cpp";
    spot.line = line;
    spot.address = 0x80000010;
    spot.offset = 0x10;
    spot.program = "app.elf";
    return spot;
}

/// Three samples of instret, two of them in sort(long*, long).
Report small_report() {
    Report report;
    report.input = "samples.bin";
    report.programs = {"app.elf"};
    for (int i = 0; i < 3; ++i) {
        SampleRecord record = test::record_at(0x80000010);
        record.cycle = 1000 + 500 * static_cast<unsigned>(i);
        record.lost = i == 2 ? 4 : 0;
        report.profile.add(record);
    }
    report.outside_symbols = 1;
    report.tables.push_back({{CounterKind::Instret, 0},
                             GroupBy::Function,
                             3,
                             {row(2, 2.0 / 3, "sort(long*, long)", 12), row(1, 1.0 / 3, "", 0)}});
    return report;
}

std::string text_of(const Report& report, RowLimit limit = 0, TextStyle style = {}) {
    std::ostringstream out;
    write_text(out, report, limit, style);
    return out.str();
}

TEST(CsvReport, HasOneQuotedLineForEachRow) {
    std::ostringstream out;
    write_csv(out, small_report(), 0);
    EXPECT_EQ(out.str(),
              "event,by,rank,samples,share,estimated_events,function,file,line,address,offset,"
              "program,lengthened\n"
              "instret,function,1,2,0.666667,200,\"sort(long*, long)\","
              "/home/someone/src/app/sort.cpp,12,0x80000010,16,app.elf,0\n"
              "instret,function,2,1,0.333333,100,,,,0x80000010,16,app.elf,0\n");
}

TEST(CsvReport, StopsAtTheRowLimit) {
    std::ostringstream out;
    write_csv(out, small_report(), 1);
    EXPECT_THAT(out.str(), HasSubstr(",1,2,"));
    EXPECT_THAT(out.str(), Not(HasSubstr(",2,1,")));
}

TEST(CsvField, QuotesOnlyWhatNeedsIt) {
    EXPECT_EQ(csv_field("plain name"), "plain name");
    EXPECT_EQ(csv_field("f(int, int)"), "\"f(int, int)\"");
    EXPECT_EQ(csv_field("operator\"\"_s"), "\"operator\"\"\"\"_s\"");
    EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(JsonReport, HoldsSummaryEventsAndTables) {
    std::ostringstream out;
    Report report = small_report();
    report.problems.skipped_bytes = 16;
    report.problems.skipped_runs = 1;
    report.problems.unsupported_versions[2] = 5;
    write_json(out, report, 0);
    const auto json = nlohmann::json::parse(out.str());
    EXPECT_EQ(json["summary"]["samples"], 3);
    EXPECT_EQ(json["summary"]["lost_records"], 4);
    EXPECT_EQ(json["summary"]["outside_symbols"], 1);
    EXPECT_EQ(json["summary"]["cycles"]["span"], 1000);
    EXPECT_EQ(json["summary"]["privilege"]["user"], 3);
    EXPECT_EQ(json["damage"]["skipped_bytes"], 16);
    EXPECT_EQ(json["damage"]["unsupported_versions"]["2"], 5);
    EXPECT_EQ(json["events"][0]["event"], "instret");
    EXPECT_EQ(json["events"][0]["counters"][0]["counter"], 2);
    EXPECT_EQ(json["events"][0]["estimated_events"], 300);
    const auto& rows = json["tables"][0]["rows"];
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0]["function"], "sort(long*, long)");
    EXPECT_EQ(rows[0]["line"], 12);
    EXPECT_EQ(rows[0]["address"], "0x80000010");
    EXPECT_TRUE(rows[1]["function"].is_null());
    EXPECT_TRUE(rows[1]["line"].is_null());
}

TEST(JsonReport, SaysHowManyRowsThereAreBeyondTheLimit) {
    std::ostringstream out;
    write_json(out, small_report(), 1);
    const auto json = nlohmann::json::parse(out.str());
    EXPECT_EQ(json["tables"][0]["rows"].size(), 1u);
    EXPECT_EQ(json["tables"][0]["rows_in_all"], 2);
}

TEST(JsonReport, NamesThatAreNotUtf8StillGiveValidJson) {
    std::ostringstream out;
    Report report = small_report();
    report.tables[0].rows[0].function = "bad\xFF"
                                        "name";
    write_json(out, report, 0);
    EXPECT_TRUE(nlohmann::json::accept(out.str()));
}

TEST(JsonReport, HasNoCycleSpanWithoutSamples) {
    std::ostringstream out;
    write_json(out, Report{}, 0);
    EXPECT_TRUE(nlohmann::json::parse(out.str())["summary"]["cycles"].is_null());
}

TEST(TextReport, SummaryNamesSamplesLossSpanAndPrivilege) {
    const std::string text = text_of(small_report());
    EXPECT_THAT(text, HasSubstr("samples.bin: 3 samples, 4 lost"));
    EXPECT_THAT(text, HasSubstr("1000 to 2000, a span of 1000"));
    EXPECT_THAT(text, HasSubstr("user 3, supervisor 0, machine 0"));
    EXPECT_THAT(text, HasSubstr("outside symbols  1"));
}

TEST(TextReport, HottestRowFillsTheBarAndOthersAreInProportion) {
    const std::string text = text_of(small_report());
    EXPECT_THAT(text, HasSubstr(" 66.7 %  ########################  sort(long*, long)\n"));
    EXPECT_THAT(text, HasSubstr(" 33.3 %  ############              (outside of symbols)\n"));
}

TEST(TextReport, RowsBeyondTheLimitAreSummedUp) {
    const std::string text = text_of(small_report(), 1);
    EXPECT_THAT(text, Not(HasSubstr("(outside of symbols)")));
    EXPECT_THAT(text, testing::ContainsRegex("1 +33\\.3 % +\\(1 more rows\\)"));
}

TEST(TextReport, SaysSoIfThereAreNoSamples) {
    Report report;
    report.input = "empty.bin";
    EXPECT_EQ(text_of(report), "empty.bin: 0 samples, 0 lost\n  no samples\n");
}

TEST(TextReport, ListsDamage) {
    Report report = small_report();
    report.problems.truncated_bytes = 13;
    EXPECT_THAT(text_of(report), HasSubstr("the last record is cut off after 13 bytes"));
}

TEST(TextReport, UsesEscapeSequencesOnlyWithColor) {
    EXPECT_THAT(text_of(small_report()), Not(HasSubstr("\033[")));
    EXPECT_THAT(text_of(small_report(), 0, {.unicode = true, .color = true}), HasSubstr("\033["));
}

TEST(Bar, HasEighthsInUnicodeAndWholeCellsInAscii) {
    EXPECT_EQ(bar(1.0, 4, {}), "####");
    EXPECT_EQ(bar(0.5, 4, {}), "##  ");
    EXPECT_EQ(bar(0.0, 4, {}), "    ");
    EXPECT_EQ(bar(1.0, 4, {.unicode = true}), "████");
    EXPECT_EQ(bar(3.0 / 8, 2, {.unicode = true}), "▊ ");
    EXPECT_EQ(bar(5.0 / 32, 4, {.unicode = true}), "▋   ");
}

TEST(Printable, ControlCharactersCannotReachTheTerminal) {
    EXPECT_EQ(printable("a\033[31mb\x7F\n"), "a?[31mb??");
    EXPECT_EQ(printable("naïve"), "naïve");
}

TEST(ShortPath, KeepsTheLastTwoComponents) {
    EXPECT_EQ(short_path("/home/someone/src/app/sort.cpp"), "app/sort.cpp");
    EXPECT_EQ(short_path("app/sort.cpp"), "app/sort.cpp");
    EXPECT_EQ(short_path("/sort.cpp"), "sort.cpp");
    EXPECT_EQ(short_path("sort.cpp"), "sort.cpp");
}

} // namespace
} // namespace pes

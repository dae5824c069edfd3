// SPDX-License-Identifier: Apache-2.0
#include "platform/report/page_text.h"
#include "platform/report/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace pes {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Two addresses outside of every program, and a sample at the second.
RunReport small_report() {
    RunReport report;
    report.title = "</script><b>bold</b>";
    report.run = {.cycles = 10, .instructions = 4, .reasons = {{"base", 7.5}, {"unit", 2.5}}};
    report.reasons = {"base", "l1i_miss", "unit"};
    report.events = {"load", "store"};
    report.addresses = {
        {.pc = 0x8000'0000, .retired = 1, .cycles = {4.5, 0, 0}, .events = {1, 0}},
        {.pc = 0xFFFF'FFFF'8000'0004, .retired = 3, .cycles = {3, 0, 2.5}, .events = {0, -2}}};
    report.timeline_events = {"instret"};
    report.timelines = {{.interval = 5, .counts = {{1, 3}}}};
    SampleRecord sample{};
    sample.pc = 0xFFFF'FFFF'8000'0004;
    sample.cycle = 7;
    sample.privilege = 3;
    report.samples = {sample};
    return report;
}

TEST(ReportData, AddsUpWhatLiesOutsideOfSymbols) {
    const Symbolizer nothing({});
    const json data = json::parse(report_data(small_report(), nothing));
    ASSERT_EQ(data["functions"].size(), 1U);
    const json& all = data["functions"][0];
    EXPECT_EQ(all["name"], "(outside of symbols)");
    EXPECT_EQ(all["retired"], 4);
    EXPECT_EQ(all["samples"], 1);
    EXPECT_EQ(all["cycles"], json({0, 7.5, 2, 2.5})); // index and value of those that are not 0
    EXPECT_EQ(all["events"], json({0, 1, 1, -2}));
    EXPECT_EQ(data["samples"], json({7, 0, -1, 3, 0}));
    EXPECT_EQ(data["timelines"][0]["counts"], json({{1, 3}}));
    EXPECT_EQ(data["stack"]["unit"], 2.5);
}

TEST(ReportData, HasTheCallsOfEachSample) {
    RunReport report = small_report();
    report.calls.add({}, 0x1000);
    report.calls.add({0x3000, 0x1000}, 0x2000); // innermost first
    const json calls = json::parse(report_data(report, Symbolizer({})))["calls"];
    EXPECT_EQ(calls["names"], json({"0x1000", "0x3000", "0x2000"}));
    EXPECT_EQ(calls["stacks"], json({{0}, {0, 1, 2}}));
    EXPECT_EQ(calls["of_samples"], json({0, 1}));
}

TEST(ReportData, HasNoCallsIfNoSampleHas) {
    RunReport report = small_report();
    report.calls.add({}, 0x1000);
    const json calls = json::parse(report_data(report, Symbolizer({})))["calls"];
    EXPECT_EQ(calls["stacks"], json::array());
    EXPECT_EQ(calls["of_samples"], json::array());
}

TEST(ReportPage, CannotBeEndedByANameInIt) {
    if (run_page_text().empty()) {
        GTEST_SKIP() << "a build without the libraries of the page";
    }
    std::ostringstream out;
    write_page(out, small_report(), Symbolizer({}));
    EXPECT_THAT(out.str(), Not(HasSubstr("</script><b>bold")));
    EXPECT_THAT(out.str(), HasSubstr("\\u003c/script>\\u003cb>bold"));
}

} // namespace
} // namespace pes

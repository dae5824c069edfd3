// SPDX-License-Identifier: Apache-2.0
// Files and figures from hand-made results.
#include "tb/lab/results.h"

#include "tb/lab/csv_files.h"
#include "tb/lab/judge.h"
#include "tb/lab/lab_page.h"
#include "tb/lab/page_tables.h"
#include "tb/lab/progress.h"
#include "tb/lab/slurm.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace pes::lab {
namespace {

using ::testing::HasSubstr;

PointRow point(const std::string& program, const std::string& method, double error,
               std::optional<double> overhead) {
    PointRow row{.program = program,
                 .settings = "default",
                 .wanted = 100,
                 .result = {},
                 .overhead = overhead};
    row.result.method = method;
    row.result.event = "cycle";
    row.result.period = 50;
    row.result.seed = 1;
    row.result.samples = 99;
    for (const GroupBy by : kGroupings) {
        row.result.errors[by] = {error, 0.05, 0.1, error - 0.05};
    }
    return row;
}

Results results() {
    Results results;
    results.methods = {"exact", "lcofi"};
    results.events = {"cycle"};
    results.programs = {"p", "q<"};
    results.points = {point("p", "exact", 0.1, 0), point("q<", "exact", 0.2, 0),
                      point("p", "lcofi", 0.5, 0.25), point("q<", "lcofi", 0.25, std::nullopt)};
    results.runs = {{"r", "p", "default", 5000, 4000, 3000, 0, {}}};
    results.costs = {{"c", "lcofi", 3000, 1000, 4, 1}};
    SkidResult skid{.key = "d", .name = "w", .event = "load"};
    skid.crossings = skid.delivered = skid.located = 4;
    skid.wrong_line = 3;
    skid.instructions = {{2, 1}, {6, 3}};
    skid.cycles = {{9, 4}};
    results.skids = {skid};
    return results;
}

TEST(LabResults, MeansAreOverThePointsThatHaveTheFigure) {
    const auto lcofi = [](const PointRow& row) { return row.result.method == "lcofi"; };
    const auto error = [](const PointRow& row) {
        return error_of(row, GroupBy::Line, &ErrorFigures::profile);
    };
    EXPECT_DOUBLE_EQ(mean_of(results().points, lcofi, error)->value, 0.375);
    const auto overhead = [](const PointRow& row) { return row.overhead; };
    EXPECT_EQ(mean_of(results().points, lcofi, overhead)->points, 1U);
    const auto none = [](const PointRow&) { return false; };
    EXPECT_FALSE(mean_of(results().points, none, error));
    EXPECT_EQ(usual_rate(results().points), 100U);
}

TEST(LabResults, OverheadIsSamplesTimesCost) {
    EXPECT_DOUBLE_EQ(overhead_of(10, 500, 100'000), 0.05);
    EXPECT_EQ(overhead_of(10, 500, 0), 0);
}

TEST(LabResults, CsvHasALineForEachPointAndGrouping) {
    const std::string csv = points_csv(results());
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 4 * 4);
    EXPECT_THAT(csv, HasSubstr("p,default,lcofi,cycle,50,0,1,99,0,0.250000,function,0.500000,"
                               "0.050000,0.100000,0.450000\n"));
    EXPECT_THAT(csv, HasSubstr("q<,default,lcofi,cycle,50,0,1,99,0,,address,0.250000,"));
    EXPECT_EQ(costs_csv(results()), "delivery,cycles_sampling,cycles_plain,samples,lost,"
                                    "cycles_per_sample\nlcofi,3000,1000,4,1,500.0\n");
    EXPECT_EQ(skids_csv(results()), "name,event,unit,distance,samples\nw,load,instructions,2,1\n"
                                    "w,load,instructions,6,3\nw,load,cycles,9,4\n");
}

TEST(LabResults, ThePagesDataHaveMeansAndNullWithoutThem) {
    const auto data = nlohmann::json::parse(lab_page_data(results(), "a < b"));
    EXPECT_EQ(data["title"], "a < b");
    EXPECT_EQ(data["rate"], 100);
    ASSERT_EQ(data["errors"].size(), 2U);
    const auto& exact = data["errors"][0];
    EXPECT_EQ(exact["method"], "exact");
    EXPECT_DOUBLE_EQ(exact["profile"][0], 0.15);
    EXPECT_DOUBLE_EQ(exact["systematic"][3], 0.1);
    EXPECT_DOUBLE_EQ(data["errors"][1]["overhead"], 0.25);
    EXPECT_EQ(data["costs"][0]["cycles"], 500);
    EXPECT_EQ(data["skids"][0]["instructions"], nlohmann::json({{2, 1}, {6, 3}}));
    EXPECT_EQ(data["rates"], nlohmann::json::array()) << "one rate";

    Results others = results();
    others.skids[0].located = 0;
    others.points[2].overhead.reset();
    others.points.push_back(point("p", "exact", 0.3, 0));
    others.points.back().wanted = 50;
    others.points.back().result.period = 100;
    others.too_few = {{"p", "default", "load"}, {"q<", "default", "load"}};
    const auto sparse = nlohmann::json::parse(lab_page_data(others, ""));
    EXPECT_TRUE(sparse["errors"][1]["overhead"].is_null());
    EXPECT_TRUE(sparse["skids"][0]["line"].is_null());
    EXPECT_EQ(sparse["too_few"]["load"], nlohmann::json({"p", "q<"}));
    ASSERT_EQ(sparse["rates"].size(), 3U) << "two of exact, one of lcofi";
    EXPECT_DOUBLE_EQ(sparse["rates"][0]["period"], 100) << "fewer samples first";
    EXPECT_DOUBLE_EQ(sparse["rates"][0]["profile"][2], 0.3);
}

TEST(LabResults, ThePageHasPublishedAverages) {
    const std::string page = page_tables(results());
    EXPECT_THAT(page, HasSubstr("| `exact` | 15.0 | 20.0 | 10.0 | 5.0 | 1.6 | TIP |"));
    EXPECT_THAT(page, HasSubstr("### Profile error by block"));
    EXPECT_THAT(page, HasSubstr("| `w`, load | 4 | 6 | 6 | 9 | 9 | 0.0 | 75.0 |"));
    EXPECT_THAT(page, HasSubstr("| programs | 2 |"));
}

TEST(LabResults, SamplesOfUnequalWeightSayLess) {
    std::vector<SampleRecord> samples(4);
    for (SampleRecord& sample : samples) {
        sample.threshold = 10;
    }
    EXPECT_EQ(effective_samples(samples), 4U);
    samples[0].threshold = 1'000'000;
    EXPECT_EQ(effective_samples(samples), 1U);
    EXPECT_EQ(effective_samples({}), 0U);
}

TEST(LabResults, TheProgressLineSaysHowLong) {
    using std::chrono::seconds;
    EXPECT_EQ(progress_text(0, 4, seconds(9), {"sort truth"}), "0/4 points: sort truth");
    EXPECT_EQ(progress_text(1, 4, seconds(25), {"a", "b"}), "1/4 points, ETA 1:15: a, b");
    EXPECT_EQ(progress_text(4, 4, seconds(25), {}), "4/4 points");
}

TEST(LabResults, AJobArrayIsOneCommand) {
    const std::string command = submission({.tasks = 3,
                                            .jobs = 2,
                                            .command = {"/bin/pes-lab", "it's.toml"},
                                            .logs = "/tmp/logs",
                                            .further_options = "--time=5"});
    EXPECT_THAT(command, HasSubstr("--array=0-2 --cpus-per-task=2 --output='/tmp/logs/%a.log' "
                                   "--time=5 --wrap "));
    EXPECT_THAT(command, HasSubstr("SLURM_ARRAY_TASK_ID\"/3"));
}

} // namespace
} // namespace pes::lab

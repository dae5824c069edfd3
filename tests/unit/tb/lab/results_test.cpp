// SPDX-License-Identifier: Apache-2.0
// Files and figures from hand-made results.
#include "tb/lab/results.h"

#include "tb/lab/csv_files.h"
#include "tb/lab/html_report.h"
#include "tb/lab/judge.h"
#include "tb/lab/page_tables.h"
#include "tb/lab/progress.h"
#include "tb/lab/slurm.h"
#include "tb/lab/svg_chart.h"

#include <gmock/gmock.h>

namespace pes::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(LabResults, TheReportIsOneFileWithItsCharts) {
    const std::string html = html_report(results(), "a < b");
    EXPECT_THAT(html, HasSubstr("<title>a &lt; b</title>"));
    EXPECT_THAT(html, HasSubstr("<tr><td>exact</td><td>15.0</td><td>10.0</td>"));
    EXPECT_THAT(html, HasSubstr("aria-label='cycle by function'"));
    EXPECT_THAT(html, HasSubstr("aria-label='w, load: skid in instructions'"));
    EXPECT_THAT(html, HasSubstr("<td>lcofi</td><td>500</td>"));
    EXPECT_THAT(html, Not(HasSubstr("http")));
    EXPECT_THAT(html, Not(HasSubstr("nan")));
}

TEST(LabResults, ThePageHasPublishedAverages) {
    const std::string page = page_tables(results());
    EXPECT_THAT(page, HasSubstr("| `exact` | 15.0 | 20.0 | 10.0 | 5.0 | 1.6 | TIP |"));
    EXPECT_THAT(page, HasSubstr("### Profile error by block"));
    EXPECT_THAT(page, HasSubstr("| `w`, load | 4 | 6 | 6 | 9 | 9 | 0.0 | 75.0 |"));
    EXPECT_THAT(page, HasSubstr("| programs | 2 |"));
}

TEST(LabResults, ChartsKeepTheirPointsInside) {
    const std::string svg = xy_chart("t", {"x", Scale::Logarithmic}, {"y", Scale::Linear},
                                     {{"free", 0, {{0, 50}}}, {"dear", 1, {{1000, 0}}}}, true);
    EXPECT_THAT(svg, HasSubstr("<title>free: 0, 50</title><circle cx='56.0' cy='16.0'"));
    EXPECT_THAT(bar_chart("t", "x", "y", {}), HasSubstr("</svg>"));
    EXPECT_EQ(html_escaped("a<'b'>&\""), "a&lt;&#39;b&#39;&gt;&amp;&quot;");
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

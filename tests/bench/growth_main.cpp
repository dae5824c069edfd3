// SPDX-License-Identifier: Apache-2.0
// pes-bench-growth: how the cost of a simulated instruction grows with counters, samples,
// observers, harts, memory, code and traps. docs/performance.md says what the rows mean. A report,
// not a test: a missed bar is no error.
#include "tests/bench/command.h"
#include "tests/bench/growth_report.h"
#include "tests/pages/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

namespace {

constexpr const char* kBeginMark = "<!-- growth: written by pes-bench-growth --markdown -->";
constexpr const char* kEndMark = "<!-- end of growth -->";

constexpr std::uint64_t kMostCycles = 1'000'000'000'000;

/// Those of `all` with these names, in the order of `all`; all of them if there are no names.
std::vector<pes::bench::GrowthSeries> chosen(const std::vector<pes::bench::GrowthSeries>& all,
                                             const std::vector<std::string>& names) {
    std::vector<std::string> known;
    std::vector<pes::bench::GrowthSeries> series;
    for (const pes::bench::GrowthSeries& one : all) {
        known.emplace_back(one.name);
        if (names.empty() || std::ranges::find(names, one.name) != names.end()) {
            series.push_back(one);
        }
    }
    for (const std::string& name : names) {
        if (std::ranges::find(known, name) == known.end()) {
            throw pes::bench::UsageError(
                fmt::format("--series {}, expected one of {}", name, fmt::join(known, ", ")));
        }
    }
    return series;
}

} // namespace

int main(int argc, char** argv) {
    using namespace pes::bench;
    CLI::App app{"Measures how the cost of a simulated instruction grows", "pes-bench-growth"};
    Settings settings;
    std::vector<std::string> names;
    std::uint64_t most_cycles = kToTheEnd;
    std::string json;
    std::string page;
    add_platform_options(app, settings);
    add_runs_option(app, settings);
    app.add_option("--series", names, "only this one; may be repeated")->allow_extra_args(false);
    app.add_option("--max-cycles", most_cycles, "end each run after so many cycles, for a trial")
        ->check(CLI::Range(std::uint64_t{1}, kMostCycles));
    app.add_option("--json", json, "file for the results");
    add_page_option(app, page);
    return run_command(app, argc, argv, [&] {
        const ScratchDirectory scratch;
        const std::vector<GrowthSeries> series = chosen(growth_series(scratch), names);
        const PageSection section(page, kBeginMark, kEndMark);
        const GrowthResults results = measure_growth(settings, series, most_cycles);
        std::cout << results.machine << '\n' << text(growth_table(results));
        if (!json.empty()) {
            pes::pages::write_file(json, growth_json(results));
        }
        section.write(growth_markdown(results));
    });
}

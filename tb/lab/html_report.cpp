// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/html_report.h"

#include "tb/lab/svg_chart.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <set>

namespace pes::lab {
namespace {

constexpr double kPercent = 100;

// Colours after P. Tol, "Colour Schemes" (2021), for readers who do not tell red from green.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --grid: #ddd; --soft: #666;
  --c0: #4477aa; --c1: #cc3311; --c2: #228833; --c3: #aa7700; --c4: #0099bb; --c5: #aa3377;
  --c6: #777777; --c7: #332288; --c8: #997700; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --paper: #181818; --grid: #383838;
  --soft: #999; --c0: #77aadd; --c1: #ee7755; --c2: #66cc77; --c3: #ddaa33; --c4: #55ccee;
  --c5: #ee77aa; --c6: #bbbbbb; --c7: #9988ee; --c8: #cccc66; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--grid); text-align: right; }
th:first-child, td:first-child { text-align: left; white-space: nowrap; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(26rem, 1fr)); gap: 1rem; }
figure { margin: 0; } figcaption { font-weight: 600; } svg { width: 100%; height: auto; }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
.grid { stroke: var(--grid); } .axis { stroke: var(--soft); } .bar { fill: var(--c0); }
polyline { fill: none; stroke-width: 1.5; }
)";

std::string style_of_series() {
    std::string style;
    for (int i = 0; i < 9; ++i) {
        style += fmt::format(".series-{0} {{ fill: var(--c{0}); stroke: var(--c{0}); }}\n", i);
    }
    return style;
}

std::string percent(const std::optional<double>& part) {
    return part ? fmt::format("{:.1f}", kPercent * *part) : "-";
}

std::string row(const char* cell, const std::vector<std::string>& cells) {
    std::string text = "<tr>";
    for (const std::string& one : cells) {
        text += fmt::format("<{0}>{1}</{0}>", cell, html_escaped(one));
    }
    return text + "</tr>\n";
}

class ReportWriter {
  public:
    explicit ReportWriter(const Results& results)
        : results_(results), rate_(usual_rate(results.points)) {}

    std::string write(const std::string& title) {
        text_ = fmt::format("{}{}</style><title>{}</title></head><body>\n<h1>{}</h1>\n", kHead,
                            style_of_series(), html_escaped(title), html_escaped(title));
        introduction();
        pareto();
        rates();
        errors();
        costs();
        skids();
        programs();
        return text_ + "</body></html>\n";
    }

  private:
    using Chosen = std::function<bool(const PointRow&)>;
    using Figure = std::function<std::optional<double>(const PointRow&)>;

    std::optional<double> mean(const Chosen& chosen, const Figure& figure) const {
        const auto mean = mean_of(results_.points, chosen, figure);
        return mean ? std::optional(mean->value) : std::nullopt;
    }

    static Figure error(GroupBy by, double ErrorFigures::*figure) {
        return [by, figure](const PointRow& row) { return error_of(row, by, figure); };
    }

    Chosen of(const std::string& method, const std::string& event, std::size_t rate) const {
        return [&method, &event, rate](const PointRow& row) {
            return row.result.method == method && row.result.event == event && row.wanted == rate;
        };
    }

    /// Its place in the matrix: the same in all charts.
    std::size_t style_of(const std::string& method) const {
        return static_cast<std::size_t>(std::ranges::find(results_.methods, method) -
                                        results_.methods.begin()) %
               9;
    }

    void heading(const std::string& words) { text_ += "<h2>" + html_escaped(words) + "</h2>\n"; }

    void introduction() {
        text_ += fmt::format(
            "<p>{} points of {} programs. A profile error is the part of the samples that is given "
            "to another function, line, block or address than the exact profile gives it to. A "
            "perfect sampler with as many samples has the statistical error; what exceeds it is "
            "systematic. Means are over programs. Overhead is samples x cost of a sample / "
            "cycles; the costs are measured below. docs/lab.md explains the figures.</p>\n",
            results_.points.size(), results_.programs.size());
    }

    void errors() {
        for (const std::string& event : results_.events) {
            heading(fmt::format("Error in percent: {}", event) +
                    (rate_ != 0 ? fmt::format(", about {} samples", rate_) : ""));
            text_ += "<table>";
            std::vector<std::string> head{"method"};
            for (const GroupBy by : kGroupings) {
                const std::string name(to_string(by));
                head.insert(head.end(), {name, "systematic"});
            }
            head.insert(head.end(), {"statistical, address", "95 % bound", "overhead", "lost"});
            text_ += row("th", head);
            for (const std::string& method : results_.methods) {
                error_row(method, event);
            }
            text_ += "</table>\n";
        }
    }

    void error_row(const std::string& method, const std::string& event) {
        const Chosen chosen = of(method, event, rate_);
        if (!mean(chosen, [](const PointRow&) { return 0.0; })) {
            return;
        }
        std::vector<std::string> cells{method};
        for (const GroupBy by : kGroupings) {
            cells.push_back(percent(mean(chosen, error(by, &ErrorFigures::profile))));
            cells.push_back(percent(mean(chosen, error(by, &ErrorFigures::systematic))));
        }
        const GroupBy finest = GroupBy::Instruction;
        cells.push_back(percent(mean(chosen, error(finest, &ErrorFigures::statistical))));
        cells.push_back(percent(mean(chosen, error(finest, &ErrorFigures::bound))));
        cells.push_back(percent(mean(chosen, [](const PointRow& row) { return row.overhead; })));
        std::uint64_t lost = 0;
        for (const PointRow& point : results_.points) {
            lost += chosen(point) ? point.result.lost : 0;
        }
        cells.push_back(std::to_string(lost));
        text_ += row("td", cells);
    }

    void pareto() {
        heading("Error against overhead");
        text_ += "<p>Down and left is better. Methods that cost nothing stand at the left "
                 "edge.</p>\n<div class='charts'>";
        for (const std::string& event : results_.events) {
            for (const GroupBy by : {GroupBy::Function, GroupBy::Instruction}) {
                std::vector<Series> series;
                for (const std::string& method : results_.methods) {
                    const Chosen chosen = of(method, event, rate_);
                    const auto cost =
                        mean(chosen, [](const PointRow& row) { return row.overhead; });
                    const auto wrong = mean(chosen, error(by, &ErrorFigures::profile));
                    if (cost && wrong) {
                        series.push_back(
                            {method, style_of(method), {{kPercent * *cost, kPercent * *wrong}}});
                    }
                }
                add_chart(fmt::format("{} by {}", event, to_string(by)),
                          {"overhead, % of cycles", Scale::Logarithmic}, "profile error, %", series,
                          false);
            }
        }
        text_ += "</div>\n";
    }

    void add_chart(const std::string& title, const Axis& x, const char* y,
                   const std::vector<Series>& series, bool lines) {
        if (!series.empty()) {
            text_ += xy_chart(title, x, {y, Scale::Linear}, series, lines);
        }
    }

    /// For events with several rates.
    void rates() {
        std::map<std::string, std::set<std::uint64_t>> periods;
        for (const PointRow& point : results_.points) {
            periods[point.result.event].insert(rate_key(point));
        }
        if (std::ranges::none_of(periods, [](const auto& one) { return one.second.size() > 1; })) {
            return;
        }
        heading("Error against period");
        text_ += "<p>Mean period of the programs, in what the method counts.</p>\n"
                 "<div class='charts'>";
        for (const std::string& event : results_.events) {
            if (periods[event].size() < 2) {
                continue;
            }
            for (const GroupBy by : {GroupBy::Function, GroupBy::Instruction}) {
                std::vector<Series> series;
                for (const std::string& method : results_.methods) {
                    series.push_back(
                        {method, style_of(method), rate_points(method, event, by, periods[event])});
                }
                add_chart(fmt::format("{} by {}", event, to_string(by)),
                          {"period", Scale::Logarithmic}, "profile error, %", series, true);
            }
        }
        text_ += "</div>\n";
    }

    /// What two points of one rate have in common.
    static std::uint64_t rate_key(const PointRow& point) {
        return point.wanted != 0 ? point.wanted : point.result.period;
    }

    std::vector<ChartPoint> rate_points(const std::string& method, const std::string& event,
                                        GroupBy by, const std::set<std::uint64_t>& rates) const {
        std::vector<ChartPoint> points;
        for (const std::uint64_t rate : rates) {
            const Chosen chosen = [&](const PointRow& row) {
                return row.result.method == method && row.result.event == event &&
                       rate_key(row) == rate;
            };
            const auto period = mean(
                chosen, [](const PointRow& row) { return static_cast<double>(row.result.period); });
            const auto wrong = mean(chosen, error(by, &ErrorFigures::profile));
            if (period && wrong) {
                points.push_back({*period, kPercent * *wrong});
            }
        }
        std::ranges::sort(points, {}, &ChartPoint::x);
        return points;
    }

    void costs() {
        if (results_.costs.empty()) {
            return;
        }
        heading("Cost of a sample");
        text_ += "<table>" + row("th", {"delivery", "cycles a sample", "samples", "lost",
                                        "cycles with sampling", "without"});
        std::vector<Bar> bars;
        for (const CostResult& cost : results_.costs) {
            text_ += row("td",
                         {cost.delivery, fmt::format("{:.0f}", cost.cycles_per_sample()),
                          std::to_string(cost.samples), std::to_string(cost.lost),
                          std::to_string(cost.cycles_sampling), std::to_string(cost.cycles_plain)});
            bars.push_back({cost.delivery, cost.cycles_per_sample()});
        }
        text_ += "</table>\n<div class='charts'>" +
                 bar_chart("Cost of a delivered sample", "delivery", "cycles", bars) + "</div>\n";
    }

    void skids() {
        if (results_.skids.empty()) {
            return;
        }
        heading("Skid of programs that sample themselves");
        text_ += "<table>" + row("th", {"program", "event", "samples", "at the cause, %",
                                        "other line, %", "other block, %", "other function, %"});
        std::string charts;
        for (const SkidResult& skid : results_.skids) {
            const auto part = [&](std::uint64_t count) {
                return skid.located == 0 ? std::string("-")
                                         : percent(static_cast<double>(count) /
                                                   static_cast<double>(skid.located));
            };
            text_ += row("td", {skid.name, skid.event, std::to_string(skid.delivered),
                                part(skid.at_cause), part(skid.wrong_line), part(skid.wrong_block),
                                part(skid.wrong_function)});
            charts += skid_chart(skid, "instructions", skid.instructions);
            charts += skid_chart(skid, "cycles", skid.cycles);
        }
        text_ += "</table>\n<div class='charts'>" + charts + "</div>\n";
    }

    static std::string skid_chart(const SkidResult& skid, const char* unit,
                                  const SkidResult::Histogram& histogram) {
        constexpr std::int64_t kLongest = 40; // all beyond it are one bar
        std::map<std::int64_t, double> bars;
        for (const auto& [distance, samples] : histogram) {
            bars[std::min(distance, kLongest)] += static_cast<double>(samples);
        }
        std::vector<Bar> all;
        for (const auto& [distance, samples] : bars) {
            all.push_back({std::to_string(distance) + (distance == kLongest ? "+" : ""), samples});
        }
        return bar_chart(fmt::format("{}, {}: skid in {}", skid.name, skid.event, unit),
                         fmt::format("{} from cause to interrupt", unit), "samples", all);
    }

    void programs() {
        heading("Programs");
        text_ += "<table>" + row("th", {"program", "settings", "cycles", "instructions"});
        for (const RunResult& run : results_.runs) {
            text_ += row("td", {run.program, run.settings, std::to_string(run.cycles),
                                std::to_string(run.instructions)});
        }
        text_ += "</table>\n";
        std::map<std::string, std::string> missing;
        for (const TooFew& pair : results_.too_few) {
            std::string& names = missing[pair.event];
            names += (names.empty() ? "" : ", ") + pair.program;
        }
        for (const auto& [event, names] : missing) {
            text_ += fmt::format("<p>Too few events of {}: {}.</p>\n", html_escaped(event),
                                 html_escaped(names));
        }
    }

    const Results& results_;
    std::size_t rate_;
    std::string text_;
};

} // namespace

std::string html_report(const Results& results, const std::string& title) {
    return ReportWriter(results).write(title);
}

} // namespace pes::lab

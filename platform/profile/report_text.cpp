// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/event_names.h"
#include "platform/profile/metrics.h"
#include "platform/profile/report.h"
#include "platform/profile/text_layout.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

constexpr unsigned kBarCells = 24;

std::string threshold_text(const CounterTally& counter) {
    return counter.lowest_threshold == counter.highest_threshold
               ? std::to_string(counter.lowest_threshold)
               : fmt::format("{}..{}", counter.lowest_threshold, counter.highest_threshold);
}

/// Which counters fired so often that the firmware took longer periods than were asked for.
void write_lengthened(std::ostream& out, const Report& report) {
    if (report.profile.lengthened() == 0) {
        return;
    }
    std::string counters;
    for (const auto& [event, counts] : report.profile.events()) {
        for (const auto& [number, counter] : counts.counters) {
            if (counter.tally.lengthened != 0) {
                counters +=
                    fmt::format("{}{} of {} on counter {}", counters.empty() ? "" : ", ",
                                counter.tally.lengthened, event_name(*report.pmu, event), number);
            }
        }
    }
    out << fmt::format("  longer period    {} samples: {}\n", report.profile.lengthened(),
                       counters);
}

/// A line for each class, with its parts.
void write_top_down(std::ostream& out, const std::vector<TopDownClass>& classes, TextStyle style) {
    if (classes.empty()) {
        return;
    }
    out << heading("top-down", style) << '\n';
    for (const TopDownClass& whole : classes) {
        std::string parts;
        for (const TopDownClass& part : whole.parts) {
            parts += fmt::format("{}{} {:.1f} %", parts.empty() ? ": " : ", ", part.name,
                                 100 * part.share);
        }
        out << fmt::format("  {:>5.1f} %  {}  {}{}\n", 100 * whole.share,
                           bar(whole.share, kBarCells, style), whole.name, parts);
    }
    out << '\n';
}

/// Two in a line.
void write_metrics(std::ostream& out, const std::vector<MetricValue>& values, TextStyle style) {
    constexpr std::size_t kColumns = 40;
    std::string lines;
    std::string line;
    for (const auto& [metric, value] : values) {
        if (metric->part != nullptr) {
            continue; // of top-down
        }
        if (line.size() >= kColumns) {
            lines += line + '\n';
            line.clear();
        }
        line.resize(line.empty() ? 0 : kColumns, ' ');
        line += fmt::format("  {:>8}  {}", metric_text(metric->unit, value), metric->name);
    }
    if (!line.empty()) {
        out << heading("metrics", style) << '\n' << lines << line << "\n\n";
    }
}

void write_run(std::ostream& out, const RunFacts& run, TextStyle style) {
    const auto cycles = static_cast<double>(run.cycles);
    out << heading(fmt::format("{} cycles, {} instructions, IPC {:.3f}", run.cycles,
                               run.instructions, static_cast<double>(run.instructions) / cycles),
                   style)
        << '\n';
    for (const auto& [reason, count] : run.reasons) {
        const double share = count / cycles;
        out << fmt::format("  {:>5.1f} %  {}  {}\n", 100 * share,
                           bar(count / run.reasons.front().second, kBarCells, style), reason);
    }
    out << '\n';
    const std::vector<MetricValue> values = metrics_of(run);
    write_top_down(out, top_down(values), style);
    write_metrics(out, values, style);
}

void write_summary(std::ostream& out, const Report& report, TextStyle style) {
    const SampleProfile& profile = report.profile;
    out << heading(fmt::format("{}: {} samples, {} lost", printable(report.input),
                               profile.samples(), profile.lost()),
                   style)
        << '\n';
    for (const std::string& sentence : describe(report.problems)) {
        out << "  damage           " << sentence << '\n';
    }
    if (profile.samples() == 0) {
        out << "  no samples\n";
        return;
    }
    const PrivilegeCounts& privileges = profile.privileges();
    out << fmt::format("  cycles           {} to {}, a span of {}\n", profile.first_cycle(),
                       profile.last_cycle(), profile.last_cycle() - profile.first_cycle());
    out << fmt::format("  privilege        user {}, supervisor {}, machine {}", privileges.user,
                       privileges.supervisor, privileges.machine);
    out << (privileges.other == 0 ? "" : fmt::format(", other {}", privileges.other)) << '\n';
    out << fmt::format("  outside symbols  {}\n", report.outside_symbols);
    write_lengthened(out, report);
}

void write_events(std::ostream& out, const Report& report, TextStyle style) {
    constexpr const char* kLine = "  {:<18} {:>7}  {:>12}  {:>9}  {:>16}\n";
    out << '\n'
        << heading(
               fmt::format(kLine, "event", "counter", "threshold", "samples", "estimated events"),
               style);
    for (const auto& [event, counts] : report.profile.events()) {
        for (const auto& [number, counter] : counts.counters) {
            out << fmt::format(kLine, event_name(*report.pmu, event), number,
                               threshold_text(counter), counter.tally.samples,
                               counter.tally.events);
        }
    }
}

/// The rows beyond the limit as one.
void write_compared_rows(std::ostream& out, const std::vector<ComparedRow>& rows, GroupBy by,
                         RowLimit limit, TextStyle style) {
    static constexpr const char* kLine = "  {:>14}  {:>14}  {:>14}  {}\n";
    const auto write = [&out](double before, double now, const std::string& name) {
        out << fmt::format(kLine, fmt::format("{:.0f}", before), fmt::format("{:.0f}", now),
                           fmt::format("{:+.0f}", now - before), name);
    };
    out << '\n'
        << heading(fmt::format(kLine, "before", "now", "change",
                               fmt::format("{}, by cycles", to_string(by))),
                   style);
    const std::size_t count = limit == 0 ? rows.size() : std::min(limit, rows.size());
    for (std::size_t index = 0; index < count; ++index) {
        const ComparedRow& row = rows[index];
        const std::string file = row.file.empty() ? "" : "  " + short_path(printable(row.file));
        write(row.before, row.now, printable(row.name) + file);
    }
    double before = 0, now = 0;
    for (std::size_t index = count; index < rows.size(); ++index) {
        before += rows[index].before;
        now += rows[index].now;
    }
    if (count < rows.size()) {
        write(before, now, fmt::format("({} more rows)", rows.size() - count));
    }
}

void write_comparison(std::ostream& out, const RunComparison& comparison, const Report& report,
                      RowLimit limit, TextStyle style) {
    out << '\n'
        << heading(fmt::format("compared with {}: {} cycles before, {} now, {}",
                               printable(comparison.before.title), comparison.before.cycles,
                               comparison.now.cycles,
                               speed_text(comparison.before.cycles, comparison.now.cycles)),
                   style)
        << '\n';
    for (const GroupBy by : report.compared_by) {
        write_compared_rows(out, comparison.rows(by == GroupBy::Line), by, limit, style);
    }
}

} // namespace

void write_table(std::ostream& out, const std::string& title, const ReportTable& table,
                 RowLimit limit, TextStyle style) {
    const std::size_t count = limit == 0 ? table.rows.size() : std::min(limit, table.rows.size());
    out << '\n' << heading(title, style) << '\n';
    std::size_t place_width = 0;
    for (std::size_t i = 0; i < count; ++i) {
        place_width = std::max(place_width, line_text(table.rows[i]).size());
    }
    std::uint64_t shown = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const HotSpot& row = table.rows[i];
        shown += row.tally.samples;
        // The hottest row fills the bar; the share beside it is of all samples.
        out << fmt::format("  {:>9}  {:>5.1f} %  {}  {}\n", row.tally.samples, 100 * row.share,
                           bar(row.share / table.rows.front().share, kBarCells, style),
                           place_text(row, table.by, place_width));
    }
    if (count < table.rows.size()) {
        const std::uint64_t rest = table.samples - shown;
        out << fmt::format("  {:>9}  {:>5.1f} %  {:{}}  ({} more rows)\n", rest,
                           100 * static_cast<double>(rest) / static_cast<double>(table.samples), "",
                           kBarCells, table.rows.size() - count);
    }
}

/// The samples, and where they are.
static void write_tables(std::ostream& out, const Report& report, RowLimit limit, TextStyle style) {
    write_summary(out, report, style);
    if (report.profile.samples() == 0) {
        return;
    }
    write_events(out, report, style);
    for (const ReportTable& table : report.tables) {
        const PmuProfile& pmu = *report.pmu;
        write_table(out,
                    fmt::format("{} ({}): {} samples by {}", event_name(pmu, table.event),
                                event_title(pmu, table.event), table.samples, to_string(table.by)),
                    table, limit, style);
    }
    if (report.tables.empty()) {
        out << "\nno samples of the chosen event\n";
    }
}

void write_text(std::ostream& out, const Report& report, RowLimit limit, TextStyle style) {
    if (report.run) {
        write_run(out, *report.run, style);
    }
    write_tables(out, report, limit, style);
    if (report.comparison) {
        write_comparison(out, *report.comparison, report, limit, style);
    }
}

} // namespace pes

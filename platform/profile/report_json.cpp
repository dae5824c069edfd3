// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/event_names.h"
#include "platform/profile/metrics.h"
#include "platform/profile/place_json.h"
#include "platform/profile/report.h"

#include <algorithm>

namespace pes {
namespace {

Json summary(const Report& report) {
    const SampleProfile& profile = report.profile;
    Json cycles = nullptr;
    if (profile.samples() != 0) {
        cycles = {{"first", profile.first_cycle()},
                  {"last", profile.last_cycle()},
                  {"span", profile.last_cycle() - profile.first_cycle()}};
    }
    const PrivilegeCounts& privileges = profile.privileges();
    return {{"samples", profile.samples()},
            {"lost_records", profile.lost()},
            {"lengthened", profile.lengthened()},
            {"outside_symbols", report.outside_symbols},
            {"cycles", cycles},
            {"privilege",
             {{"user", privileges.user},
              {"supervisor", privileges.supervisor},
              {"machine", privileges.machine},
              {"other", privileges.other}}}};
}

Json damage(const ReadProblems& problems) {
    Json versions = Json::object();
    for (const auto& [version, records] : problems.unsupported_versions) {
        versions[std::to_string(version)] = records;
    }
    return {{"skipped_bytes", problems.skipped_bytes},
            {"skipped_runs", problems.skipped_runs},
            {"truncated_bytes", problems.truncated_bytes},
            {"unsupported_versions", versions}};
}

Json events(const Report& report) {
    Json list = Json::array();
    for (const auto& [event, counts] : report.profile.events()) {
        Json counters = Json::array();
        for (const auto& [number, counter] : counts.counters) {
            counters.push_back({{"counter", number},
                                {"samples", counter.tally.samples},
                                {"estimated_events", counter.tally.events},
                                {"lengthened", counter.tally.lengthened},
                                {"lowest_threshold", counter.lowest_threshold},
                                {"highest_threshold", counter.highest_threshold}});
        }
        list.push_back({{"event", event_name(*report.pmu, event)},
                        {"selector", event.selector},
                        {"samples", counts.total.samples},
                        {"estimated_events", counts.total.events},
                        {"counters", counters}});
    }
    return list;
}

Json row_object(const HotSpot& row) {
    Json object = {{"samples", row.tally.samples},
                   {"share", row.share},
                   {"estimated_events", row.tally.events},
                   {"lengthened", row.tally.lengthened}};
    add_place(object, row);
    return object;
}

Json table_object(const PmuProfile& pmu, const ReportTable& table, RowLimit limit) {
    const std::size_t count = limit == 0 ? table.rows.size() : std::min(limit, table.rows.size());
    Json rows = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        rows.push_back(row_object(table.rows[i]));
    }
    return {{"event", event_name(pmu, table.event)},
            {"by", to_string(table.by)},
            {"samples", table.samples},
            {"rows_in_all", table.rows.size()},
            {"rows", rows}};
}

Json comparison_object(const Report& report, RowLimit limit) {
    const RunComparison& comparison = *report.comparison;
    Json tables = Json::array();
    for (const GroupBy by : report.compared_by) {
        const std::vector<ComparedRow>& all = comparison.rows(by == GroupBy::Line);
        Json rows = Json::array();
        for (const ComparedRow& row : all) {
            if (limit != 0 && rows.size() == limit) {
                break;
            }
            rows.push_back({{by == GroupBy::Line ? "line" : "function", row.name},
                            {"file", text_or_null(row.file)},
                            {"before", row.before},
                            {"now", row.now},
                            {"change", row.change()}});
        }
        tables.push_back({{"by", to_string(by)}, {"rows_in_all", all.size()}, {"rows", rows}});
    }
    return {{"before", comparison.before.title},
            {"command", comparison.before.command},
            {"cycles_before", comparison.before.cycles},
            {"cycles_now", comparison.now.cycles},
            {"instructions_before", comparison.before.instructions},
            {"instructions_now", comparison.now.instructions},
            {"tables", tables}};
}

} // namespace

void write_json(std::ostream& out, const Report& report, RowLimit limit) {
    Json tables = Json::array();
    for (const ReportTable& table : report.tables) {
        tables.push_back(table_object(*report.pmu, table, limit));
    }
    Json document = {{"input", report.input},      {"programs", report.programs},
                     {"summary", summary(report)}, {"damage", damage(report.problems)},
                     {"events", events(report)},   {"tables", tables}};
    if (report.run) {
        Json reasons = Json::object();
        for (const auto& [reason, count] : report.run->reasons) {
            reasons[reason] = count;
        }
        Json values = Json::object();
        for (const auto& [metric, value] : metrics_of(*report.run)) {
            values[metric->name] = value;
        }
        document["run"] = {{"cycles", report.run->cycles},
                           {"instructions", report.run->instructions},
                           {"cycle_stack", reasons},
                           {"metrics", values}};
    }
    if (report.comparison) {
        document["comparison"] = comparison_object(report, limit);
    }
    out << text_of(document);
}

} // namespace pes

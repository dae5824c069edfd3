// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/growth_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pes::bench {
namespace {

const Row kHeader{"series", "variant", "instructions", "MIPS", "ns",
                  "factor", "traps",   "ns a trap",    "speed"};

/// Percent of the speed of the first row.
double speed(const GrowthTable& table, std::size_t row) {
    return 100 * table.rows.front().nanoseconds() / table.rows[row].nanoseconds();
}

Row row_of(const GrowthTable& table, std::size_t index) {
    const GrowthRow& row = table.rows[index];
    const std::uint64_t traps = table.traps(index);
    return {table.series,
            row.variant,
            std::to_string(row.instructions),
            fmt::format("{:.1f}", row.mips()),
            fmt::format("{:.2f}", row.nanoseconds()),
            index == 0 ? "" : below(table.factor(index), kGrowthBar, "", 2),
            traps == 0 ? "" : std::to_string(traps),
            traps < kFewTraps ? "" : fmt::format("{:.0f}", table.nanoseconds_a_trap(index)),
            row.speed_bar == 0 ? "" : at_least(speed(table, index), row.speed_bar, "%")};
}

nlohmann::ordered_json row_json(const GrowthTable& table, std::size_t index) {
    const GrowthRow& row = table.rows[index];
    nlohmann::ordered_json entry{{"variant", row.variant},
                                 {"instructions", row.instructions},
                                 {"mips", row.mips()},
                                 {"nanoseconds", row.nanoseconds()},
                                 {"traps", table.traps(index)}};
    if (index != 0) {
        entry["factor"] = table.factor(index);
    }
    if (table.traps(index) >= kFewTraps) {
        entry["nanoseconds_a_trap"] = table.nanoseconds_a_trap(index);
    }
    if (row.speed_bar != 0) {
        entry["speed_percent"] = speed(table, index);
        entry["speed_percent_bar"] = row.speed_bar;
    }
    return entry;
}

} // namespace

Table growth_table(const GrowthResults& results) {
    Table table{.header = kHeader, .rows = {}};
    for (const GrowthTable& series : results.tables) {
        for (std::size_t row = 0; row < series.rows.size(); ++row) {
            table.rows.push_back(row_of(series, row));
        }
    }
    return table;
}

std::string growth_markdown(const GrowthResults& results) {
    return measured_how(results.machine, results.runs) + ".\n\n" + markdown(growth_table(results));
}

std::string growth_json(const GrowthResults& results) {
    nlohmann::ordered_json document{{"machine", results.machine},
                                    {"runs", results.runs},
                                    {"factor_bar", kGrowthBar},
                                    {"series", nlohmann::ordered_json::array()}};
    for (const GrowthTable& series : results.tables) {
        nlohmann::ordered_json rows = nlohmann::ordered_json::array();
        for (std::size_t row = 0; row < series.rows.size(); ++row) {
            rows.push_back(row_json(series, row));
        }
        document["series"].push_back({{"series", series.series}, {"rows", rows}});
    }
    return document.dump(2) + "\n";
}

} // namespace pes::bench

// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pes::bench {
namespace {

std::string markdown_row(const Row& row) {
    std::string text = "|";
    for (const std::string& cell : row) {
        text += fmt::format(" {} |", cell);
    }
    return text + "\n";
}

} // namespace

std::string text(const Table& table) {
    std::vector<Row> rows = table.rows;
    rows.insert(rows.begin(), table.header);
    std::vector<std::size_t> widths(table.header.size());
    for (const Row& row : rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], row[column].size());
        }
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            line += fmt::format("{:<{}}  ", row[column], widths[column]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string markdown(const Table& table) {
    std::string text = markdown_row(table.header) + markdown_row(Row(table.header.size(), "---"));
    for (const Row& row : table.rows) {
        text += markdown_row(row);
    }
    return text;
}

std::string measured_how(const std::string& machine, unsigned runs) {
    return fmt::format("Machine: {}. Best of {} runs of each variant, taking turns", machine, runs);
}

std::string below(double value, double bar, const char* unit, int digits) {
    const double scale = std::pow(10, digits);
    const double shown = std::round(value * scale) / scale + 0.0; // no minus before 0
    return fmt::format("{:.{}f}{} (<{:.0f}{} {})", shown, digits, unit, bar, unit,
                       verdict(value < bar));
}

std::string at_least(double value, double bar, const char* unit) {
    return fmt::format("{:.1f} {} ({:.0f} {})", value, unit, bar, verdict(value >= bar));
}

} // namespace pes::bench

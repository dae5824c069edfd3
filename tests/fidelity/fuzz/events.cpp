// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/fuzz/events.h"

#include "tests/fidelity/comparison.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace pes::cycle_fuzz {
namespace {

using fidelity::Column;
using fidelity::column_bit;

/// Misses, mispredictions, levels; the others are exact.
constexpr fidelity::ColumnMask kWithBar =
    fidelity::columns({1, 2, 3, 4, 10, 14, 15, 16, 17, 18, 22});

std::uint64_t count_of(const Pass& pass, Column column) {
    if (column == fidelity::kCycles) {
        return pass.cycles;
    }
    return column == fidelity::kInstructions ? pass.instructions : pass.events[column - 1];
}

std::uint64_t distance(std::uint64_t one, std::uint64_t other) {
    return one > other ? one - other : other - one;
}

bool is_outside(Column column, std::uint64_t theirs, std::uint64_t ours) {
    constexpr std::uint64_t kCounts = 4;
    const std::uint64_t bar =
        (kWithBar & column_bit(column)) == 0 ? 0 : std::max(kCounts, theirs / 100);
    return distance(theirs, ours) > bar;
}

struct Row {
    std::uint64_t theirs = 0;
    std::uint64_t ours = 0;
    std::uint64_t off = 0; ///< sum of the differences, whatever their sign
    unsigned differ = 0;
    std::vector<std::string> outside;
};

Row row_of(const std::vector<Finding>& findings, Column column) {
    Row row;
    for (const Finding& finding : findings) {
        if (!finding.problem.empty() || !finding.same_way) {
            continue;
        }
        const std::uint64_t theirs = count_of(finding.counted.judge, column);
        const std::uint64_t ours = count_of(finding.counted.model, column);
        row.theirs += theirs;
        row.ours += ours;
        row.off += distance(theirs, ours);
        row.differ += theirs == ours ? 0 : 1;
        if (is_outside(column, theirs, ours)) {
            row.outside.push_back(
                fmt::format("{}/{} {}/{}", name_of(finding.of), finding.seed, theirs, ours));
        }
    }
    return row;
}

} // namespace

std::string events_of(const std::vector<Finding>& findings) {
    constexpr std::size_t kNamed = 6;
    const auto compared = std::ranges::count_if(findings, [](const Finding& finding) {
        return finding.problem.empty() && finding.same_way;
    });
    std::string text = fmt::format("\nEvents of the warm pass, {} programs\n\n"
                                   "| | event | RTL | ours | off | differ | outside | which, RTL / "
                                   "ours |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
                                   compared);
    for (Column column = 0; column < fidelity::kColumns; ++column) {
        const Row row = row_of(findings, column);
        const std::vector<std::string> named(
            row.outside.begin(), row.outside.begin() + static_cast<std::ptrdiff_t>(
                                                           std::min(kNamed, row.outside.size())));
        const bool event = column != fidelity::kCycles && column != fidelity::kInstructions;
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                            event ? std::to_string(column) : "", fidelity::column_name(column),
                            row.theirs, row.ours, row.off, row.differ, row.outside.size(),
                            fmt::join(named, ", "));
    }
    return text;
}

} // namespace pes::cycle_fuzz

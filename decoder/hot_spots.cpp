// SPDX-License-Identifier: Apache-2.0
#include "decoder/hot_spots.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pes {
namespace {

/// What makes two addresses fall into one row.
using RowKey = std::tuple<const Function*, std::string, unsigned, Address>;

RowKey row_key(const Location& location, Address pc, GroupBy by) {
    switch (by) {
    case GroupBy::Function:
        return {location.function, "", 0, 0};
    case GroupBy::Line:
        // A line that is inlined into two functions is still one line of source.
        if (location.source.line != 0) {
            return {nullptr, location.source.file, location.source.line, 0};
        }
        return {location.function, "", 0, 0};
    case GroupBy::Instruction:
        break;
    }
    return {nullptr, "", 0, pc};
}

HotSpot first_of_row(const Location& location, Address pc, GroupBy by, const Symbolizer& symbolizer,
                     const std::optional<std::uint64_t>& process) {
    HotSpot row;
    row.address = pc;
    row.process = process;
    if (location.program != nullptr) {
        row.program = location.program->path();
    }
    SourceLine source = location.source;
    if (location.function != nullptr) {
        row.function = location.function->name;
        if (by == GroupBy::Function) {
            row.address = location.function->begin;
            source = symbolizer.find(row.address, process).source;
        }
        row.offset = row.address - location.function->begin;
    } else if (by == GroupBy::Function) {
        row.program.clear(); // the row of everything outside belongs to no program
        source = {};
    }
    row.file = source.file;
    row.line = source.line;
    return row;
}

void add_rows(std::vector<HotSpot>& rows, const std::optional<std::uint64_t>& process,
              const AddressTallies& addresses, const Symbolizer& symbolizer, GroupBy by) {
    // In address order, so that a row takes its address from the lowest one whatever the hashing.
    const std::map<Address, Tally> ordered(addresses.begin(), addresses.end());
    std::map<RowKey, std::size_t> row_of;
    for (const auto& [pc, tally] : ordered) {
        const Location location = symbolizer.find(pc, process);
        const auto [entry, is_new] = row_of.try_emplace(row_key(location, pc, by), rows.size());
        if (is_new) {
            rows.push_back(first_of_row(location, pc, by, symbolizer, process));
        }
        rows[entry->second].tally.add(tally);
    }
}

void rank(std::vector<HotSpot>& rows) {
    Tally total;
    for (const HotSpot& row : rows) {
        total.add(row.tally);
    }
    for (HotSpot& row : rows) {
        row.share = static_cast<double>(row.tally.samples) / static_cast<double>(total.samples);
    }
    const auto order = [](const HotSpot& row) {
        return std::tuple(~row.tally.samples, row.address, row.process);
    };
    std::sort(rows.begin(), rows.end(),
              [&](const HotSpot& a, const HotSpot& b) { return order(a) < order(b); });
}

} // namespace

std::string_view to_string(GroupBy by) {
    switch (by) {
    case GroupBy::Function:
        return "function";
    case GroupBy::Line:
        return "line";
    case GroupBy::Instruction:
        break;
    }
    return "address";
}

std::vector<HotSpot> hot_spots(const AddressTallies& addresses, const Symbolizer& symbolizer,
                               GroupBy by) {
    std::vector<HotSpot> rows;
    add_rows(rows, std::nullopt, addresses, symbolizer, by);
    rank(rows);
    return rows;
}

std::vector<HotSpot> process_hot_spots(const ProcessTallies& processes,
                                       const Symbolizer& symbolizer, GroupBy by) {
    std::vector<HotSpot> rows;
    for (const auto& [process, addresses] : processes) {
        add_rows(rows, process, addresses, symbolizer, by);
    }
    rank(rows);
    return rows;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/hot_spots.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pes {
namespace {

void add_rows(std::vector<HotSpot>& rows, const std::optional<std::uint64_t>& process,
              const AddressTallies& addresses, const Symbolizer& symbolizer, GroupBy by) {
    // In address order, so that a row takes its address from the lowest one whatever the hashing.
    const std::map<Address, Tally> ordered(addresses.begin(), addresses.end());
    RowFinder finder(symbolizer, by, process);
    std::vector<Tally> tallies;
    for (const auto& [pc, tally] : ordered) {
        const std::size_t row = finder.row_of(pc);
        tallies.resize(finder.places().size());
        tallies[row].add(tally);
    }
    for (std::size_t row = 0; row < tallies.size(); ++row) {
        rows.push_back({finder.places()[row], tallies[row], 0});
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
    case GroupBy::Block:
        return "block";
    case GroupBy::Instruction:
        break;
    }
    return "address";
}

RowFinder::Key RowFinder::key_of(const Location& location, Address pc) const {
    switch (by_) {
    case GroupBy::Function:
        break;
    case GroupBy::Line:
        // A line that is inlined into two functions is still one line of source.
        if (location.source.line != 0) {
            return {nullptr, location.source.file, location.source.line, 0};
        }
        break;
    case GroupBy::Block:
        if (const BasicBlock* block = symbolizer_.find_block(location, pc)) {
            return {nullptr, "", 0, block->begin};
        }
        break;
    case GroupBy::Instruction:
        return {nullptr, "", 0, pc};
    }
    return {location.function, "", 0, 0};
}

RowPlace RowFinder::place_of(const Location& location, Address pc) const {
    RowPlace place;
    place.address = pc;
    place.process = process_;
    if (location.program != nullptr) {
        place.program = location.program->path();
    }
    SourceLine source = location.source;
    const auto begin_at = [&](Address begin) {
        place.address = begin;
        source = symbolizer_.find(begin, process_).source;
    };
    if (by_ == GroupBy::Block) {
        if (const BasicBlock* block = symbolizer_.find_block(location, pc)) {
            begin_at(block->begin);
        }
    }
    if (location.function != nullptr) {
        place.function = location.function->name;
        if (by_ == GroupBy::Function) {
            begin_at(location.function->begin);
        }
        place.offset = place.address - location.function->begin;
    } else if (by_ == GroupBy::Function) {
        place.program.clear(); // the row of everything outside belongs to no program
        source = {};
    }
    place.file = source.file;
    place.line = source.line;
    return place;
}

std::size_t RowFinder::row_of(Address pc) {
    if (const auto found = known_.find(pc); found != known_.end()) {
        return found->second;
    }
    const Location location = symbolizer_.find(pc, process_);
    const auto [entry, is_new] = rows_.try_emplace(key_of(location, pc), places_.size());
    if (is_new) {
        places_.push_back(place_of(location, pc));
    }
    known_.emplace(pc, entry->second);
    return entry->second;
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

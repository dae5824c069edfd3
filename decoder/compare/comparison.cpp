// SPDX-License-Identifier: Apache-2.0
#include "decoder/compare/comparison.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pes {
namespace {

/// One side of the comparison.
struct Side {
    std::uint64_t ComparisonRow::*number;
    double ComparisonRow::*share;
    std::size_t ComparisonRow::*rank;
};
constexpr Side kExact = {&ComparisonRow::exact, &ComparisonRow::exact_share,
                         &ComparisonRow::exact_rank};
constexpr Side kSampled = {&ComparisonRow::weight, &ComparisonRow::sampled_share,
                           &ComparisonRow::sampled_rank};

/// One row for each place on either side.
std::vector<ComparisonRow> collect(const AddressTallies& sampled, const AddressTallies& exact,
                                   const Symbolizer& symbolizer, GroupBy by) {
    std::set<Address> addresses;
    for (const AddressTallies* side : {&sampled, &exact}) {
        for (const auto& [pc, tally] : *side) {
            addresses.insert(pc);
        }
    }
    RowFinder finder(symbolizer, by);
    for (const Address pc : addresses) { // ascending: a row takes its address from the lowest one
        finder.row_of(pc);
    }
    std::vector<ComparisonRow> rows;
    for (const RowPlace& place : finder.places()) {
        rows.push_back({place});
        if (by == GroupBy::Function && place.function.empty()) {
            rows.back().address = 0; // everything outside of symbols has no first byte
        }
    }
    for (const auto& [pc, tally] : sampled) {
        ComparisonRow& row = rows[finder.row_of(pc)];
        row.samples += tally.samples;
        row.weight = saturating_sum(row.weight, tally.events);
    }
    for (const auto& [pc, tally] : exact) {
        rows[finder.row_of(pc)].exact += tally.samples;
    }
    return rows;
}

std::uint64_t sum(const std::vector<ComparisonRow>& rows, std::uint64_t ComparisonRow::*number) {
    std::uint64_t total = 0;
    for (const ComparisonRow& row : rows) {
        total = saturating_sum(total, row.*number);
    }
    return total;
}

void rank(std::vector<ComparisonRow>& rows, const Side& side) {
    const auto total = static_cast<double>(sum(rows, side.number));
    std::vector<ComparisonRow*> order;
    for (ComparisonRow& row : rows) {
        if (row.*side.number != 0) {
            order.push_back(&row);
        }
    }
    std::ranges::sort(order, {}, [&side](const ComparisonRow* row) {
        return std::tuple(~(row->*side.number), row->address);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i]->*side.rank = i + 1;
        order[i]->*side.share = static_cast<double>(order[i]->*side.number) / total;
    }
}

/// Samples that stand for nothing, as those of other profilers, count as such.
void weigh(std::vector<ComparisonRow>& rows) {
    if (sum(rows, &ComparisonRow::weight) == 0) {
        for (ComparisonRow& row : rows) {
            row.weight = row.samples;
        }
    }
}

std::vector<std::uint64_t> column(const std::vector<ComparisonRow>& rows,
                                  std::uint64_t ComparisonRow::*number) {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(rows.size());
    for (const ComparisonRow& row : rows) {
        numbers.push_back(row.*number);
    }
    return numbers;
}

} // namespace

Comparison compare(const EventId& event, const AddressTallies& sampled, const Truth& truth,
                   const Symbolizer& symbolizer, GroupBy by) {
    Comparison result;
    result.event = event;
    result.by = by;
    result.measure = truth.measure;
    result.why_retired = truth.why_retired;
    result.rows = collect(sampled, truth.exact, symbolizer, by);
    result.samples = sum(result.rows, &ComparisonRow::samples);
    weigh(result.rows);
    result.exact = sum(result.rows, kExact.number);
    rank(result.rows, kExact);
    rank(result.rows, kSampled);
    std::ranges::sort(result.rows, {}, [](const ComparisonRow& row) {
        return std::tuple(row.exact_rank == 0, row.exact_rank, row.sampled_rank);
    });
    for (const ComparisonRow& row : result.rows) {
        result.overlap += std::min(row.exact_share, row.sampled_share);
    }
    if (result.samples != 0 && result.exact != 0) {
        result.error = profile_error(column(result.rows, kExact.number),
                                     column(result.rows, kSampled.number), result.samples);
    }
    return result;
}

std::size_t Comparison::common_top(std::size_t count) const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [count](const ComparisonRow& row) {
            return row.exact_rank != 0 && row.exact_rank <= count && row.sampled_rank != 0 &&
                   row.sampled_rank <= count;
        }));
}

} // namespace pes

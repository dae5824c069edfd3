// SPDX-License-Identifier: Apache-2.0
#include "decoder/comparison.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pes {
namespace {

std::uint64_t sum(const std::vector<HotSpot>& rows) {
    std::uint64_t total = 0;
    for (const HotSpot& row : rows) {
        total += row.tally.samples;
    }
    return total;
}

/// Everything outside of symbols is one row on both sides, whatever its lowest address is.
auto identity(const HotSpot& row) {
    return row.function.empty() ? std::tuple(std::string(), std::string(), Address{0})
                                : std::tuple(row.program, row.function, row.address);
}

} // namespace

Comparison compare(const EventId& event, const AddressTallies& sampled, const Truth& truth,
                   const Symbolizer& symbolizer) {
    const std::vector<HotSpot> seen = hot_spots(sampled, symbolizer, GroupBy::Function);
    Comparison result;
    result.event = event;
    result.measure = truth.measure_for(event);
    const std::vector<HotSpot> exact =
        hot_spots(truth.of(result.measure), symbolizer, GroupBy::Function);
    result.samples = sum(seen);
    result.exact = sum(exact);

    std::map<std::tuple<std::string, std::string, Address>, std::size_t> row_of;
    const auto row_for = [&](const HotSpot& spot) -> ComparisonRow& {
        const auto [entry, is_new] = row_of.try_emplace(identity(spot), result.rows.size());
        if (is_new) {
            ComparisonRow row;
            std::tie(row.program, row.function, row.address) = entry->first;
            result.rows.push_back(std::move(row));
        }
        return result.rows[entry->second];
    };
    for (std::size_t i = 0; i < exact.size(); ++i) {
        ComparisonRow& row = row_for(exact[i]);
        row.exact_rank = i + 1;
        row.exact = exact[i].tally.samples;
        row.exact_share = exact[i].share;
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
        ComparisonRow& row = row_for(seen[i]);
        row.sampled_rank = i + 1;
        row.samples = seen[i].tally.samples;
        row.sampled_share = seen[i].share;
    }
    for (const ComparisonRow& row : result.rows) {
        result.overlap += std::min(row.exact_share, row.sampled_share);
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

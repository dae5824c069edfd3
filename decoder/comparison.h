// SPDX-License-Identifier: Apache-2.0
// Sampled shares beside exact shares: does sampling find the functions that are truly hottest?
#pragma once

#include "decoder/exclusion.h"
#include "decoder/hot_spots.h"
#include "decoder/report.h"

#include <ostream>
#include <string>
#include <vector>

namespace pes {

/// One function. Rank 0: never sampled, or not in the exact profile.
struct ComparisonRow {
    std::string function; ///< empty for everything outside of symbols
    std::string program;
    Address address = 0;
    std::size_t exact_rank = 0;
    std::size_t sampled_rank = 0;
    std::uint64_t exact = 0; ///< in units of the measure
    std::uint64_t samples = 0;
    double exact_share = 0;
    double sampled_share = 0;
};

struct Comparison {
    EventId event;
    const PmuProfile* pmu = &kCva6Profile; ///< names it
    TruthMeasure measure = TruthMeasure::Retired;
    std::uint64_t samples = 0;
    std::uint64_t exact = 0;         ///< instructions or cycles in all
    LeftOut left_out;                ///< `samples` and `exact` are without it
    std::vector<ComparisonRow> rows; ///< by exact rank, then the ones that only sampling saw
    double overlap = 0; ///< sum of the smaller of the two shares: 1 = the same distribution

    /// How many functions are among the `count` hottest of both rankings.
    std::size_t common_top(std::size_t count) const;
};

Comparison compare(const EventId& event, const AddressTallies& sampled, const Truth& truth,
                   const Symbolizer& symbolizer);

/// One sentence: what was left out of both sides, and its share.
std::string describe(const LeftOut& left_out, TruthMeasure measure);

void write_csv(std::ostream& out, const Comparison& comparison, RowLimit limit);
void write_json(std::ostream& out, const Comparison& comparison, RowLimit limit);
void write_text(std::ostream& out, const Comparison& comparison, RowLimit limit, TextStyle style);

} // namespace pes

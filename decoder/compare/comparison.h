// SPDX-License-Identifier: Apache-2.0
// Sampled shares beside exact shares: does sampling find what is truly hottest, and how much of the
// difference is chance?
#pragma once

#include "decoder/compare/exclusion.h"
#include "platform/profile/hot_spots.h"
#include "platform/profile/profile_error.h"
#include "platform/profile/report.h"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace pes {

/// One function, line, block or address. Rank 0: never sampled, or not in the exact profile.
struct ComparisonRow : RowPlace {
    std::size_t exact_rank = 0;
    std::size_t sampled_rank = 0;
    std::uint64_t exact = 0; ///< in units of the measure
    std::uint64_t samples = 0;
    std::uint64_t weight = 0; ///< events that the samples stand for; if none do, the samples
    double exact_share = 0;
    double sampled_share = 0;
};

struct Comparison {
    EventId event;
    const PmuProfile* pmu = &kCva6Profile; ///< names it
    GroupBy by = GroupBy::Function;
    TruthMeasure measure;
    std::string why_retired; ///< as in Truth
    std::uint64_t samples = 0;
    std::uint64_t exact = 0;         ///< of the measure in all
    LeftOut left_out;                ///< `samples` and `exact` are without it
    std::vector<ComparisonRow> rows; ///< by exact rank, then the ones that only sampling saw
    double overlap = 0; ///< sum of the smaller of the two shares: 1 = the same distribution
    std::optional<ProfileError> error; ///< none if a side is empty

    /// How many rows are among the `count` hottest of both rankings.
    std::size_t common_top(std::size_t count) const;
};

Comparison compare(const EventId& event, const AddressTallies& sampled, const Truth& truth,
                   const Symbolizer& symbolizer, GroupBy by);

/// One sentence: what was left out of both sides, and its share.
std::string describe(const LeftOut& left_out, const TruthMeasure& measure);
/// Sentences on what the shares are shares of, if it is not what was wanted, and what was left out.
std::vector<std::string> notes_of(const Comparison& comparison);

void write_csv(std::ostream& out, const Comparison& comparison, RowLimit limit);
void write_json(std::ostream& out, const Comparison& comparison, RowLimit limit);
void write_text(std::ostream& out, const Comparison& comparison, RowLimit limit, TextStyle style);

} // namespace pes

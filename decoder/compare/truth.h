// SPDX-License-Identifier: Apache-2.0
// The exact profile that the platform writes with --truth: a CSV file (docs/truth.md) with columns
// for retired instructions, cycles and every pulse source. What is read of it is the measure that
// samples of one event are fairly compared with: the sum of some of these columns by address, and
// the part of it in machine mode. Without the column `privilege` machine mode is told apart by the
// columns machine_count and machine_cycles of older files, or not at all.
#pragma once

#include "hw/interface/pmu/profile.h"
#include "platform/profile/sample_profile.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// What a share of the exact profile is a share of.
struct TruthMeasure {
    std::string name;                 ///< "cycles", "retired instructions", "load events"
    std::vector<std::string> columns; ///< whose sum it is; none: no column says it

    bool operator==(const TruthMeasure&) const = default;
};

/// What every truth file has.
TruthMeasure retired_instructions();

/// What samples of the event are fairly compared with: cycles for `cycle`, retired instructions for
/// `instret`, for others the columns of all pulse sources that the profile's selector counts.
TruthMeasure measure_of(const PmuProfile& pmu, const EventId& event);

/// Exact numbers per address, in Tally::samples; addresses with 0 are left out.
struct Truth {
    TruthMeasure measure = retired_instructions();
    std::string why_retired; ///< why these are retired instructions though others were wanted
    AddressTallies exact;
    AddressTallies machine;     ///< the part of `exact` that was in machine mode
    bool tells_machine = false; ///< the file tells what ran in machine mode
};

/// Twice the number of a field of a truth file, since cycles may have a half; nothing if it is
/// none. The name of the column says what is allowed: events may be below zero.
std::optional<std::int64_t> truth_halves(std::string_view column, std::string_view text);

/// Reads the measure, or retired instructions if the file lacks a column of it. Numbers of events
/// may be below zero (docs/truth.md): an address below zero counts as 0, and what is missing there
/// is taken from the addresses behind it, so that the sum is exact. Throws UserError that names
/// `path` and, for a bad line, its number.
Truth read_truth(std::istream& input, const std::string& path, const TruthMeasure& wanted);

} // namespace pes

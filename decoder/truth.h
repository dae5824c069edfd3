// SPDX-License-Identifier: Apache-2.0
// The exact profile that the platform writes with --truth: a CSV file (docs/truth.md), of which the
// columns pc, count, cycles and privilege are read here: for each address how often it retired, how
// many cycles belong to it, and in which mode. Without cycles the file is still good for
// instructions; without privilege machine mode is told apart by the columns machine_count and
// machine_cycles of older files, or not at all.
#pragma once

#include "decoder/sample_profile.h"

#include <istream>
#include <string>
#include <string_view>

namespace pes {

/// What a share of the exact profile is a share of.
enum class TruthMeasure : std::uint8_t { Retired, Cycles };

std::string_view to_string(TruthMeasure measure);

/// Exact numbers per address, in Tally::samples; addresses with 0 are left out.
struct Truth {
    AddressTallies retired;
    AddressTallies cycles;
    AddressTallies machine_retired{}; ///< the part of `retired` that was in machine mode
    AddressTallies machine_cycles{};
    bool has_cycles = !cycles.empty(); ///< the file has the column
    bool tells_machine = false;        ///< the file tells what ran in machine mode

    /// Samples of cycles are fairly compared with cycles, all others with retired instructions.
    TruthMeasure measure_for(const EventId& event) const;
    const AddressTallies& of(TruthMeasure measure) const;
};

/// Throws UserError that names `path` and, for a bad line, its number.
Truth read_truth(std::istream& input, const std::string& path);

} // namespace pes

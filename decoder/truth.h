// SPDX-License-Identifier: Apache-2.0
// The exact profile that the platform writes with --truth: CSV, a header line "pc,count,cycles",
// then one line for each address that ever retired ("0x80000000,17,34"): how often it retired and
// how many cycles passed up to its retirements since the ones before. Without the last column the
// file is still good for instructions.
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
    AddressTallies cycles; ///< empty if the file has no such column

    /// Samples of cycles are fairly compared with cycles, all others with retired instructions.
    TruthMeasure measure_for(const EventId& event) const;
    const AddressTallies& of(TruthMeasure measure) const;
};

/// Throws UserError that names `path` and, for a bad line, its number.
Truth read_truth(std::istream& input, const std::string& path);

} // namespace pes

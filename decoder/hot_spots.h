// SPDX-License-Identifier: Apache-2.0
// Counts per address -> ranked rows per function, source line or address.
#pragma once

#include "decoder/sample_profile.h"
#include "decoder/symbolizer.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

enum class GroupBy : std::uint8_t { Function, Line, Instruction };

std::string_view to_string(GroupBy by);

/// One row of a profile.
struct HotSpot {
    Tally tally;
    double share = 0;     ///< of all samples of the event, 0..1
    std::string function; ///< empty outside of every symbol
    std::string file;     ///< empty if unknown; of a function: where its first byte comes from
    unsigned line = 0;    ///< 0 if unknown
    Address address = 0;  ///< of a function its first byte, else the lowest sampled address
    Address offset = 0;   ///< of `address` inside the function
    std::string program;  ///< path of the ELF file, empty if no program knows the address
    std::optional<std::uint64_t> process; ///< that was sampled; none if it is not known
};

/// By process; those of an unknown one under none.
using ProcessTallies = std::map<std::optional<std::uint64_t>, AddressTallies>;

/// Rows by falling number of samples, equal ones by rising address. All addresses outside of every
/// symbol are one row of the function table; the line table keeps addresses without a line together
/// by function.
std::vector<HotSpot> hot_spots(const AddressTallies& addresses, const Symbolizer& symbolizer,
                               GroupBy by);

/// The same for each process: what two processes have at one address are two rows. Of equal rows
/// the lower process comes first.
std::vector<HotSpot> process_hot_spots(const ProcessTallies& processes,
                                       const Symbolizer& symbolizer, GroupBy by);

} // namespace pes

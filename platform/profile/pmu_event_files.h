// SPDX-License-Identifier: Apache-2.0
// A PMU profile as the JSON files from which the build of Linux's perf makes its tables of events
// and metrics (tools/perf/pmu-events).
#pragma once

#include "hw/interface/pmu/profile.h"

#include <string>
#include <vector>

namespace pes {

/// What perf finds a core by.
struct CoreIds {
    std::uint64_t vendor = 0;         ///< mvendorid
    std::uint64_t architecture = 0;   ///< marchid
    std::uint64_t implementation = 0; ///< mimpid
};

struct PmuEventFile {
    std::string name; ///< below the folder of the architecture: "pes/cva6/cache.json"
    std::string text;
};

/// The name of a row in perf: the specification's if it has one, otherwise the profile's own in
/// its spelling. Empty for the selector that selects nothing.
std::string perf_event_name(const EventRow& row);

/// In the order of their names. The profile has its counters in mhpmcounterN.
std::vector<PmuEventFile> pmu_event_files(const PmuProfile& profile, const CoreIds& core);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The presets of a PMU profile as a section of PAPI's papi_events.csv.
#pragma once

#include "hw/interface/pmu/profile.h"

#include <string>

namespace pes {

/// A profile that is built in has the presets of its own table. Any other has those of CVA6 and of
/// the U74 whose events have the same sources in it.
std::string papi_events_csv(const PmuProfile& profile);

} // namespace pes

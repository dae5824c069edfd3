// SPDX-License-Identifier: Apache-2.0
// A PMU profile as sources of libpfm4, from which PAPI has the events of a core.
#pragma once

#include "hw/interface/pmu/profile.h"
#include "platform/profile/pmu_event_files.h"

#include <string_view>
#include <vector>

namespace pes {

/// libpfm4 has no RISC-V of its own (4.13), so that a PMU brings all that it is made of: the table
/// of events, the PMU with its functions, and a script that puts both into a libpfm4. `core`: what
/// the `uarch` line of /proc/cpuinfo has on this core.
std::vector<PmuEventFile> libpfm4_files(const PmuProfile& profile, std::string_view core);

} // namespace pes

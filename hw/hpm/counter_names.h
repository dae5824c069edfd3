// SPDX-License-Identifier: Apache-2.0
// Counters and their CSRs by name.
#pragma once

#include "hw/interface/pmu/profile.h"

#include <cstdint>
#include <string>

namespace pes {

/// "mhpmcounter4". By architectural index (counter_csr.h).
std::string counter_name(unsigned index);

/// "mhpmevent4"; empty if it is no CSR of the counters.
std::string counter_csr_name(std::uint16_t csr);

/// "load, store": what a counter with this selector, as stored, counts; "no event".
std::string events_of(const PmuProfile& profile, std::uint64_t selector);

} // namespace pes

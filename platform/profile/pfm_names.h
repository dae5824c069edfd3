// SPDX-License-Identifier: Apache-2.0
// What PAPI under Linux, and libpfm4 in it, call a PMU profile and its events.
#pragma once

#include "hw/interface/pmu/profile.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace pes {

/// As C identifiers have it: '_' for '-'.
inline std::string identifier_of(std::string name) {
    std::ranges::replace(name, '-', '_');
    return name;
}

inline std::string in_capitals(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char letter) {
        return static_cast<char>(std::toupper(letter));
    });
    return name;
}

/// "riscv_cva6"
inline std::string pfm_pmu_name(const PmuProfile& profile) {
    return "riscv_" + identifier_of(profile.name);
}

/// "L1D_MISS": the profile's own name, since a dot, which the specification's names have, separates
/// an event from its attributes. Empty for the selector that selects nothing.
inline std::string pfm_event_name(const EventRow& row) {
    return row.source == Event::None && row.selector == 0 ? std::string()
                                                          : in_capitals(identifier_of(row.name));
}

} // namespace pes

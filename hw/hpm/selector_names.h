// SPDX-License-Identifier: Apache-2.0
// What a selector is called in reports.
#pragma once

#include "hw/hpm/profile.h"

#include <cstdint>
#include <string>

namespace pes {

/// The names of the events that a selector, as stored, chooses, in the order of the table:
/// "integer-load+conditional-branch". Empty for a reserved one.
inline std::string selector_names(const PmuProfile& profile, std::uint64_t selector) {
    std::string names;
    for (const EventRow& row : profile) {
        if (selects(profile, selector, row)) {
            names += names.empty() ? "" : "+";
            names += row.name;
        }
    }
    return names;
}

} // namespace pes

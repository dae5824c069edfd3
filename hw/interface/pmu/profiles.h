// SPDX-License-Identifier: Apache-2.0
// The PMU profiles that are built in, by name. Freestanding: firmware that is built for one profile
// finds its tables here too. Others come from files (platform/host/profile_file.h).
#pragma once

#include "hw/interface/pmu/profile_cv32e40p.h"
#include "hw/interface/pmu/profile_cva6.h"
#include "hw/interface/pmu/profile_cva6_pdis.h"
#include "hw/interface/pmu/profile_u74.h"

namespace pes {

inline constexpr const PmuProfile* kProfiles[] = {&kCva6Profile, &kU74Profile, &kCv32e40pProfile,
                                                  &kCv32e40pAsicProfile, &kCva6PdisProfile};

/// Null if no profile has this name.
constexpr const PmuProfile* find_profile(const char* name) {
    for (const PmuProfile* profile : kProfiles) {
        if (detail::same_text(profile->name, name)) {
            return profile;
        }
    }
    return nullptr;
}

} // namespace pes

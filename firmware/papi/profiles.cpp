// SPDX-License-Identifier: Apache-2.0
#include "firmware/papi/profile.h"

namespace pes::papi {

const Profile* find_profile(bool (*counts)(const Native& native)) {
    constexpr const Profile* kProfiles[] = {&kCva6, &kU74};
    for (const Profile* profile : kProfiles) {
        if (counts({profile->name, "", sbi::pmu::kEventRaw, profile->signature})) {
            return profile;
        }
    }
    return nullptr;
}

} // namespace pes::papi

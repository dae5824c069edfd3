// SPDX-License-Identifier: Apache-2.0
// Which counters can monitor an SBI event (SBI 3.0, PMU: event_idx and event_data), and with which
// selector. The profile's table (hw/hpm/profile*.h) has the general and cache events.
#pragma once

#include "firmware/sbi/sbi.h"
#include "hw/hpm/profile_cva6.h"

#include <stdint.h>

namespace pes {

inline constexpr uint64_t kLastSelector = kCva6Profile.event_count - 1;
static_assert(
    [] {
        for (unsigned i = 0; i <= kLastSelector; ++i) {
            if (kCva6Events[i].selector != i) {
                return false;
            }
        }
        return true;
    }(),
    "selectors are 0..n without a hole");

/// A selector that counts something.
constexpr bool selects_event(uint64_t selector) {
    return selector != 0 && selector <= kLastSelector;
}

/// What an event needs: one of these logical counters; the preferred ones are tried first. No
/// counter at all: this machine cannot monitor it.
struct Requirement {
    uint64_t candidates = 0;
    uint64_t preferred = 0;
    uint64_t selector = 0; ///< of a programmable counter, or the firmware event's code
};

/// For the counters of the calling hart.
Requirement requirement(uint64_t event, uint64_t data);

} // namespace pes

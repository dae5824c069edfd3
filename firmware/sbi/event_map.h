// SPDX-License-Identifier: Apache-2.0
// SBI events (SBI 3.0, PMU: event_idx = type 19:16, code 15:0) beside those of the profile's table.
#pragma once

#include "hw/hpm/profile_cva6.h"

#include <stdint.h>

namespace pes {

inline constexpr uint32_t kEventCycles = 0x00001;       ///< counter 0
inline constexpr uint32_t kEventInstructions = 0x00002; ///< counter 2
inline constexpr uint32_t kEventRaw = 0x20000;          ///< event_data 47:0 = mhpmevent
inline constexpr uint32_t kEventRawV2 = 0x30000;        ///< event_data 55:0 = mhpmevent

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

} // namespace pes

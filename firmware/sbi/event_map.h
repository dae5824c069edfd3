// SPDX-License-Identifier: Apache-2.0
// Which counters can monitor an SBI event (SBI 3.0, PMU: event_idx and event_data), and with which
// selector. The profile's table (hw/hpm/profile*.h) has the general and cache events.
#pragma once

#include "firmware/sbi/sbi.h"

#include <stdint.h>

namespace pes {

/// A selector that counts something on the calling hart. Those of cycles and instructions exist
/// with Sscofpmf only: the fixed counters cannot be sampled.
bool selects_event(uint64_t selector);

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

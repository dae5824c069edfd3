// SPDX-License-Identifier: Apache-2.0
// Which counters can monitor an SBI event (SBI 3.0, PMU: event_idx and event_data), and with which
// selector. The rows of `riscv,pmu` in the device tree say so, as they do to OpenSBI.
#pragma once

#include "firmware/lib/flat_tree.h"
#include "firmware/sbi/sbi.h"

#include <stdint.h>

namespace pes {

/// Takes the rows of the tree; without a tree, CVA6's table. Call once, by the boot hart, when its
/// counters are known.
void read_events(const FlatTree& tree);

/// A raw selector that a counter of the calling hart takes.
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

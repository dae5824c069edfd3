// SPDX-License-Identifier: Apache-2.0
#include "hw/core/hart_group.h"

#include "hw/core/hart_module.h"

#include <algorithm>

namespace pes {

void HartGroup::add(HartModule& hart) {
    for (HartModule* other : harts_) {
        other->hart().add_neighbour(hart.hart());
        hart.hart().add_neighbour(other->hart());
    }
    harts_.push_back(&hart);
    hart.join(*this);
}

bool HartGroup::all_need_interrupts() const {
    return std::ranges::all_of(
        harts_, [](const HartModule* hart) { return hart->hart().needs_interrupt(); });
}

bool HartGroup::others_come_first(const HartModule& hart, Cycle now) const {
    if (next_device_event() <= now) {
        return true;
    }
    for (const HartModule* other : harts_) {
        if (other == &hart) {
            return false;
        }
        if (other->due() <= now) {
            return true;
        }
    }
    return false;
}

bool HartGroup::counters_can_interrupt() const {
    return std::ranges::any_of(
        harts_, [](const HartModule* hart) { return hart->counter_can_interrupt(); });
}

} // namespace pes

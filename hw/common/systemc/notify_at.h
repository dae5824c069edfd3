// SPDX-License-Identifier: Apache-2.0
// Wakes a process in a cycle instead of after a time.
#pragma once

#include "hw/common/systemc/clock_domain.h"

#include <systemc>

namespace pes {

/// Notifies `event` at the start of `cycle`, or in the next delta cycle if `cycle` has begun. There
/// is no notification for a cycle beyond the end of kernel time (such as kNever). As always in
/// SystemC, an earlier pending notification of the event stays.
inline void notify_at(sc_core::sc_event& event, const ClockDomain& clock, Cycle cycle) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (cycle > clock.cycle_of(sc_core::sc_max_time())) {
        return;
    }
    const sc_core::sc_time when = clock.time_of(cycle);
    event.notify(when > now ? when - now : sc_core::SC_ZERO_TIME);
}

} // namespace pes

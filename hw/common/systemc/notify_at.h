// SPDX-License-Identifier: Apache-2.0
// Wakes a process in a cycle instead of after a time.
#pragma once

#include "hw/common/systemc/clock_domain.h"

#include <systemc>

namespace pes {

/// Notifies `event` at the start of `cycle`; in the next delta cycle if that has begun. A cycle
/// beyond the end of kernel time (kNever among them) is never reached: no notification. A pending
/// earlier notification of the event stands, as always in SystemC.
inline void notify_at(sc_core::sc_event& event, const ClockDomain& clock, Cycle cycle) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (cycle > clock.cycle_of(sc_core::sc_max_time())) {
        return;
    }
    const sc_core::sc_time when = clock.time_of(cycle);
    event.notify(when > now ? when - now : sc_core::SC_ZERO_TIME);
}

} // namespace pes

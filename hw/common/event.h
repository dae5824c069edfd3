// SPDX-License-Identifier: Apache-2.0
// Event pulses: what the hart can report about one cycle. The sources are named in event_id.h.
#pragma once

#include "hw/common/event_id.h"
#include "hw/common/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// A set of sources, bit n = Event n.
using EventMask = std::uint64_t;
static_assert(kEventCount <= 64);

constexpr EventMask event_bit(Event event) {
    return EventMask{1} << static_cast<unsigned>(event);
}

/// The sources that CVA6's table has.
inline constexpr EventMask kBaseEvents = (EventMask{1} << kBaseEventCount) - 2;

/// The pins of one cycle.
struct CyclePulses {
    EventMask events = 0;
    std::uint8_t retired = 0; ///< instructions retired in this cycle, 0..2
};

/// How often each source has pulsed since reset; index = Event.
struct EventTotals {
    std::array<std::uint64_t, kEventCount> events{};
    std::uint64_t retired = 0;
};

/// Totals, and a cycle, that nothing may exceed; all zero lets nothing happen.
struct PulseRoom {
    EventTotals totals{};
    Cycle cycle = 0;

    bool holds(const EventTotals& now, Cycle at) const {
        bool inside = at <= cycle && now.retired <= totals.retired;
        for (std::size_t source = 0; source < kEventCount; ++source) {
            inside = inside && now.events[source] <= totals.events[source];
        }
        return inside;
    }
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Event pulses: what the hart reports about one cycle. pulse_sources.def lists the sources.
#pragma once

#include "hw/interface/pmu/pulse_sources.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// The pins of one cycle.
struct CyclePulses {
    EventMask events{};
    std::uint8_t retired = 0; ///< instructions retired in this cycle, 0..2
};

/// How often each source has pulsed since reset; index = Event.
struct EventTotals {
    std::array<std::uint64_t, kEventCount> events{};
    std::uint64_t retired = 0;
};

/// Upper bounds for totals and cycle. All zero: nothing may happen.
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

// SPDX-License-Identifier: Apache-2.0
// Event pulses: what the hart reports about one cycle. pulse_sources.def lists the sources.
#pragma once

#include "hw/interface/pmu/pulse_sources.h"
#include "hw/interface/types.h"

#include <algorithm>
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

/// Upper bounds for the cycle and for totals. By default nothing may happen.
struct PulseRoom {
    Cycle cycle = 0;
    std::uint64_t retired = kNever;
    EventMask bounded{}; ///< these sources have a bound
    std::array<std::uint64_t, kEventCount> events{};

    void bound(Event event, std::uint64_t total) {
        std::uint64_t& most = events[static_cast<std::size_t>(event)];
        most = bounded.has(event) ? std::min(most, total) : total;
        bounded |= event_bit(event);
    }
    /// Of a source in `bounded`.
    std::uint64_t most(Event event) const { return events[static_cast<std::size_t>(event)]; }
    bool holds(const EventTotals& now, Cycle at) const {
        return at <= cycle && now.retired <= retired && bounded.all_of([&](Event event) {
            return now.events[static_cast<std::size_t>(event)] <= most(event);
        });
    }
};

} // namespace pes

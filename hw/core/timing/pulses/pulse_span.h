// SPDX-License-Identifier: Apache-2.0
// The pulses of all sources in 64 consecutive cycles, one bit per cycle and source: what PulseLog
// stores.
#pragma once

#include "hw/common/event.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

struct PulseSpan {
    static constexpr Cycle kCycles = 64;

    /// One source: the cycles in which it pulses, and those of these pulses that were late and
    /// moved here.
    struct Track {
        std::uint64_t pulsed = 0;
        std::uint64_t moved = 0;
    };

    Cycle first = kNever;
    std::uint64_t retired = 0;       ///< at least one instruction retires
    EventMask sources{};             ///< those whose track is not empty
    std::uint64_t retired_twice = 0; ///< two instructions retire
    std::array<Track, kEventCount> tracks{};

    void state(class Archive& archive); ///< of a checkpoint

    static constexpr Cycle first_of(Cycle cycle) { return cycle & ~(kCycles - 1); }
    static constexpr std::uint64_t bit_of(Cycle cycle) {
        return std::uint64_t{1} << (cycle % kCycles);
    }
    /// The cycles [from, to), which lie in one span.
    static constexpr std::uint64_t bits_of(Cycle from, Cycle to) {
        return ~std::uint64_t{0} >> (kCycles - (to - from)) << (from % kCycles);
    }

    /// Empties the span for the 64 cycles that contain `cycle`.
    [[gnu::cold, gnu::noinline]] void reuse(Cycle cycle) {
        sources.for_each([this](Event event) { tracks[static_cast<std::size_t>(event)] = {}; });
        sources = {};
        first = first_of(cycle);
        retired = 0;
        retired_twice = 0;
    }
};

} // namespace pes

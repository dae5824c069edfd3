// SPDX-License-Identifier: Apache-2.0
// What a block changes in the log's cycles that are not certain behind it, so that a log can be
// brought up to date after blocks that did not go through the pipeline.
#pragma once

#include "hw/core/timing/pulses/pulse_span.h"

#include <array>
#include <cstdint>

namespace pes {

/// Up to 16 cycles of one track that are not as they were. Cycles count from the first uncertain
/// one behind the block.
struct PulseChange {
    static constexpr std::uint8_t kRetired = 2 * kEventCount, kRetiredTwice = kRetired + 1;
    static_assert(2 * kEventCount + 1 <= 0xFF);

    std::uint8_t track = 0; ///< 2 x source, + 1 for its moved pulses; or one of the above
    std::uint8_t shift = 0; ///< cycle of bit 0
    std::uint16_t bits = 0;
};

/// The spans around the uncertain cycles, at some time.
struct PulseSnapshot {
    static constexpr std::size_t kSpans = 3;
    std::array<PulseSpan, kSpans> spans{};

    const PulseSpan* find(Cycle first) const {
        for (const PulseSpan& span : spans) {
            if (span.first == first) {
                return &span;
            }
        }
        return nullptr;
    }
};

/// The first cycle in which a source can still pulse, by what limits it; see PulseLog::set_floors().
struct PulseFloors {
    Cycle retirement = 0; ///< of what retirements pulse, and of retirements
    Cycle fetch = 0;      ///< of misses of fetches
    Cycle request = 0;    ///< of requests of fetches
    Cycle resolution = 0; ///< of branches
    Cycle issue = 0;      ///< of all others
};

} // namespace pes

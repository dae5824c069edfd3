// SPDX-License-Identifier: Apache-2.0
// Event pulses: what the hart can report about one cycle.
//
// The hart names its pulse sources here and knows nothing of selectors, counters or profiles. A PMU
// profile (hw/hpm) maps a selector value to a source. Each source pulses at most once in a cycle
// ("two loads retired in one cycle count once"); only the number of retired instructions is 0..2.
#pragma once

#include "hw/common/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// Pulse sources in the order of CVA6's event table, so that ids 1..22 are also its selectors.
enum class Event : std::uint8_t {
    None = 0,
    L1IMiss,
    L1DMiss,
    ItlbMiss,
    DtlbMiss,
    Load,
    Store,
    Exception,
    ExceptionReturn,
    Branch,
    BranchMispredict,
    BranchException,
    Call,
    Return,
    ScoreboardFull,
    FetchEmpty,
    L1IAccess,
    L1DAccess,
    L1DEviction,
    TlbFlush,
    Integer,
    FloatingPoint,
    PipelineStall,
    Count_ // number of sources, not a source
};

inline constexpr std::size_t kEventCount = static_cast<std::size_t>(Event::Count_);

/// A set of sources, bit n = Event n.
using EventMask = std::uint64_t;
static_assert(kEventCount <= 64);

constexpr EventMask event_bit(Event event) {
    return EventMask{1} << static_cast<unsigned>(event);
}

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

} // namespace pes

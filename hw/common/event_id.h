// SPDX-License-Identifier: Apache-2.0
// The names of the pulse sources. Freestanding: event tables that firmware reads refer to them.
//
// The hart names its pulse sources here and knows nothing of selectors, counters or profiles. A PMU
// profile (hw/hpm) maps a selector value to a source. Each source pulses at most once in a cycle
// ("two loads retired in one cycle count once"); only the number of retired instructions is 0..2.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace pes {

/// Pulse sources in the order of CVA6's event table, so that ids 1..22 are also its selectors.
enum class Event : uint8_t {
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
    Count_, // number of pulse sources, not a source

    // What the counters know without a pulse, for event tables only.
    Instructions = Count_, ///< retired in this cycle: 0..2 (CyclePulses::retired)
    Cycles,                ///< 1 in every cycle
};

inline constexpr size_t kEventCount = static_cast<size_t>(Event::Count_);

} // namespace pes

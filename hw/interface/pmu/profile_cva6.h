// SPDX-License-Identifier: Apache-2.0
// PMU profile of the CVA6 core (v5.3.0): one event a counter, chosen by a 5-bit number.
// Freestanding.
//
// Selectors 23 and 24 are not the core's: with Sscofpmf they make sampling by cycles and by
// instructions possible, since mcycle and minstret have no overflow interrupt.
//
// Every event of the core adds at most 1 in a cycle. Classes seen at retirement OR the two
// retirement ports, so two instructions of one class that retire together count once.
// docs/counters.md repeats this table for readers, and a test compares the two.
#pragma once

#include "hw/interface/pmu/profile.h"

namespace pes {

inline constexpr EventRow kCva6Events[] = {
    {0, "none", "No event", Event::None},
    {1, "l1i-miss", "L1I miss", Event::L1IMiss},
    {2, "l1d-miss", "L1D read miss", Event::L1DMiss},
    {3, "itlb-miss", "ITLB miss", Event::ItlbMiss},
    {4, "dtlb-miss", "DTLB miss", Event::DtlbMiss},
    {5, "load", "Load", Event::Load},
    {6, "store", "Store", Event::Store},
    {7, "exception", "Trap taken", Event::Exception},
    {8, "exception-return", "Return from trap", Event::ExceptionReturn},
    {9, "branch", "Branch or jump", Event::Branch},
    {10, "branch-mispredict", "Branch mispredicted", Event::BranchMispredict},
    {11, "branch-exception", "Branch target misaligned", Event::BranchException},
    {12, "call", "Call", Event::Call},
    {13, "return", "Return", Event::Return},
    {14, "scoreboard-full", "Scoreboard full", Event::ScoreboardFull},
    {15, "fetch-empty", "Fetch empty", Event::FetchEmpty},
    {16, "l1i-access", "L1I request", Event::L1IAccess},
    {17, "l1d-access", "L1D request", Event::L1DAccess},
    {18, "l1d-eviction", "L1D eviction", Event::L1DEviction},
    {19, "tlb-flush", "TLB flush", Event::TlbFlush},
    {20, "integer", "Integer instruction", Event::Integer},
    {21, "floating-point", "Floating-point instruction", Event::FloatingPoint},
    {22, "pipeline-stall", "Read-after-write stall", Event::PipelineStall},
    {23, "cycles", "Cycle", Event::Cycles, nullptr, EventOrigin::Sampling},
    {24, "instructions", "Instruction", Event::Instructions, nullptr, EventOrigin::Sampling},
};

/// What the core offers for the SBI's events, at best the nearest to it.
inline constexpr SbiEventRow kCva6SbiEvents[] = {
    {0x00001, 23}, // cycles, in a counter that can be sampled
    {0x00002, 24}, // instructions, likewise
    {0x00003, 17}, // cache references: cycles with an L1D request
    {0x00004, 2},  // cache misses: L1D read misses
    {0x00005, 9},  // branch instructions: jumps included
    {0x00006, 10}, // branch misses
    {0x00008, 15}, // stalled cycles, frontend: nothing to decode
    {0x00009, 22}, // stalled cycles, backend: read-after-write stalls
    {0x10000, 5},  // L1D read access: loads
    {0x10001, 2},  // L1D read miss
    {0x10002, 6},  // L1D write access: stores
    {0x10008, 16}, // L1I read access: cycles with a fetch request
    {0x10009, 1},  // L1I read miss
    {0x10019, 4},  // DTLB read miss: the core counts read and write misses in one event
    {0x1001B, 4},  // DTLB write miss
    {0x10021, 3},  // ITLB read miss
    {0x10028, 9},  // branch unit read access
    {0x10029, 10}, // branch unit read miss
};

inline constexpr PmuProfile kCva6Profile{
    .name = "cva6",
    .events = kCva6Events,
    .event_count = sizeof(kCva6Events) / sizeof(kCva6Events[0]),
    .sbi_events = kCva6SbiEvents,
    .sbi_event_count = sizeof(kCva6SbiEvents) / sizeof(kCva6SbiEvents[0]),
    .selector_mask = 0x1F,
    .programmable = 6,
    .width = 64,
};

} // namespace pes

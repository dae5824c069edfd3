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

#include "hw/hpm/profile.h"

namespace pes {

inline constexpr EventRow kCva6Events[] = {
    {0, "none", "No event", "Never counts.", Event::None, EventClass::None},
    {1, "l1i-miss", "L1I miss",
     "The memory side accepted a miss request of a cacheable fetch; prefetch and wrong path "
     "included.",
     Event::L1IMiss, EventClass::Miss},
    {2, "l1d-miss", "L1D read miss",
     "The one read-miss register took a cacheable line read, of a load or a page walk; stores, "
     "AMOs "
     "and uncached reads never do.",
     Event::L1DMiss, EventClass::Miss},
    {3, "itlb-miss", "ITLB miss", "A page walk started for a fetch.", Event::ItlbMiss,
     EventClass::Miss},
    {4, "dtlb-miss", "DTLB miss",
     "A page walk started for a translation that the load/store unit asked for: one for each load, "
     "store or AMO that misses.",
     Event::DtlbMiss, EventClass::Miss},
    {5, "load", "Load", "An integer or floating-point load retired; LR counts as a store.",
     Event::Load, EventClass::Commit},
    {6, "store", "Store",
     "An instruction of the store unit retired: integer and floating-point stores, AMO, LR and SC.",
     Event::Store, EventClass::Commit},
    {7, "exception", "Trap taken", "A trap was taken, interrupts included.", Event::Exception,
     EventClass::Commit},
    {8, "exception-return", "Return from trap", "An mret or sret retired.", Event::ExceptionReturn,
     EventClass::Commit},
    {9, "branch", "Branch or jump", "A conditional branch, jal or jalr retired.", Event::Branch,
     EventClass::Commit},
    {10, "branch-mispredict", "Branch mispredicted",
     "Execution resolved a wrong prediction: the direction of a branch, or a missing or wrong "
     "target of an indirect jump.",
     Event::BranchMispredict, EventClass::Miss},
    {11, "branch-exception", "Branch target misaligned",
     "A branch to a misaligned target raised an exception; impossible, so always 0, on a core with "
     "compressed instructions.",
     Event::BranchException, EventClass::Commit},
    {12, "call", "Call", "A jal or jalr that writes x1 or x5 retired.", Event::Call,
     EventClass::Commit},
    {13, "return", "Return",
     "A jalr with destination x0 retired, whatever its source register: computed jumps count too.",
     Event::Return, EventClass::Commit},
    {14, "scoreboard-full", "Scoreboard full", "All scoreboard entries are in use in this cycle.",
     Event::ScoreboardFull, EventClass::Level},
    {15, "fetch-empty", "Fetch empty",
     "The instruction queue offers nothing to decode in this cycle, refills after flushes and "
     "traps "
     "included.",
     Event::FetchEmpty, EventClass::Level},
    {16, "l1i-access", "L1I request",
     "The frontend requests a fetch in this cycle; a request that waits counts in every cycle.",
     Event::L1IAccess, EventClass::Level},
    {17, "l1d-access", "L1D request",
     "A page walk, the load unit or the store unit requests the data cache in this cycle; a "
     "request "
     "that waits counts in every cycle.",
     Event::L1DAccess, EventClass::Level},
    {18, "l1d-eviction", "L1D eviction",
     "An L1D read miss pulsed while the set that some data port looked up last had every way "
     "valid.",
     Event::L1DEviction, EventClass::Miss},
    {19, "tlb-flush", "TLB flush", "An sfence.vma was executed, which flushes all TLBs.",
     Event::TlbFlush, EventClass::Commit},
    {20, "integer", "Integer instruction",
     "An ALU, multiply or divide instruction retired; branches, loads, stores and CSR accesses are "
     "not among them.",
     Event::Integer, EventClass::Commit},
    {21, "floating-point", "Floating-point instruction",
     "An FPU instruction retired: arithmetic, convert, move or compare; not FP loads and stores.",
     Event::FloatingPoint, EventClass::Commit},
    {22, "pipeline-stall", "Read-after-write stall",
     "The issue stage sees a read-after-write hazard in this cycle; write-after-write, busy units "
     "and a full store buffer do not count.",
     Event::PipelineStall, EventClass::Level},
    {23, "cycles", "Cycle", "Every cycle.", Event::Cycles, EventClass::Level,
     EventOrigin::Sampling},
    {24, "instructions", "Instruction",
     "An instruction retired: the only event that counts 2 in a cycle in which two retire.",
     Event::Instructions, EventClass::Commit, EventOrigin::Sampling},
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

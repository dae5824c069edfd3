// SPDX-License-Identifier: Apache-2.0
// PMU profiles of the older CV32E40P (the RI5CY unit with PCMR, PCER and PCCR): an event has a bit
// of PCER and, but for the ASIC variant, a counter of its own. Freestanding.
//
// The selector is the number of the event's bit. Events that stand for parts which our hart does
// not have never count, and their meaning says which part that is. docs/counters-cv32e40p.md
// repeats this table for readers, and a test compares the two.
#pragma once

#include "hw/interface/pmu/profile.h"

namespace pes {

inline constexpr EventRow kCv32e40pEvents[] = {
    {0, "active-cycles", "Cycle", Event::Cycles, "Every cycle, those asleep in wfi included."},
    {1, "instructions", "Instruction", Event::Instructions,
     "An instruction retired: 2 in a cycle in which two retire, but 1 in the ASIC variant."},
    {2, "load-use-stalls", "Load-use stall", Event::LoadUseStall},
    {3, "jump-register-stalls", "Jump-register stall", Event::JumpRegisterStall},
    {4, "fetch-wait-cycles", "Fetch wait", Event::FetchBusy},
    {5, "loads", "Load", Event::Load,
     "An integer or floating-point load retired; a misaligned one counts once."},
    {6, "stores", "Store", Event::Store,
     "An instruction of the store unit retired: integer and floating-point stores, AMO, LR and SC; "
     "a misaligned one counts once."},
    {7, "jumps", "Unconditional jump", Event::UnconditionalJump},
    {8, "branches", "Branch", Event::ConditionalBranch},
    {9, "taken-branches", "Taken branch", Event::TakenBranch},
    {10, "compressed", "Compressed instruction", Event::Compressed},
    {11, "external-loads", "External load", Event::ExternalLoad},
    {12, "external-stores", "External store", Event::ExternalStore},
    {13, "external-load-cycles", "External load under way", Event::ExternalLoadWait},
    {14, "external-store-cycles", "External store under way", Event::ExternalStoreWait},
    {15, "tcdm-contention", "TCDM contention", Event::None,
     "Never counts: the hart has no tightly coupled memory that it shares with others."},
    {16, "csr-hazards", "CSR hazard", Event::CsrStall,
     "An instruction waits in this cycle for a CSR access."},
    {17, "fp-type-conflicts", "FP latency conflict", Event::None,
     "Never counts: operations of different latency enter the hart's FPU without waiting."},
    {18, "fp-contention", "Shared-FPU contention", Event::None,
     "Never counts: the FPU is the hart's own, nobody shares it."},
    {19, "fp-data-hazards", "FP data hazard", Event::FloatStall},
    {20, "fp-write-back-contention", "FP write-back contention", Event::None,
     "Never counts: the FPU has a write-back port of its own."},
};

/// A counter an event: what the core has on an FPGA, in RTL simulation and as a virtual platform.
inline constexpr PmuProfile kCv32e40pProfile{
    .name = "cv32e40p",
    .events = kCv32e40pEvents,
    .event_count = sizeof(kCv32e40pEvents) / sizeof(kCv32e40pEvents[0]),
    .sbi_events = nullptr,
    .sbi_event_count = 0,
    .selector_mask = 0x1F,
    .programmable = 31,
    .width = 32,
    .registers = RegisterSet::Pcer,
    .sscofpmf = false,
    .smcntrpmf = false,
    .write_freezes = false,
};

/// One counter for all events: what the core has as an ASIC. All 31 numbers reach it.
inline constexpr PmuProfile kCv32e40pAsicProfile{
    .name = "cv32e40p-asic",
    .events = kCv32e40pEvents,
    .event_count = sizeof(kCv32e40pEvents) / sizeof(kCv32e40pEvents[0]),
    .sbi_events = nullptr,
    .sbi_event_count = 0,
    .selector_mask = 0x1F,
    .programmable = 31,
    .width = 32,
    .registers = RegisterSet::PcerShared,
    .sscofpmf = false,
    .smcntrpmf = false,
    .write_freezes = false,
};

} // namespace pes

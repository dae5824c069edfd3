// SPDX-License-Identifier: Apache-2.0
// PMU profiles of the older CV32E40P (the RI5CY unit with PCMR, PCER and PCCR): an event has a bit
// of PCER and, but for the ASIC variant, a counter of its own. Freestanding.
//
// The selector is the number of the event's bit. Events that stand for parts which our hart does
// not have never count, and their meaning says which part that is. docs/counters-cv32e40p.md
// repeats this table for readers, and a test compares the two.
#pragma once

#include "hw/hpm/profile.h"

namespace pes {

inline constexpr EventRow kCv32e40pEvents[] = {
    {0, "active-cycles", "Cycle", "Every cycle, those asleep in wfi included.", Event::Cycles,
     EventClass::Level},
    {1, "instructions", "Instruction",
     "An instruction retired: 2 in a cycle in which two retire, but 1 in the ASIC variant.",
     Event::Instructions, EventClass::Commit},
    {2, "load-use-stalls", "Load-use stall",
     "An instruction waits in this cycle for the result of a load, AMO, LR or SC.",
     Event::LoadUseStall, EventClass::Level},
    {3, "jump-register-stalls", "Jump-register stall",
     "A jalr waits in this cycle for its target register.", Event::JumpRegisterStall,
     EventClass::Level},
    {4, "fetch-wait-cycles", "Fetch wait",
     "A fetch waits in this cycle for a line that is being refilled.", Event::FetchBusy,
     EventClass::Level},
    {5, "loads", "Load", "An integer or floating-point load retired; a misaligned one counts once.",
     Event::Load, EventClass::Commit},
    {6, "stores", "Store",
     "An instruction of the store unit retired: integer and floating-point stores, AMO, LR and SC; "
     "a misaligned one counts once.",
     Event::Store, EventClass::Commit},
    {7, "jumps", "Unconditional jump", "A jal or jalr retired.", Event::UnconditionalJump,
     EventClass::Commit},
    {8, "branches", "Branch", "A conditional branch retired, taken or not.",
     Event::ConditionalBranch, EventClass::Commit},
    {9, "taken-branches", "Taken branch", "A conditional branch that was taken retired.",
     Event::TakenBranch, EventClass::Commit},
    {10, "compressed", "Compressed instruction", "An instruction of 2 bytes retired.",
     Event::Compressed, EventClass::Commit},
    {11, "external-loads", "External load", "A load outside of cacheable memory retired.",
     Event::ExternalLoad, EventClass::Commit},
    {12, "external-stores", "External store", "A store outside of cacheable memory retired.",
     Event::ExternalStore, EventClass::Commit},
    {13, "external-load-cycles", "External load under way",
     "A load outside of cacheable memory is under way in this cycle.", Event::ExternalLoadWait,
     EventClass::Level},
    {14, "external-store-cycles", "External store under way",
     "A store outside of cacheable memory is under way in this cycle.", Event::ExternalStoreWait,
     EventClass::Level},
    {15, "tcdm-contention", "TCDM contention",
     "Never counts: the hart has no tightly coupled memory that it shares with others.",
     Event::None, EventClass::None},
    {16, "csr-hazards", "CSR hazard", "An instruction waits in this cycle for a CSR access.",
     Event::CsrStall, EventClass::Level},
    {17, "fp-type-conflicts", "FP latency conflict",
     "Never counts: operations of different latency enter the hart's FPU without waiting.",
     Event::None, EventClass::None},
    {18, "fp-contention", "Shared-FPU contention",
     "Never counts: the FPU is the hart's own, nobody shares it.", Event::None, EventClass::None},
    {19, "fp-data-hazards", "FP data hazard",
     "An instruction waits in this cycle for the result of the FPU.", Event::FloatStall,
     EventClass::Level},
    {20, "fp-write-back-contention", "FP write-back contention",
     "Never counts: the FPU has a write-back port of its own.", Event::None, EventClass::None},
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

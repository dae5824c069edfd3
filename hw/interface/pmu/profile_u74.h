// SPDX-License-Identifier: Apache-2.0
// PMU profile of the SiFive U74 (U74-MC core complex manual, chapter Hardware Performance Monitor).
// Freestanding.
//
// A selector is a class in bits 7:0 and a mask from bit 8 on with one bit for each event of the
// class. A counter adds at most 1 in a cycle, however many events of its mask happen.
//
// The events are the U74's, what pulses them is the hart of this platform, which is no U74: an
// event of which its microarchitecture has no notion is there and stays 0.
// docs/counters-u74.md repeats this table for readers, and a test compares the two.
#pragma once

#include "hw/interface/pmu/profile.h"

namespace pes {

namespace u74 {

inline constexpr uint64_t kRetired = 0;
inline constexpr uint64_t kPipeline = 1;
inline constexpr uint64_t kMemory = 2;

/// The selector of one event.
constexpr uint64_t select(uint64_t event_class, unsigned bit) {
    return event_class | uint64_t{1} << bit;
}

} // namespace u74

inline constexpr EventRow kU74Events[] = {
    {u74::select(u74::kRetired, 8), "exception-taken", "Exception taken", Event::Exception},
    {u74::select(u74::kRetired, 9), "integer-load", "Integer load", Event::IntegerLoad},
    {u74::select(u74::kRetired, 10), "integer-store", "Integer store", Event::IntegerStore},
    {u74::select(u74::kRetired, 11), "atomic", "Atomic", Event::Atomic},
    {u74::select(u74::kRetired, 12), "system", "System instruction", Event::System},
    {u74::select(u74::kRetired, 13), "integer-arithmetic", "Integer arithmetic",
     Event::IntegerArithmetic},
    {u74::select(u74::kRetired, 14), "conditional-branch", "Conditional branch",
     Event::ConditionalBranch},
    {u74::select(u74::kRetired, 15), "jal", "JAL", Event::Jal},
    {u74::select(u74::kRetired, 16), "jalr", "JALR", Event::Jalr},
    {u74::select(u74::kRetired, 17), "integer-multiply", "Integer multiply",
     Event::IntegerMultiply},
    {u74::select(u74::kRetired, 18), "integer-divide", "Integer divide", Event::IntegerDivide},
    {u74::select(u74::kRetired, 19), "fp-load", "FP load", Event::FloatLoad},
    {u74::select(u74::kRetired, 20), "fp-store", "FP store", Event::FloatStore},
    {u74::select(u74::kRetired, 21), "fp-add", "FP add", Event::FloatAdd},
    {u74::select(u74::kRetired, 22), "fp-multiply", "FP multiply", Event::FloatMultiply},
    {u74::select(u74::kRetired, 23), "fp-fused-multiply-add", "FP fused multiply-add",
     Event::FloatFusedMultiplyAdd},
    {u74::select(u74::kRetired, 24), "fp-divide-sqrt", "FP divide or square root",
     Event::FloatDivideSqrt},
    {u74::select(u74::kRetired, 25), "fp-other", "Other FP instruction", Event::FloatOther},

    {u74::select(u74::kPipeline, 8), "address-interlock", "Address-generation interlock",
     Event::AddressStall},
    {u74::select(u74::kPipeline, 9), "long-latency-interlock", "Long-latency interlock",
     Event::DivideStall},
    {u74::select(u74::kPipeline, 10), "csr-interlock", "CSR read interlock", Event::CsrStall},
    {u74::select(u74::kPipeline, 11), "icache-busy", "I-cache busy", Event::FetchBusy,
     "A fetch waits in this cycle for a line that is being refilled; there is no ITIM."},
    {u74::select(u74::kPipeline, 12), "dcache-busy", "D-cache busy", Event::DataBusy,
     "A data access waits in this cycle for the memory side; there is no DTIM."},
    {u74::select(u74::kPipeline, 13), "direction-mispredict", "Branch direction mispredicted",
     Event::DirectionMispredict},
    {u74::select(u74::kPipeline, 14), "target-mispredict", "Branch or jump target mispredicted",
     Event::TargetMispredict},
    {u74::select(u74::kPipeline, 15), "csr-flush", "Flush by CSR write", Event::FlushByCsrWrite},
    {u74::select(u74::kPipeline, 16), "other-flush", "Flush by another event", Event::FlushByOther},
    {u74::select(u74::kPipeline, 17), "multiply-interlock", "Integer multiply interlock",
     Event::MultiplyStall},
    {u74::select(u74::kPipeline, 18), "fp-interlock", "FP interlock", Event::FloatStall},

    {u74::select(u74::kMemory, 8), "icache-miss", "I-cache miss", Event::L1IMiss},
    {u74::select(u74::kMemory, 9), "dcache-miss", "D-cache miss or MMIO access",
     Event::DataMissOrIo},
    {u74::select(u74::kMemory, 10), "dcache-writeback", "D-cache write-back", Event::None,
     "Never counts: the data cache is write-through, no line of it is ever dirty."},
    {u74::select(u74::kMemory, 11), "itlb-miss", "ITLB miss", Event::ItlbMiss},
    {u74::select(u74::kMemory, 12), "dtlb-miss", "DTLB miss", Event::DtlbMiss,
     "A page walk started for a translation that the load/store unit asked for."},
    {u74::select(u74::kMemory, 13), "utlb-miss", "UTLB miss", Event::None,
     "Never counts: there is no second level of TLB, each ITLB or DTLB miss is a page walk."},
};

/// The rows of OpenSBI's example of a device tree for this core. None for cycles and instructions,
/// which no selector counts.
inline constexpr SbiEventRow kU74SbiEvents[] = {
    {0x00003, 0x1801}, // cache references: I-cache or D-cache busy
    {0x00004, 0x0302}, // cache misses: I-cache or D-cache
    {0x00005, 0x4000}, // branch instructions: conditional branches
    {0x00006, 0x6001}, // branch misses: direction or target
    {0x10001, 0x0202}, // L1D read miss
    {0x10002, 0x0402}, // L1D write access: write-backs
    {0x10009, 0x0102}, // L1I read miss
    {0x10011, 0x2002}, // last-level read miss: UTLB misses
    {0x10019, 0x1002}, // DTLB read miss
    {0x10021, 0x0802}, // ITLB read miss
};

/// Any events of one class, but for UTLB misses, which the example leaves out.
inline constexpr RawEventRow kU74RawEvents[] = {
    {u74::kRetired, 0xFFFF'FFFF'FC00'00FF},
    {u74::kPipeline, 0xFFFF'FFFF'FFF8'00FF},
    {u74::kMemory, 0xFFFF'FFFF'FFFF'E0FF},
};

inline constexpr PmuProfile kU74Profile{
    .name = "u74",
    .events = kU74Events,
    .event_count = sizeof(kU74Events) / sizeof(kU74Events[0]),
    .sbi_events = kU74SbiEvents,
    .sbi_event_count = sizeof(kU74SbiEvents) / sizeof(kU74SbiEvents[0]),
    .selector_mask = 0x00FF'FFFF'FFFF'FFFF, // class in 7:0, mask in 55:8; filters and OF above
    .programmable = 2,
    .width = 40,
    .selector_kind = SelectorKind::ClassMask,
    .sscofpmf = true,
    .smcntrpmf = false,
    .raw_events = kU74RawEvents,
    .raw_event_count = sizeof(kU74RawEvents) / sizeof(kU74RawEvents[0]),
    .cpu = "sifive,u74-mc",
    .write_freezes = false,
};

} // namespace pes

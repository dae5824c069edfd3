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

/// Pulse sources. The first 22 are CVA6's event table in its order, so that ids 1..22 are also its
/// selectors; those behind them pulse only if the configuration asks for them
/// (HartConfig::sources), because each costs the hart a little.
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

    // Finer classes at retirement; an instruction is in one of these 17.
    IntegerLoad, ///< without LR
    IntegerStore,
    FloatLoad,
    FloatStore,
    Atomic, ///< AMO, LR, SC
    System, ///< ecall and ebreak never retire; CSR accesses, fences, wfi, xret and sfence.vma do
    IntegerArithmetic, ///< without multiply and divide
    IntegerMultiply,
    IntegerDivide,
    ConditionalBranch,
    Jal,
    Jalr,
    FloatAdd,
    FloatMultiply,
    FloatFusedMultiplyAdd,
    FloatDivideSqrt,
    FloatOther, ///< conversions, moves, comparisons, minimum, classification

    // Further properties of what retires.
    UnconditionalJump, ///< jal or jalr
    TakenBranch,       ///< a conditional branch that was taken
    Compressed,        ///< an instruction of 2 bytes
    ExternalLoad,      ///< a load outside cacheable memory, that is: of a device
    ExternalStore,     ///< a store outside cacheable memory
    FlushByCsrWrite,   ///< a CSR write that refetches what follows
    FlushByOther,      ///< fence, fence.i, sfence.vma, xret, AMO, LR, SC or a trap: what follows is
                       ///< fetched again

    // Found by the machine where it happens.
    DirectionMispredict, ///< of a conditional branch
    TargetMispredict,    ///< of a jalr
    DataMissOrIo,        ///< an L1D read miss or a data access outside cacheable memory

    // Levels: a read-after-write stall by what it waits for (PipelineStall is the sum of these
    // five), or by what waits; then other waits. Their exact cycles: hw/core/timing/pipeline.h.
    LoadUseStall,      ///< for a load, AMO, LR or SC
    MultiplyStall,     ///< for an integer multiply
    DivideStall,       ///< for an integer divide
    FloatStall,        ///< for an instruction of the FPU
    CsrStall,          ///< for a CSR access
    AddressStall,      ///< the address of a load, store or AMO
    JumpRegisterStall, ///< the target register of a jalr
    FetchBusy,         ///< a fetch waits for a line that is being refilled
    DataBusy,          ///< a data access waits for the memory side
    ExternalLoadWait,  ///< a load outside cacheable memory is under way
    ExternalStoreWait, ///< a store outside cacheable memory is under way
    Count_,            // number of pulse sources, not a source

    // What the counters know without a pulse, for event tables only.
    Instructions = Count_, ///< retired in this cycle: 0..2 (CyclePulses::retired)
    Cycles,                ///< 1 in every cycle
};

inline constexpr size_t kEventCount = static_cast<size_t>(Event::Count_);

/// The sources that every configuration has, with None: those of CVA6's table.
inline constexpr size_t kBaseEventCount = static_cast<size_t>(Event::PipelineStall) + 1;

} // namespace pes

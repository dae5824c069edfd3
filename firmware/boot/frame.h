// SPDX-License-Identifier: Apache-2.0
// The register frame of a trap, as the assembler stores it and as C++ sees it.
#pragma once

#define PES_FRAME_PC 256
#define PES_FRAME_STATUS 264
#define PES_FRAME_SIZE 272

// Offsets in MachineLocal, which sits right above the machine stack.
#define PES_LOCAL_SAMPLED 0
#define PES_LOCAL_SCRATCH 8
#define PES_LOCAL_SIZE 64

// Of one hart: its stack and MachineLocal above it.
#define PES_MACHINE_STACK_SPAN 16448

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

namespace pes {

struct TrapFrame {
    uint64_t x[32]; ///< x[0] is not used
    uint64_t pc;
    uint64_t status; ///< mstatus or sstatus
};
static_assert(offsetof(TrapFrame, pc) == PES_FRAME_PC);
static_assert(offsetof(TrapFrame, status) == PES_FRAME_STATUS);
static_assert(sizeof(TrapFrame) == PES_FRAME_SIZE);

enum class Guard : uint64_t { Idle, Armed, Tripped };

/// What belongs to one hart in machine mode and is wanted at once: by the trap entry before it has
/// a free register, or by the trap of a guarded instruction.
struct MachineLocal {
    uint64_t sampled;      ///< mcountinhibit bits of the counters under sampling
    uint64_t scratch;      ///< of the external-interrupt entry
    volatile Guard guard;  ///< see probe.h
    bool supervisor_timer; ///< the hart has Sstc
    uint64_t unused[4];
};
static_assert(offsetof(MachineLocal, sampled) == PES_LOCAL_SAMPLED);
static_assert(offsetof(MachineLocal, scratch) == PES_LOCAL_SCRATCH);
static_assert(sizeof(MachineLocal) == PES_LOCAL_SIZE);

// Argument registers by their ABI names.
inline constexpr unsigned kRa = 1;
inline constexpr unsigned kSp = 2;
inline constexpr unsigned kA0 = 10;
inline constexpr unsigned kA1 = 11;
inline constexpr unsigned kA2 = 12;
inline constexpr unsigned kA3 = 13;
inline constexpr unsigned kA6 = 16;
inline constexpr unsigned kA7 = 17;

} // namespace pes

#endif

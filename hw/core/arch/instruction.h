// SPDX-License-Identifier: Apache-2.0
// A decoded instruction: everything about it that does not depend on when it runs. Made once a
// physical half-word by decode(), then read by the functional and by the timing side.
#pragma once

#include "hw/common/event.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// Register numbers are unified: 0..31 = x0..x31, 32..63 = f0..f31.
using RegisterIndex = std::uint8_t;
inline constexpr RegisterIndex kFloatBase = 32;
/// Destination of instructions that write x0: a slot that is never read.
inline constexpr RegisterIndex kSinkRegister = 64;
/// "This operand does not exist"; reads as zero because it is x0.
inline constexpr RegisterIndex kNoRegister = 0;

/// How an instruction moves through the pipeline. One value a timing rule.
enum class TimingClass : std::uint8_t {
    Alu,
    Multiply,
    Divide, ///< div, rem
    Branch, ///< conditional
    Jal,
    Jalr,
    Load,
    Store,
    Amo,
    LoadReserved,
    StoreConditional,
    Csr,        ///< CSR access without a pipeline refetch
    CsrRefetch, ///< write of mstatus, sstatus, satp, fflags, frm, fcsr: refetch afterwards
    Fence,
    FenceI,
    SfenceVma,
    TrapReturn, ///< mret, sret
    Trap,       ///< ecall, ebreak: never retires
    Illegal,    ///< likewise; offered to the coprocessor interface first
    Wfi,
    FpMove, ///< move, compare, sign-inject, classify
    FpConvert,
    FpSingle, ///< add, mul, fma in single precision
    FpDouble, ///< the same in double precision
    FpDivideSingle,
    FpDivideDouble,
    FpSqrtSingle,
    FpSqrtDouble,
};

/// Units whose time depends on the operands: the handler says how, see UnitSteps.
constexpr bool is_iterative(TimingClass timing) {
    return timing == TimingClass::Divide || timing >= TimingClass::FpDivideSingle;
}

/// They are performed at retirement.
constexpr bool is_atomic(TimingClass timing) {
    return timing == TimingClass::Amo || timing == TimingClass::LoadReserved ||
           timing == TimingClass::StoreConditional;
}

/// They retire when no store before them is under way any more.
constexpr bool waits_for_stores(TimingClass timing) {
    return timing == TimingClass::Fence || timing == TimingClass::FenceI ||
           timing == TimingClass::SfenceVma;
}

/// What the operands make an iterative unit do. Divide: quotient bits that it works through, 0 if
/// it sees at once that there are none. Division and square root of the FPU: 0 if an operand is
/// special (zero, infinity, NaN, a root of less than zero), else 1.
using UnitSteps = unsigned;

/// Where in a basic block of the fast path (hw/core/blocks) an instruction may stand.
enum class BlockRole : std::uint8_t {
    Inside,
    Last,     ///< branches and jumps
    LastRead, ///< reads a register whose value may depend on the cycle, and ends a block too
    Outside,  ///< whatever changes more than registers and memory, or must not run ahead of time
};

class Execution;
struct Instruction;

/// Does what one instruction does.
using Handler = void (*)(Execution&, const Instruction&);

struct Instruction {
    Handler execute = nullptr; ///< null: this slot is not decoded yet
    std::int64_t imm = 0;
    EventMask commit_events{}; ///< the retirement-class sources that it pulses
    std::uint32_t raw = 0;     ///< instruction word as fetched, low half only if compressed
    RegisterIndex rd = kSinkRegister;
    RegisterIndex rs1 = kNoRegister;
    RegisterIndex rs2 = kNoRegister;
    RegisterIndex rs3 = kNoRegister;
    std::uint8_t length = 4; ///< bytes
    TimingClass timing = TimingClass::Alu;
    std::uint8_t memory_size = 0; ///< bytes of a load, store or AMO
    std::uint8_t rounding = 0;    ///< rm field of an FP instruction
    BlockRole role = BlockRole::Outside;
    std::uint8_t csr_source = 0; ///< rs1 field of a CSR instruction: register number or immediate
};

static_assert(sizeof(Instruction) == 40);

/// A conditional branch to the instruction behind it: where it goes does not tell whether it is
/// taken.
constexpr bool branches_in_place(const Instruction& instruction) {
    return instruction.timing == TimingClass::Branch && instruction.imm == instruction.length;
}

/// Whether the handler notes what the timing side cannot see: the steps of an iterative unit, or 1
/// for a branch in place that is taken.
constexpr bool notes_operands(const Instruction& instruction) {
    return is_iterative(instruction.timing) || branches_in_place(instruction);
}

} // namespace pes

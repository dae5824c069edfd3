// SPDX-License-Identifier: Apache-2.0
// A decoded instruction: everything about it that does not depend on when it runs. decode() creates
// it once for each physical half-word; the functional and the timing model read it.
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
/// The operand does not exist. Reads as zero because it is x0.
inline constexpr RegisterIndex kNoRegister = 0;

/// How an instruction moves through the pipeline. One value per timing rule.
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

/// Units whose time depends on the operands; the handler reports it, see UnitSteps.
constexpr bool is_iterative(TimingClass timing) {
    return timing == TimingClass::Divide || timing >= TimingClass::FpDivideSingle;
}

/// True for instructions that access memory at retirement.
constexpr bool is_atomic(TimingClass timing) {
    return timing == TimingClass::Amo || timing == TimingClass::LoadReserved ||
           timing == TimingClass::StoreConditional;
}

/// True for instructions that issue without their operands, because they trap.
constexpr bool ignores_operands(TimingClass timing) {
    return timing == TimingClass::Trap || timing == TimingClass::Illegal;
}

/// True for instructions that retire only after all earlier stores have completed.
constexpr bool waits_for_stores(TimingClass timing) {
    return timing == TimingClass::Fence || timing == TimingClass::FenceI ||
           timing == TimingClass::SfenceVma;
}

/// Work of an iterative unit for the given operands. Divide: the number of quotient bits that it
/// computes, 0 if the quotient is known at once. Division and square root of the FPU: 0 if an
/// operand is special (zero, infinity, NaN, root of a negative number), else 1.
using UnitSteps = unsigned;

/// Where in a block of the fast path (hw/core/blocks) an instruction may occur.
enum class BlockRole : std::uint8_t {
    Inside,
    Last,       ///< branches and jumps
    LastRead,   ///< as Last: reads a register whose value may depend on the cycle
    LastSystem, ///< as Last: fences, atomics, CSR writes that may let an interrupt through
    Alone,      ///< a block of its own: ecall, ebreak, mret, sret
    Outside,    ///< changes the context, or must not run ahead of time
};

class Execution;
struct Instruction;

/// Executes one instruction.
using Handler = void (*)(Execution&, const Instruction&);

struct Instruction {
    Handler execute = nullptr; ///< null: the slot is not decoded yet
    std::int64_t imm = 0;
    RetiredMask commit_events{}; ///< the retirement-class sources that it pulses
    std::uint32_t raw = 0;       ///< instruction word as fetched, low half only if compressed
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

/// A conditional branch to the next instruction: the next pc does not tell whether it was
/// taken.
constexpr bool branches_in_place(const Instruction& instruction) {
    return instruction.timing == TimingClass::Branch && instruction.imm == instruction.length;
}

/// True if it writes a register that it has read.
constexpr bool reads_its_result(const Instruction& instruction) {
    return instruction.rd == instruction.rs1 || instruction.rd == instruction.rs2 ||
           instruction.rd == instruction.rs3;
}

/// True if the handler notes what the timing model cannot see: the steps of an iterative unit, or
/// that a branch in place is taken (1).
constexpr bool notes_operands(const Instruction& instruction) {
    return is_iterative(instruction.timing) || branches_in_place(instruction);
}

} // namespace pes

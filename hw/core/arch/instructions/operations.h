// SPDX-License-Identifier: Apache-2.0
// Handlers and rows of instructions that compute with integer registers.
#pragma once

#include "hw/core/arch/decode.h"
#include "hw/core/arch/execution.h"

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace pes::operations {

using U64 = std::uint64_t;
using I64 = std::int64_t;
using U32 = std::uint32_t;
using I32 = std::int32_t;

constexpr I64 as_signed(U64 value) {
    return static_cast<I64>(value);
}
/// What T has of `value`, sign-extended to the register.
template <typename T>
constexpr U64 sign_extended(U64 value) {
    return static_cast<U64>(I64{static_cast<std::make_signed_t<T>>(value)});
}
/// A 32-bit result sign-extends to the register.
constexpr U64 word(U64 value) {
    return sign_extended<U32>(value);
}

// In a template argument ">>" would close the list, so right shifts have names.
constexpr U64 shift_right(U64 value, U64 by) {
    return value >> by;
}
constexpr U64 shift_arithmetic(U64 value, U64 by) {
    return static_cast<U64>(as_signed(value) >> by);
}

template <auto Operation>
void binary(Execution& hart, const Instruction& i) {
    hart.x(i.rd) = Operation(hart.x(i.rs1), hart.x(i.rs2));
}

template <auto Operation>
void immediate(Execution& hart, const Instruction& i) {
    hart.x(i.rd) = Operation(hart.x(i.rs1), static_cast<U64>(i.imm));
}

template <auto Operation>
void of_one(Execution& hart, const Instruction& i) {
    hart.x(i.rd) = Operation(hart.x(i.rs1));
}

constexpr Encoding op_imm(U32 funct3) {
    return with_funct3(opcode(0x13), funct3);
}
constexpr Encoding op_imm32(U32 funct3) {
    return with_funct3(opcode(0x1B), funct3);
}
constexpr Encoding op(U32 funct7, U32 funct3) {
    return with_funct7(with_funct3(opcode(0x33), funct3), funct7);
}
constexpr Encoding op32(U32 funct7, U32 funct3) {
    return with_funct7(with_funct3(opcode(0x3B), funct3), funct7);
}
/// Six bits of shift amount, so only funct6 is fixed.
constexpr Encoding in_funct6(Encoding e, U32 funct6) {
    return {e.match | funct6 << 26, e.mask | 0xFC00'0000};
}
/// RV64 shifts.
constexpr Encoding shift64(U32 funct6, U32 funct3) {
    return in_funct6(op_imm(funct3), funct6);
}
constexpr Encoding shift32(U32 funct7, U32 funct3) {
    return with_funct7(op_imm32(funct3), funct7);
}

constexpr InstructionRow alu(std::string_view name, Encoding e, Handler handler) {
    return row(name, e, Format::R, TimingClass::Alu, handler);
}
constexpr InstructionRow alu_imm(std::string_view name, Encoding e, Handler handler) {
    return row(name, e, Format::I, TimingClass::Alu, handler);
}
constexpr InstructionRow alu_shift(std::string_view name, Encoding e, Handler handler) {
    return row(name, e, Format::Shift, TimingClass::Alu, handler);
}
constexpr InstructionRow alu_one(std::string_view name, Encoding e, U32 code, Handler handler) {
    return row(name, {e.match | code << 20, e.mask | 0xFFF0'0000}, Format::Unary, TimingClass::Alu,
               handler);
}

} // namespace pes::operations

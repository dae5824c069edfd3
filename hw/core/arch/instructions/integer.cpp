// SPDX-License-Identifier: Apache-2.0
// I and M: computation, branches and jumps. One row per instruction.
#include "hw/core/arch/instructions/operations.h"

#include <array>
#include <bit>
#include <span>
#include <string_view>

namespace pes {

namespace operations::integer {

namespace {

template <auto Taken>
void branch(Execution& hart, const Instruction& i) {
    if (Taken(hart.x(i.rs1), hart.x(i.rs2))) {
        hart.jump(hart.pc() + static_cast<U64>(i.imm));
    }
    if (i.imm == i.length) [[unlikely]] { // branches_in_place()
        hart.note(Taken(hart.x(i.rs1), hart.x(i.rs2)) ? 1 : 0);
    }
}

void lui(Execution& hart, const Instruction& i) {
    hart.x(i.rd) = static_cast<U64>(i.imm);
}
void auipc(Execution& hart, const Instruction& i) {
    hart.x(i.rd) = hart.pc() + static_cast<U64>(i.imm);
}
void jal(Execution& hart, const Instruction& i) {
    const Address pc = hart.pc();
    hart.x(i.rd) = pc + i.length;
    hart.jump(pc + static_cast<U64>(i.imm));
}
void jalr(Execution& hart, const Instruction& i) {
    const Address target = (hart.x(i.rs1) + static_cast<U64>(i.imm)) & ~Address{1};
    hart.x(i.rd) = hart.pc() + i.length;
    hart.jump(target);
}

/// CVA6's serial divider aligns the operands, then works through the bits of the quotient. The
/// length of a negative number is that of its complement, which is one bit too short for a power of
/// two; this is corrected for the dividend only. [core/serdiv.sv]
template <typename T>
UnitSteps divider_steps(T dividend, T divisor) {
    const auto complement = [](I64 value) { return static_cast<U64>(value < 0 ? ~value : value); };
    const auto width = [](U64 value) { return static_cast<int>(std::bit_width(value)); };
    int bits = 0;
    U64 aligned_to = 0;
    if constexpr (std::is_signed_v<T>) {
        bits = width(complement(dividend)) + (dividend < 0 ? 1 : 0);
        aligned_to = complement(divisor);
    } else {
        bits = width(dividend);
        aligned_to = divisor;
    }
    const int steps = bits - width(aligned_to) + 1;
    return aligned_to == 0 || steps < 0 ? 0 : static_cast<UnitSteps>(steps);
}

/// Signed division as the specification defines it: by zero gives -1 and the dividend; overflow
/// gives the dividend and 0.
template <typename T>
constexpr T quotient(T a, T b) {
    if (b == 0) {
        return static_cast<T>(-1);
    }
    using Unsigned = std::make_unsigned_t<T>;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) {
        return static_cast<T>(Unsigned{0} - static_cast<Unsigned>(a));
    }
    return static_cast<T>(a / b);
}
template <typename T>
constexpr T remainder(T a, T b) {
    if (b == 0) {
        return a;
    }
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) {
        return 0;
    }
    return static_cast<T>(a % b);
}

/// Division on T; the result sign-extends from T's width.
template <typename T, auto Operation>
void divide(Execution& hart, const Instruction& i) {
    const T a = static_cast<T>(hart.x(i.rs1));
    const T b = static_cast<T>(hart.x(i.rs2));
    using Signed = std::make_signed_t<T>;
    hart.x(i.rd) = static_cast<U64>(static_cast<I64>(static_cast<Signed>(Operation(a, b))));
    hart.note(divider_steps(a, b));
}

__extension__ using U128 = unsigned __int128; // not ISO C++, hence the marker

constexpr U64 multiply_high(U64 a, U64 b) {
    return static_cast<U64>((static_cast<U128>(a) * b) >> 64);
}
/// A negative operand is 2^64 too large when read as unsigned: subtract the other one once.
constexpr U64 multiply_high_mixed(U64 a, U64 b) {
    return multiply_high(a, b) - (as_signed(a) < 0 ? b : 0);
}
constexpr U64 multiply_high_signed(U64 a, U64 b) {
    return multiply_high_mixed(a, b) - (as_signed(b) < 0 ? a : 0);
}

constexpr InstructionRow mul(std::string_view name, Encoding e, Handler handler) {
    return of(IsaExtension::M, row(name, e, Format::R, TimingClass::Multiply, handler));
}
constexpr InstructionRow div(std::string_view name, Encoding e, Handler handler) {
    return of(IsaExtension::M, row(name, e, Format::R, TimingClass::Divide, handler));
}
constexpr InstructionRow bra(std::string_view name, U32 funct3, Handler handler) {
    return row(name, with_funct3(opcode(0x63), funct3), Format::B, TimingClass::Branch, handler);
}

// clang-format off
constexpr std::array kIntegerRows{
    row("lui", opcode(0x37), Format::U, TimingClass::Alu, lui),
    row("auipc", opcode(0x17), Format::U, TimingClass::Alu, auipc),
    row("jal", opcode(0x6F), Format::J, TimingClass::Jal, jal),
    row("jalr", with_funct3(opcode(0x67), 0), Format::I, TimingClass::Jalr, jalr),

    bra("beq", 0, branch<[](U64 a, U64 b) { return a == b; }>),
    bra("bne", 1, branch<[](U64 a, U64 b) { return a != b; }>),
    bra("blt", 4, branch<[](U64 a, U64 b) { return as_signed(a) < as_signed(b); }>),
    bra("bge", 5, branch<[](U64 a, U64 b) { return as_signed(a) >= as_signed(b); }>),
    bra("bltu", 6, branch<[](U64 a, U64 b) { return a < b; }>),
    bra("bgeu", 7, branch<[](U64 a, U64 b) { return a >= b; }>),

    alu_imm("addi", op_imm(0), immediate<[](U64 a, U64 b) { return a + b; }>),
    alu_imm("slti", op_imm(2), immediate<[](U64 a, U64 b) { return U64{as_signed(a) < as_signed(b)}; }>),
    alu_imm("sltiu", op_imm(3), immediate<[](U64 a, U64 b) { return U64{a < b}; }>),
    alu_imm("xori", op_imm(4), immediate<[](U64 a, U64 b) { return a ^ b; }>),
    alu_imm("ori", op_imm(6), immediate<[](U64 a, U64 b) { return a | b; }>),
    alu_imm("andi", op_imm(7), immediate<[](U64 a, U64 b) { return a & b; }>),
    alu_shift("slli", shift64(0x00, 1), immediate<[](U64 a, U64 b) { return a << b; }>),
    alu_shift("srli", shift64(0x00, 5), immediate<[](U64 a, U64 b) { return shift_right(a, b); }>),
    alu_shift("srai", shift64(0x10, 5), immediate<[](U64 a, U64 b) { return shift_arithmetic(a, b); }>),

    alu_imm("addiw", op_imm32(0), immediate<[](U64 a, U64 b) { return word(a + b); }>),
    alu_shift("slliw", shift32(0x00, 1), immediate<[](U64 a, U64 b) { return word(a << b); }>),
    alu_shift("srliw", shift32(0x00, 5), immediate<[](U64 a, U64 b) { return word(shift_right(static_cast<U32>(a), b)); }>),
    alu_shift("sraiw", shift32(0x20, 5), immediate<[](U64 a, U64 b) { return shift_arithmetic(word(a), b); }>),

    alu("add", op(0x00, 0), binary<[](U64 a, U64 b) { return a + b; }>),
    alu("sub", op(0x20, 0), binary<[](U64 a, U64 b) { return a - b; }>),
    alu("sll", op(0x00, 1), binary<[](U64 a, U64 b) { return a << (b & 63); }>),
    alu("slt", op(0x00, 2), binary<[](U64 a, U64 b) { return U64{as_signed(a) < as_signed(b)}; }>),
    alu("sltu", op(0x00, 3), binary<[](U64 a, U64 b) { return U64{a < b}; }>),
    alu("xor", op(0x00, 4), binary<[](U64 a, U64 b) { return a ^ b; }>),
    alu("srl", op(0x00, 5), binary<[](U64 a, U64 b) { return shift_right(a, b & 63); }>),
    alu("sra", op(0x20, 5), binary<[](U64 a, U64 b) { return shift_arithmetic(a, b & 63); }>),
    alu("or", op(0x00, 6), binary<[](U64 a, U64 b) { return a | b; }>),
    alu("and", op(0x00, 7), binary<[](U64 a, U64 b) { return a & b; }>),

    alu("addw", op32(0x00, 0), binary<[](U64 a, U64 b) { return word(a + b); }>),
    alu("subw", op32(0x20, 0), binary<[](U64 a, U64 b) { return word(a - b); }>),
    alu("sllw", op32(0x00, 1), binary<[](U64 a, U64 b) { return word(a << (b & 31)); }>),
    alu("srlw", op32(0x00, 5), binary<[](U64 a, U64 b) { return word(shift_right(static_cast<U32>(a), b & 31)); }>),
    alu("sraw", op32(0x20, 5), binary<[](U64 a, U64 b) { return shift_arithmetic(word(a), b & 31); }>),

    mul("mul", op(0x01, 0), binary<[](U64 a, U64 b) { return a * b; }>),
    mul("mulh", op(0x01, 1), binary<multiply_high_signed>),
    mul("mulhsu", op(0x01, 2), binary<multiply_high_mixed>),
    mul("mulhu", op(0x01, 3), binary<multiply_high>),
    mul("mulw", op32(0x01, 0), binary<[](U64 a, U64 b) { return word(a * b); }>),

    div("div", op(0x01, 4), divide<I64, quotient<I64>>),
    div("divu", op(0x01, 5), divide<U64, quotient<U64>>),
    div("rem", op(0x01, 6), divide<I64, remainder<I64>>),
    div("remu", op(0x01, 7), divide<U64, remainder<U64>>),
    div("divw", op32(0x01, 4), divide<I32, quotient<I32>>),
    div("divuw", op32(0x01, 5), divide<U32, quotient<U32>>),
    div("remw", op32(0x01, 6), divide<I32, remainder<I32>>),
    div("remuw", op32(0x01, 7), divide<U32, remainder<U32>>),
};
// clang-format on

} // namespace

} // namespace operations::integer

std::span<const InstructionRow> integer_rows() {
    return operations::integer::kIntegerRows;
}

} // namespace pes

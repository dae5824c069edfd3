// SPDX-License-Identifier: Apache-2.0
// Instruction words for guests of a few instructions, and register names (unprivileged
// specification, chapter 2 and the opcode tables; privileged specification, SYSTEM).
#pragma once

#include "hw/core/arch/instruction.h"

#include <cstdint>

namespace pes::test {

enum Reg : std::uint8_t {
    zero = 0,
    ra = 1,
    sp = 2,
    tp = 4,
    t0 = 5,
    t1 = 6,
    t2 = 7,
    s0 = 8,
    s1 = 9,
    a0 = 10,
    a1 = 11,
    a2 = 12,
    a3 = 13,
    a4 = 14,
    a5 = 15,
    a6 = 16,
    a7 = 17,
    s2 = 18,
    s3 = 19,
    s4 = 20,
    s5 = 21,
    s6 = 22,
    s7 = 23,
    t3 = 28,
    t4 = 29,
};

using Word = std::uint32_t;

constexpr Word i_type(Word opcode, Word funct3, Word rd, Word rs1, std::int32_t imm) {
    return static_cast<Word>(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr Word r_type(Word opcode, Word funct3, Word funct7, Word rd, Word rs1, Word rs2) {
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr Word s_type(Word opcode, Word funct3, Word rs2, Word rs1, std::int32_t imm) {
    const Word bits = static_cast<Word>(imm);
    return (bits >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (bits & 0x1F) << 7 |
           opcode;
}
constexpr Word b_type(Word funct3, Word rs1, Word rs2, std::int32_t distance) {
    const Word bits = static_cast<Word>(distance);
    return (bits >> 12 & 1) << 31 | (bits >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 |
           funct3 << 12 | (bits >> 1 & 0xF) << 8 | (bits >> 11 & 1) << 7 | 0x63;
}

constexpr Word lui(Reg rd, Word upper20) {
    return upper20 << 12 | Word{rd} << 7 | 0x37;
}
constexpr Word auipc(Reg rd, Word upper20) {
    return upper20 << 12 | Word{rd} << 7 | 0x17;
}
constexpr Word addi(Reg rd, Reg rs1, std::int32_t imm) {
    return i_type(0x13, 0, rd, rs1, imm);
}
constexpr Word andi(Reg rd, Reg rs1, std::int32_t imm) {
    return i_type(0x13, 7, rd, rs1, imm);
}
constexpr Word add(Reg rd, Reg rs1, Reg rs2) {
    return r_type(0x33, 0, 0, rd, rs1, rs2);
}
constexpr Word sub(Reg rd, Reg rs1, Reg rs2) {
    return r_type(0x33, 0, 0x20, rd, rs1, rs2);
}
constexpr Word mul(Reg rd, Reg rs1, Reg rs2) {
    return r_type(0x33, 0, 1, rd, rs1, rs2);
}
constexpr Word div(Reg rd, Reg rs1, Reg rs2) {
    return r_type(0x33, 4, 1, rd, rs1, rs2);
}
constexpr Word lb(Reg rd, Reg base, std::int32_t offset) {
    return i_type(0x03, 0, rd, base, offset);
}
constexpr Word lh(Reg rd, Reg base, std::int32_t offset) {
    return i_type(0x03, 1, rd, base, offset);
}
constexpr Word lw(Reg rd, Reg base, std::int32_t offset) {
    return i_type(0x03, 2, rd, base, offset);
}
constexpr Word ld(Reg rd, Reg base, std::int32_t offset) {
    return i_type(0x03, 3, rd, base, offset);
}
constexpr Word sb(Reg rs2, Reg base, std::int32_t offset) {
    return s_type(0x23, 0, rs2, base, offset);
}
constexpr Word sh(Reg rs2, Reg base, std::int32_t offset) {
    return s_type(0x23, 1, rs2, base, offset);
}
constexpr Word sw(Reg rs2, Reg base, std::int32_t offset) {
    return s_type(0x23, 2, rs2, base, offset);
}
constexpr Word sd(Reg rs2, Reg base, std::int32_t offset) {
    return s_type(0x23, 3, rs2, base, offset);
}
constexpr Word beq(Reg rs1, Reg rs2, std::int32_t distance) {
    return b_type(0, rs1, rs2, distance);
}
constexpr Word bne(Reg rs1, Reg rs2, std::int32_t distance) {
    return b_type(1, rs1, rs2, distance);
}
constexpr Word jal(Reg rd, std::int32_t distance) {
    const Word bits = static_cast<Word>(distance);
    return (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3FF) << 21 | (bits >> 11 & 1) << 20 |
           (bits >> 12 & 0xFF) << 12 | Word{rd} << 7 | 0x6F;
}
constexpr Word j(std::int32_t distance) {
    return jal(zero, distance);
}
constexpr Word jalr(Reg rd, Reg rs1, std::int32_t offset) {
    return i_type(0x67, 0, rd, rs1, offset);
}

enum class Width : std::uint8_t { Word = 2, Double = 3 };
constexpr Word atomic(Word funct5, Width width, Reg rd, Reg rs2, Reg address) {
    return r_type(0x2F, static_cast<Word>(width), funct5 << 2, rd, address, rs2);
}
constexpr Word lr(Width width, Reg rd, Reg address) {
    return atomic(0x02, width, rd, zero, address);
}
constexpr Word sc(Width width, Reg rd, Reg rs2, Reg address) {
    return atomic(0x03, width, rd, rs2, address);
}
constexpr Word amoadd(Width width, Reg rd, Reg rs2, Reg address) {
    return atomic(0x00, width, rd, rs2, address);
}

/// fadd.s in dynamic rounding; the numbers are those of f registers.
constexpr Word fadd_s(Word rd, Word rs1, Word rs2) {
    return r_type(0x53, 7, 0, rd, rs1, rs2);
}

constexpr Word csrrw(Reg rd, std::uint16_t csr, Reg rs1) {
    return Word{csr} << 20 | i_type(0x73, 1, rd, rs1, 0);
}
constexpr Word csrrs(Reg rd, std::uint16_t csr, Reg rs1) {
    return Word{csr} << 20 | i_type(0x73, 2, rd, rs1, 0);
}
constexpr Word csrrc(Reg rd, std::uint16_t csr, Reg rs1) {
    return Word{csr} << 20 | i_type(0x73, 3, rd, rs1, 0);
}
constexpr Word csrrsi(Reg rd, std::uint16_t csr, Word imm5) {
    return Word{csr} << 20 | i_type(0x73, 6, rd, imm5, 0);
}
constexpr Word csrr(Reg rd, std::uint16_t csr) {
    return csrrs(rd, csr, zero);
}
constexpr Word csrw(std::uint16_t csr, Reg rs1) {
    return csrrw(zero, csr, rs1);
}
constexpr Word sfence_vma(Reg address, Reg asid) {
    return r_type(0x73, 0, 0x09, 0, address, asid);
}

inline constexpr Word kNop = addi(zero, zero, 0);
inline constexpr Word kFence = 0x0FF0'000F;
inline constexpr Word kFenceI = 0x0000'100F;
inline constexpr Word kEcall = 0x0000'0073;
inline constexpr Word kEbreak = 0x0010'0073;
inline constexpr Word kSret = 0x1020'0073;
inline constexpr Word kMret = 0x3020'0073;
inline constexpr Word kWfi = 0x1050'0073;
inline constexpr Word kIllegal = 0x0000'0000; ///< defined illegal by the specification

inline constexpr std::uint16_t kCompressedNop = 0x0001;

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// Decodes instruction words. Each group file (instructions/) has a table with the encodings and
// handlers of its instructions; decode() finds the row.
#pragma once

#include "hw/common/event.h"
#include "hw/core/arch/extensions.h"
#include "hw/core/arch/instruction.h"
#include "hw/interface/riscv/isa.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace pes {

/// Which fields are register operands and what the immediate is (unprivileged specification 2.2).
enum class Format : std::uint8_t {
    R,       ///< rd, rs1, rs2
    I,       ///< rd, rs1, imm
    Unary,   ///< rd, rs1; the place of the immediate says which instruction it is
    Shift,   ///< rd, rs1, shamt
    S,       ///< rs1, rs2, imm
    B,       ///< rs1, rs2, pc offset
    U,       ///< rd, upper immediate
    J,       ///< rd, pc offset
    Csr,     ///< rd, rs1, CSR number in imm
    CsrImm,  ///< rd, 5-bit immediate in rs1's place (not a register), CSR number in imm
    None,    ///< no operands
    Fence,   ///< operands are ignored
    Rs1Rs2,  ///< rs1, rs2 (sfence.vma)
    Fr,      ///< FP rd, rs1, rs2
    Fr1,     ///< FP rd, rs1
    Fr4,     ///< FP rd, rs1, rs2, rs3
    FrToX,   ///< integer rd, FP rs1
    FrFrToX, ///< integer rd, FP rs1, rs2
    XToFr,   ///< FP rd, integer rs1
    FLoad,   ///< FP rd, integer rs1, imm
    FStore,  ///< integer rs1, FP rs2, imm
};

struct InstructionRow {
    std::string_view name;
    std::uint32_t match;
    std::uint32_t mask;
    Format format;
    TimingClass timing;
    Handler execute;
    std::uint8_t memory_size = 0; ///< bytes
    /// The word is illegal without one of these. None: an instruction of the base.
    IsaSet owners{};
    /// It is illegal without this privileged extension, too. Null: it belongs to none.
    bool Extensions::*extension = nullptr;
};

/// Encoding of a row: the fixed bits and their mask.
struct Encoding {
    std::uint32_t match;
    std::uint32_t mask;
};
constexpr Encoding opcode(std::uint32_t op) {
    return {op, 0x7F};
}
constexpr Encoding with_funct3(Encoding e, std::uint32_t funct3) {
    return {e.match | funct3 << 12, e.mask | 0x7000};
}
constexpr Encoding with_funct7(Encoding e, std::uint32_t funct7) {
    return {e.match | funct7 << 25, e.mask | 0xFE00'0000};
}
constexpr Encoding with_rs2(Encoding e, std::uint32_t rs2) {
    return {e.match | rs2 << 20, e.mask | 0x01F0'0000};
}
constexpr InstructionRow row(std::string_view name, Encoding e, Format format, TimingClass timing,
                             Handler handler) {
    return {name, e.match, e.mask, format, timing, handler};
}
constexpr InstructionRow of(IsaSet owners, InstructionRow row) {
    row.owners = owners;
    return row;
}

std::span<const InstructionRow> integer_rows();
std::span<const InstructionRow> bit_rows();
std::span<const InstructionRow> cryptography_rows();
std::span<const InstructionRow> memory_rows();
std::span<const InstructionRow> atomic_rows();
std::span<const InstructionRow> float_rows();
std::span<const InstructionRow> system_rows();
/// All of them.
std::array<std::span<const InstructionRow>, 7> instruction_rows();

/// Decodes a 32-bit word, or a 16-bit one in the low half (length() tells which). A word that is
/// no instruction decodes to one that raises an illegal-instruction exception. Of the sources
/// outside kBaseEvents, commit_events contains only those in `sources`.
Instruction decode(std::uint32_t word, EventMask sources = kBaseEvents,
                   const Extensions& extensions = {});
constexpr unsigned length_of(std::uint32_t word) {
    return (word & 3) == 3 ? 4 : 2;
}

/// The 32-bit equivalent of a compressed instruction, or 0 (an illegal word, or one of an extension
/// that is not in `isa`). The equivalent may be illegal, too.
std::uint32_t expand_compressed(std::uint16_t word, const Isa& isa = kWholeIsa);

/// Mnemonic for reports: "fadd.d"; "addi" also for "c.addi"; "illegal" for an illegal word.
std::string_view mnemonic(std::uint32_t word);

} // namespace pes

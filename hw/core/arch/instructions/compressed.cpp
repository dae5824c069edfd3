// SPDX-License-Identifier: Apache-2.0
// Compressed instructions expand to the 32-bit instruction they stand for (unprivileged
// specification, chapter "C", tables of the three quadrants, and Zcb). Reserved encodings expand to
// 0.
#include "hw/core/arch/decode.h"

namespace pes {

namespace {

constexpr std::uint32_t kIllegalWord = 0;
constexpr std::uint32_t kLoad = 0x03, kLoadFp = 0x07, kOpImm = 0x13, kOpImm32 = 0x1B, kStore = 0x23,
                        kStoreFp = 0x27, kOp = 0x33, kLui = 0x37, kOp32 = 0x3B, kBranch = 0x63,
                        kJalr = 0x67, kJal = 0x6F;
constexpr std::uint32_t kEbreak = 0x0010'0073;
constexpr std::uint32_t kRa = 1, kSp = 2;
/// funct3 of accesses, by bytes; a load without sign besides.
constexpr std::uint32_t kByte1 = 0, kByte2 = 1, kByte4 = 2, kByte8 = 3, kUnsigned = 4;

class Compressed {
  public:
    Compressed(std::uint32_t word, const Isa& isa) : word_(word), isa_(isa) {}

    bool has_zcb() const { return isa_.has(IsaExtension::Zcb); }
    bool has_zbb() const { return isa_.has(IsaExtension::Zbb); }

    std::uint32_t bits(unsigned high, unsigned low) const {
        return (word_ >> low) & ((1U << (high - low + 1)) - 1);
    }
    /// Bits high..low moved to position `to`.
    std::uint32_t at(unsigned high, unsigned low, unsigned to) const {
        return bits(high, low) << to;
    }
    std::uint32_t rd() const { return bits(11, 7); }
    std::uint32_t rs2() const { return bits(6, 2); }
    std::uint32_t rd_short() const { return 8 + bits(4, 2); }
    std::uint32_t rs1_short() const { return 8 + bits(9, 7); }
    std::uint32_t funct3() const { return bits(15, 13); }
    /// imm[5] in bit 12, imm[4:0] in bits 6:2, sign-extended to 12 bits.
    std::uint32_t immediate6() const {
        const std::uint32_t value = at(12, 12, 5) | bits(6, 2);
        return (value ^ 0x20) - 0x20;
    }
    std::uint32_t shift_amount() const { return at(12, 12, 5) | bits(6, 2); }

  private:
    std::uint32_t word_;
    const Isa& isa_;
};

std::uint32_t i_type(std::uint32_t op, std::uint32_t funct3, std::uint32_t rd, std::uint32_t rs1,
                     std::uint32_t imm) {
    return (imm & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}
std::uint32_t r_type(std::uint32_t op, std::uint32_t funct7, std::uint32_t funct3, std::uint32_t rd,
                     std::uint32_t rs1, std::uint32_t rs2) {
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}
std::uint32_t s_type(std::uint32_t op, std::uint32_t funct3, std::uint32_t rs1, std::uint32_t rs2,
                     std::uint32_t imm) {
    return ((imm >> 5) & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 0x1F) << 7 |
           op;
}
std::uint32_t b_type(std::uint32_t funct3, std::uint32_t rs1, std::uint32_t imm) {
    return ((imm >> 12) & 1) << 31 | ((imm >> 5) & 0x3F) << 25 | rs1 << 15 | funct3 << 12 |
           ((imm >> 1) & 0xF) << 8 | ((imm >> 11) & 1) << 7 | kBranch;
}
std::uint32_t j_type(std::uint32_t rd, std::uint32_t imm) {
    return ((imm >> 20) & 1) << 31 | ((imm >> 1) & 0x3FF) << 21 | ((imm >> 11) & 1) << 20 |
           ((imm >> 12) & 0xFF) << 12 | rd << 7 | kJal;
}

/// c.lbu, c.lhu, c.lh, c.sb, c.sh.
std::uint32_t zcb_memory(const Compressed& c) {
    const std::uint32_t half_offset = c.at(5, 5, 1);
    const std::uint32_t byte_offset = half_offset | c.bits(6, 6);
    const bool second = c.bits(6, 6) != 0;
    switch (c.bits(12, 10)) {
    case 0:
        return i_type(kLoad, kByte1 | kUnsigned, c.rd_short(), c.rs1_short(), byte_offset);
    case 1:
        return i_type(kLoad, kByte2 | (second ? 0 : kUnsigned), c.rd_short(), c.rs1_short(),
                      half_offset);
    case 2:
        return s_type(kStore, kByte1, c.rs1_short(), c.rd_short(), byte_offset);
    case 3:
        return second ? kIllegalWord
                      : s_type(kStore, kByte2, c.rs1_short(), c.rd_short(), half_offset);
    default:
        return kIllegalWord;
    }
}

/// c.zext.b, c.sext.b, c.zext.h, c.sext.h, c.zext.w, c.not.
std::uint32_t zcb_unary(const Compressed& c) {
    const std::uint32_t rd = c.rs1_short();
    switch (c.bits(4, 2)) {
    case 0:
        return i_type(kOpImm, 7, rd, rd, 0xFF);
    case 1:
        return i_type(kOpImm, 1, rd, rd, 0x604);
    case 2: // zext.h, which needs Zbb here
        return c.has_zbb() ? r_type(kOp32, 0x04, 4, rd, rd, 0) : kIllegalWord;
    case 3:
        return i_type(kOpImm, 1, rd, rd, 0x605);
    case 4:
        return r_type(kOp32, 0x04, 0, rd, rd, 0); // add.uw
    case 5:
        return i_type(kOpImm, 4, rd, rd, 0xFFF);
    default:
        return kIllegalWord;
    }
}

std::uint32_t quadrant0(const Compressed& c) {
    const std::uint32_t word_offset = c.at(12, 10, 3) | c.at(6, 6, 2) | c.at(5, 5, 6);
    const std::uint32_t double_offset = c.at(12, 10, 3) | c.at(6, 5, 6);
    switch (c.funct3()) {
    case 0: { // c.addi4spn
        const std::uint32_t imm = c.at(12, 11, 4) | c.at(10, 7, 6) | c.at(6, 6, 2) | c.at(5, 5, 3);
        return imm == 0 ? kIllegalWord : i_type(kOpImm, 0, c.rd_short(), kSp, imm);
    }
    case 1: // c.fld
        return i_type(kLoadFp, kByte8, c.rd_short(), c.rs1_short(), double_offset);
    case 2: // c.lw
        return i_type(kLoad, kByte4, c.rd_short(), c.rs1_short(), word_offset);
    case 3: // c.ld
        return i_type(kLoad, kByte8, c.rd_short(), c.rs1_short(), double_offset);
    case 4:
        return c.has_zcb() ? zcb_memory(c) : kIllegalWord;
    case 5: // c.fsd
        return s_type(kStoreFp, kByte8, c.rs1_short(), c.rd_short(), double_offset);
    case 6: // c.sw
        return s_type(kStore, kByte4, c.rs1_short(), c.rd_short(), word_offset);
    case 7: // c.sd
        return s_type(kStore, kByte8, c.rs1_short(), c.rd_short(), double_offset);
    default:
        return kIllegalWord;
    }
}

/// c.srli, c.srai, c.andi and the register-register operations on x8..x15.
std::uint32_t quadrant1_arithmetic(const Compressed& c) {
    const std::uint32_t rd = c.rs1_short();
    switch (c.bits(11, 10)) {
    case 0:
        return i_type(kOpImm, 5, rd, rd, c.shift_amount());
    case 1:
        return i_type(kOpImm, 5, rd, rd, 0x400 | c.shift_amount());
    case 2:
        return i_type(kOpImm, 7, rd, rd, c.immediate6());
    default:
        break;
    }
    constexpr std::uint32_t kSubtract = 0x20;
    const std::uint32_t rs2 = c.rd_short();
    switch (c.at(12, 12, 2) | c.bits(6, 5)) {
    case 0:
        return r_type(kOp, kSubtract, 0, rd, rd, rs2);
    case 1:
        return r_type(kOp, 0, 4, rd, rd, rs2); // c.xor
    case 2:
        return r_type(kOp, 0, 6, rd, rd, rs2); // c.or
    case 3:
        return r_type(kOp, 0, 7, rd, rd, rs2); // c.and
    case 4:
        return r_type(kOp32, kSubtract, 0, rd, rd, rs2);
    case 5:
        return r_type(kOp32, 0, 0, rd, rd, rs2); // c.addw
    case 6:                                      // c.mul
        return c.has_zcb() ? r_type(kOp, 0x01, 0, rd, rd, rs2) : kIllegalWord;
    case 7:
        return c.has_zcb() ? zcb_unary(c) : kIllegalWord;
    default:
        return kIllegalWord;
    }
}

std::uint32_t quadrant1(const Compressed& c) {
    switch (c.funct3()) {
    case 0: // c.addi, c.nop
        return i_type(kOpImm, 0, c.rd(), c.rd(), c.immediate6());
    case 1: // c.addiw
        return c.rd() == 0 ? kIllegalWord : i_type(kOpImm32, 0, c.rd(), c.rd(), c.immediate6());
    case 2: // c.li
        return i_type(kOpImm, 0, c.rd(), 0, c.immediate6());
    case 3:
        if (c.rd() == kSp) { // c.addi16sp
            const std::uint32_t imm =
                c.at(12, 12, 9) | c.at(6, 6, 4) | c.at(5, 5, 6) | c.at(4, 3, 7) | c.at(2, 2, 5);
            return imm == 0 ? kIllegalWord : i_type(kOpImm, 0, kSp, kSp, (imm ^ 0x200) - 0x200);
        }
        // c.lui
        return c.shift_amount() == 0 ? kIllegalWord : c.immediate6() << 12 | c.rd() << 7 | kLui;
    case 4:
        return quadrant1_arithmetic(c);
    case 5: { // c.j
        const std::uint32_t imm = c.at(12, 12, 11) | c.at(11, 11, 4) | c.at(10, 9, 8) |
                                  c.at(8, 8, 10) | c.at(7, 7, 6) | c.at(6, 6, 7) | c.at(5, 3, 1) |
                                  c.at(2, 2, 5);
        return j_type(0, (imm ^ 0x800) - 0x800);
    }
    default: { // c.beqz, c.bnez
        const std::uint32_t imm =
            c.at(12, 12, 8) | c.at(11, 10, 3) | c.at(6, 5, 6) | c.at(4, 3, 1) | c.at(2, 2, 5);
        return b_type(c.funct3() == 6 ? 0 : 1, c.rs1_short(), (imm ^ 0x100) - 0x100);
    }
    }
}

/// c.jr, c.mv, c.ebreak, c.jalr, c.add.
std::uint32_t quadrant2_register(const Compressed& c) {
    const bool second = c.bits(12, 12) != 0;
    if (c.rs2() != 0) {
        return r_type(kOp, 0, 0, c.rd(), second ? c.rd() : 0, c.rs2());
    }
    if (c.rd() == 0) {
        return second ? kEbreak : kIllegalWord;
    }
    return i_type(kJalr, 0, second ? kRa : 0, c.rd(), 0);
}

std::uint32_t quadrant2(const Compressed& c) {
    const std::uint32_t load_word = c.at(12, 12, 5) | c.at(6, 4, 2) | c.at(3, 2, 6);
    const std::uint32_t load_double = c.at(12, 12, 5) | c.at(6, 5, 3) | c.at(4, 2, 6);
    const std::uint32_t store_word = c.at(12, 9, 2) | c.at(8, 7, 6);
    const std::uint32_t store_double = c.at(12, 10, 3) | c.at(9, 7, 6);
    switch (c.funct3()) {
    case 0: // c.slli
        return i_type(kOpImm, 1, c.rd(), c.rd(), c.shift_amount());
    case 1: // c.fldsp
        return i_type(kLoadFp, kByte8, c.rd(), kSp, load_double);
    case 2: // c.lwsp
        return c.rd() == 0 ? kIllegalWord : i_type(kLoad, kByte4, c.rd(), kSp, load_word);
    case 3: // c.ldsp
        return c.rd() == 0 ? kIllegalWord : i_type(kLoad, kByte8, c.rd(), kSp, load_double);
    case 4:
        return quadrant2_register(c);
    case 5: // c.fsdsp
        return s_type(kStoreFp, kByte8, kSp, c.rs2(), store_double);
    case 6: // c.swsp
        return s_type(kStore, kByte4, kSp, c.rs2(), store_word);
    default: // c.sdsp
        return s_type(kStore, kByte8, kSp, c.rs2(), store_double);
    }
}

} // namespace

std::uint32_t expand_compressed(std::uint16_t word, const Isa& isa) {
    const Compressed c(word, isa);
    switch (word & 3) {
    case 0:
        return quadrant0(c);
    case 1:
        return quadrant1(c);
    default:
        return quadrant2(c);
    }
}

} // namespace pes

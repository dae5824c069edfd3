// SPDX-License-Identifier: Apache-2.0
// Zba, Zbb, Zbc, Zbs and Zicond, and the parts of Zbkb, Zbkc and Zbkx that compute with bits. One
// row per instruction. Those of carry-less products are computed in CVA6's multiplier, all others
// in its ALU. [core/decoder.sv, core/multiplier.sv]
#include "hw/core/arch/instructions/operations.h"

#include <array>
#include <bit>
#include <span>
#include <string_view>

namespace pes {

namespace operations::bits {

namespace {

using enum IsaExtension;

constexpr IsaSet kZbbOrZbkb{Zbb, Zbkb};
constexpr IsaSet kZbcOrZbkc{Zbc, Zbkc};

constexpr U64 low_word(U64 value) {
    return static_cast<U32>(value);
}

template <unsigned Shift>
constexpr U64 shift_add(U64 a, U64 b) {
    return (a << Shift) + b;
}
template <unsigned Shift>
constexpr U64 shift_add_word(U64 a, U64 b) {
    return (low_word(a) << Shift) + b;
}

template <typename T>
constexpr U64 rotate_left(U64 a, U64 b) {
    constexpr unsigned kMask = 8 * sizeof(T) - 1;
    return sign_extended<T>(std::rotl(static_cast<T>(a), static_cast<int>(b & kMask)));
}
template <typename T>
constexpr U64 rotate_right(U64 a, U64 b) {
    constexpr unsigned kMask = 8 * sizeof(T) - 1;
    return sign_extended<T>(std::rotr(static_cast<T>(a), static_cast<int>(b & kMask)));
}

template <typename T>
constexpr U64 leading_zeros(U64 a) {
    return static_cast<U64>(std::countl_zero(static_cast<T>(a)));
}
template <typename T>
constexpr U64 trailing_zeros(U64 a) {
    return static_cast<U64>(std::countr_zero(static_cast<T>(a)));
}
template <typename T>
constexpr U64 ones(U64 a) {
    return static_cast<U64>(std::popcount(static_cast<T>(a)));
}

constexpr U64 kLowBits = 0x0101'0101'0101'0101; ///< bit 0 of each byte

constexpr U64 or_bytes(U64 a) {
    for (const unsigned by : {4U, 2U, 1U}) { // the or of each byte comes to its bit 0
        a |= (a >> by) & (kLowBits * ((1U << (8 - by)) - 1));
    }
    return (a & kLowBits) * 0xFF;
}
constexpr U64 reverse_bytes(U64 a) {
    return __builtin_bswap64(a);
}
constexpr U64 reverse_bits_of_bytes(U64 a) {
    constexpr U64 kOdd = 0x5555'5555'5555'5555, kPairs = 0x3333'3333'3333'3333,
                  kNibbles = 0x0F0F'0F0F'0F0F'0F0F;
    a = ((a >> 1) & kOdd) | ((a & kOdd) << 1);
    a = ((a >> 2) & kPairs) | ((a & kPairs) << 2);
    return ((a >> 4) & kNibbles) | ((a & kNibbles) << 4);
}

/// The 128-bit product of polynomials over one bit, from bit `first` on.
template <unsigned First>
constexpr U64 carry_less(U64 a, U64 b) {
    U64 product = 0;
    for (unsigned place = 0; place != 64; ++place) {
        if ((b >> place & 1) == 0) {
            continue;
        }
        if (place < First) {
            const unsigned down = First - place;
            product ^= down < 64 ? a >> down : 0;
        } else {
            product ^= a << (place - First);
        }
    }
    return product;
}

/// For each part of `selectors`, the part of `table` with that number, or 0 if there is none.
template <unsigned Width>
constexpr U64 permute(U64 table, U64 selectors) {
    constexpr U64 kPart = (U64{1} << Width) - 1;
    U64 result = 0;
    for (unsigned place = 0; place != 64; place += Width) {
        const U64 selector = selectors >> place & kPart;
        if (selector < 64 / Width) {
            result |= (table >> (Width * selector) & kPart) << place;
        }
    }
    return result;
}

constexpr U64 bit_of(U64 number) {
    return U64{1} << (number & 63);
}
constexpr U64 clear_bit(U64 a, U64 b) {
    return a & ~bit_of(b);
}
constexpr U64 extract_bit(U64 a, U64 b) {
    return shift_right(a, b & 63) & 1;
}
constexpr U64 invert_bit(U64 a, U64 b) {
    return a ^ bit_of(b);
}
constexpr U64 set_bit(U64 a, U64 b) {
    return a | bit_of(b);
}

constexpr InstructionRow shift_by(IsaSet owner, std::string_view name, Encoding e,
                                  Handler handler) {
    return of(owner, alu_shift(name, e, handler));
}
constexpr InstructionRow product(std::string_view name, IsaSet owner, U32 funct3, Handler handler) {
    return of(owner, row(name, op(0x05, funct3), Format::R, TimingClass::Multiply, handler));
}

// clang-format off
constexpr std::array kRows{
    of(Zba, alu("sh1add", op(0x10, 2), binary<shift_add<1>>)),
    of(Zba, alu("sh2add", op(0x10, 4), binary<shift_add<2>>)),
    of(Zba, alu("sh3add", op(0x10, 6), binary<shift_add<3>>)),
    of(Zba, alu("add.uw", op32(0x04, 0), binary<shift_add_word<0>>)),
    of(Zba, alu("sh1add.uw", op32(0x10, 2), binary<shift_add_word<1>>)),
    of(Zba, alu("sh2add.uw", op32(0x10, 4), binary<shift_add_word<2>>)),
    of(Zba, alu("sh3add.uw", op32(0x10, 6), binary<shift_add_word<3>>)),
    shift_by(Zba, "slli.uw", in_funct6(op_imm32(1), 0x02), immediate<[](U64 a, U64 b) { return low_word(a) << b; }>),

    of(kZbbOrZbkb, alu("andn", op(0x20, 7), binary<[](U64 a, U64 b) { return a & ~b; }>)),
    of(kZbbOrZbkb, alu("orn", op(0x20, 6), binary<[](U64 a, U64 b) { return a | ~b; }>)),
    of(kZbbOrZbkb, alu("xnor", op(0x20, 4), binary<[](U64 a, U64 b) { return ~(a ^ b); }>)),
    of(kZbbOrZbkb, alu("rol", op(0x30, 1), binary<rotate_left<U64>>)),
    of(kZbbOrZbkb, alu("ror", op(0x30, 5), binary<rotate_right<U64>>)),
    of(kZbbOrZbkb, alu("rolw", op32(0x30, 1), binary<rotate_left<U32>>)),
    of(kZbbOrZbkb, alu("rorw", op32(0x30, 5), binary<rotate_right<U32>>)),
    shift_by(kZbbOrZbkb, "rori", shift64(0x18, 5), immediate<rotate_right<U64>>),
    shift_by(kZbbOrZbkb, "roriw", shift32(0x30, 5), immediate<rotate_right<U32>>),
    of(kZbbOrZbkb, alu_one("rev8", op_imm(5), 0x6B8, of_one<reverse_bytes>)),

    of(Zbb, alu("min", op(0x05, 4), binary<[](U64 a, U64 b) { return as_signed(a) < as_signed(b) ? a : b; }>)),
    of(Zbb, alu("minu", op(0x05, 5), binary<[](U64 a, U64 b) { return a < b ? a : b; }>)),
    of(Zbb, alu("max", op(0x05, 6), binary<[](U64 a, U64 b) { return as_signed(a) < as_signed(b) ? b : a; }>)),
    of(Zbb, alu("maxu", op(0x05, 7), binary<[](U64 a, U64 b) { return a < b ? b : a; }>)),
    of(Zbb, alu_one("clz", op_imm(1), 0x600, of_one<leading_zeros<U64>>)),
    of(Zbb, alu_one("ctz", op_imm(1), 0x601, of_one<trailing_zeros<U64>>)),
    of(Zbb, alu_one("cpop", op_imm(1), 0x602, of_one<ones<U64>>)),
    of(Zbb, alu_one("clzw", op_imm32(1), 0x600, of_one<leading_zeros<U32>>)),
    of(Zbb, alu_one("ctzw", op_imm32(1), 0x601, of_one<trailing_zeros<U32>>)),
    of(Zbb, alu_one("cpopw", op_imm32(1), 0x602, of_one<ones<U32>>)),
    of(Zbb, alu_one("sext.b", op_imm(1), 0x604, of_one<sign_extended<std::int8_t>>)),
    of(Zbb, alu_one("sext.h", op_imm(1), 0x605, of_one<sign_extended<std::int16_t>>)),
    of(Zbb, alu_one("orc.b", op_imm(5), 0x287, of_one<or_bytes>)),
    // packw with x0, which Zbb has alone of packw.
    of(kZbbOrZbkb, row("zext.h", with_rs2(op32(0x04, 4), 0), Format::Unary, TimingClass::Alu, of_one<[](U64 a) { return a & 0xFFFF; }>)),

    of(Zbkb, alu("pack", op(0x04, 4), binary<[](U64 a, U64 b) { return low_word(a) | b << 32; }>)),
    of(Zbkb, alu("packh", op(0x04, 7), binary<[](U64 a, U64 b) { return (a & 0xFF) | (b & 0xFF) << 8; }>)),
    of(Zbkb, alu("packw", op32(0x04, 4), binary<[](U64 a, U64 b) { return word((a & 0xFFFF) | b << 16); }>)),
    of(Zbkb, alu_one("brev8", op_imm(5), 0x687, of_one<reverse_bits_of_bytes>)),
    of(Zbkx, alu("xperm4", op(0x14, 2), binary<permute<4>>)),
    of(Zbkx, alu("xperm8", op(0x14, 4), binary<permute<8>>)),

    product("clmul", kZbcOrZbkc, 1, binary<carry_less<0>>),
    product("clmulh", kZbcOrZbkc, 3, binary<carry_less<64>>),
    product("clmulr", Zbc, 2, binary<carry_less<63>>),

    of(Zbs, alu("bclr", op(0x24, 1), binary<clear_bit>)),
    of(Zbs, alu("bext", op(0x24, 5), binary<extract_bit>)),
    of(Zbs, alu("binv", op(0x34, 1), binary<invert_bit>)),
    of(Zbs, alu("bset", op(0x14, 1), binary<set_bit>)),
    shift_by(Zbs, "bclri", shift64(0x12, 1), immediate<clear_bit>),
    shift_by(Zbs, "bexti", shift64(0x12, 5), immediate<extract_bit>),
    shift_by(Zbs, "binvi", shift64(0x1A, 1), immediate<invert_bit>),
    shift_by(Zbs, "bseti", shift64(0x0A, 1), immediate<set_bit>),

    of(Zicond, alu("czero.eqz", op(0x07, 5), binary<[](U64 a, U64 b) { return b == 0 ? 0 : a; }>)),
    of(Zicond, alu("czero.nez", op(0x07, 7), binary<[](U64 a, U64 b) { return b == 0 ? a : 0; }>)),
};
// clang-format on

} // namespace

} // namespace operations::bits

std::span<const InstructionRow> bit_rows() {
    return operations::bits::kRows;
}

} // namespace pes

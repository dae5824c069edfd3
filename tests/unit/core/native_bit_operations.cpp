// SPDX-License-Identifier: Apache-2.0
// Zba, Zbb, Zbc, Zbs, Zicond and of Zbkb and Zbkx what they have beside these: a bit or a byte at a
// time, as the specification's own code has it.
#include "tests/unit/core/native_operations.h"

namespace pes::test::tables {
namespace {

U64 bit(U64 value, U64 number) {
    return value / (U64{1} << number) % 2;
}
/// The value whose bits `choose(n)` gives.
template <typename Choose>
U64 from_bits(unsigned width, Choose choose) {
    U64 value = 0;
    for (unsigned number = width; number != 0; --number) {
        value = 2 * value + choose(number - 1);
    }
    return value;
}
U64 rotate(U64 value, unsigned width, U64 right) {
    return from_bits(width, [&](unsigned n) { return bit(value, (n + right) % width); });
}
U64 zeros_above(U64 value, unsigned width) {
    U64 count = 0;
    while (count != width && bit(value, width - 1 - count) == 0) {
        ++count;
    }
    return count;
}
U64 zeros_below(U64 value, unsigned width) {
    U64 count = 0;
    while (count != width && bit(value, count) == 0) {
        ++count;
    }
    return count;
}
U64 ones(U64 value, unsigned width) {
    U64 count = 0;
    for (unsigned n = 0; n != width; ++n) {
        count += bit(value, n);
    }
    return count;
}
U64 byte(U64 value, unsigned number) {
    return value >> 8 * number & 0xFF;
}
template <typename Choose>
U64 from_bytes(Choose choose) {
    U64 value = 0;
    for (unsigned number = 8; number != 0; --number) {
        value = value << 8 | choose(number - 1);
    }
    return value;
}
/// Bit `n` of the product without carries.
U64 product_bit(U64 a, U64 b, unsigned n) {
    U64 sum = 0;
    for (unsigned i = 0; i != 64; ++i) {
        if (n >= i && n - i < 64) {
            sum += bit(b, i) * bit(a, n - i);
        }
    }
    return sum % 2;
}
U64 product(U64 a, U64 b, unsigned first) {
    return from_bits(64, [&](unsigned n) { return product_bit(a, b, n + first); });
}
U64 permuted(U64 table, U64 selectors, unsigned width) {
    const U64 mask = (U64{1} << width) - 1;
    U64 value = 0;
    for (unsigned place = 0; place < 64; place += width) {
        const U64 from = (selectors >> place & mask) * width;
        value |= (from < 64 ? table >> from & mask : 0) << place;
    }
    return value;
}

} // namespace

// clang-format off
void add_bits(std::vector<Operation>& to) {
    to.insert(to.end(), {
        {"sh1add", kOp, 2, 0x10, [](U64 a, U64 b) { return 2 * a + b; }},
        {"sh2add", kOp, 4, 0x10, [](U64 a, U64 b) { return 4 * a + b; }},
        {"sh3add", kOp, 6, 0x10, [](U64 a, U64 b) { return 8 * a + b; }},
        {"add_uw", kOp32, 0, 0x04, [](U64 a, U64 b) { return u32(a) + b; }},
        {"sh1add_uw", kOp32, 2, 0x10, [](U64 a, U64 b) { return 2 * U64{u32(a)} + b; }},
        {"sh2add_uw", kOp32, 4, 0x10, [](U64 a, U64 b) { return 4 * U64{u32(a)} + b; }},
        {"sh3add_uw", kOp32, 6, 0x10, [](U64 a, U64 b) { return 8 * U64{u32(a)} + b; }},
        {"andn", kOp, 7, 0x20, [](U64 a, U64 b) { return a & ~b; }},
        {"orn", kOp, 6, 0x20, [](U64 a, U64 b) { return a | ~b; }},
        {"xnor", kOp, 4, 0x20, [](U64 a, U64 b) { return ~(a ^ b); }},
        {"rol", kOp, 1, 0x30, [](U64 a, U64 b) { return rotate(a, 64, 64 - b % 64); }},
        {"ror", kOp, 5, 0x30, [](U64 a, U64 b) { return rotate(a, 64, b % 64); }},
        {"rolw", kOp32, 1, 0x30, [](U64 a, U64 b) { return extended(u32(rotate(a, 32, 32 - b % 32))); }},
        {"rorw", kOp32, 5, 0x30, [](U64 a, U64 b) { return extended(u32(rotate(a, 32, b % 32))); }},
        {"min", kOp, 4, 0x05, [](U64 a, U64 b) { return i64(a) < i64(b) ? a : b; }},
        {"minu", kOp, 5, 0x05, [](U64 a, U64 b) { return a < b ? a : b; }},
        {"max", kOp, 6, 0x05, [](U64 a, U64 b) { return i64(a) > i64(b) ? a : b; }},
        {"maxu", kOp, 7, 0x05, [](U64 a, U64 b) { return a > b ? a : b; }},
        {"clmul", kOp, 1, 0x05, [](U64 a, U64 b) { return product(a, b, 0); }},
        {"clmulr", kOp, 2, 0x05, [](U64 a, U64 b) { return product(a, b, 63); }},
        {"clmulh", kOp, 3, 0x05, [](U64 a, U64 b) { return product(a, b, 64); }},
        {"pack", kOp, 4, 0x04, [](U64 a, U64 b) { return U64{u32(a)} + (b << 32); }},
        {"packh", kOp, 7, 0x04, [](U64 a, U64 b) { return byte(a, 0) + 256 * byte(b, 0); }},
        {"packw", kOp32, 4, 0x04, [](U64 a, U64 b) { return extended(u32((a & 0xFFFF) + ((b & 0xFFFF) << 16))); }},
        {"xperm4", kOp, 2, 0x14, [](U64 a, U64 b) { return permuted(a, b, 4); }},
        {"xperm8", kOp, 4, 0x14, [](U64 a, U64 b) { return permuted(a, b, 8); }},
        {"bclr", kOp, 1, 0x24, [](U64 a, U64 b) { return a & ~(U64{1} << b % 64); }},
        {"bext", kOp, 5, 0x24, [](U64 a, U64 b) { return bit(a, b % 64); }},
        {"binv", kOp, 1, 0x34, [](U64 a, U64 b) { return a ^ (U64{1} << b % 64); }},
        {"bset", kOp, 1, 0x14, [](U64 a, U64 b) { return a | (U64{1} << b % 64); }},
        {"czero_eqz", kOp, 5, 0x07, [](U64 a, U64 b) { return b == 0 ? 0 : a; }},
        {"czero_nez", kOp, 7, 0x07, [](U64 a, U64 b) { return b != 0 ? 0 : a; }},
    });
}

void add_bits(std::vector<Immediate>& to) {
    to.insert(to.end(), {
        {"slli_uw", kOpImm32, 1, 0x080, 6, [](U64 a, I64 i) { return U64{u32(a)} << i; }},
        {"rori", kOpImm, 5, 0x600, 6, [](U64 a, I64 i) { return rotate(a, 64, static_cast<U64>(i)); }},
        {"roriw", kOpImm32, 5, 0x600, 5, [](U64 a, I64 i) { return extended(u32(rotate(a, 32, static_cast<U64>(i)))); }},
        {"bclri", kOpImm, 1, 0x480, 6, [](U64 a, I64 i) { return a & ~(U64{1} << i); }},
        {"bexti", kOpImm, 5, 0x480, 6, [](U64 a, I64 i) { return bit(a, static_cast<U64>(i)); }},
        {"binvi", kOpImm, 1, 0x680, 6, [](U64 a, I64 i) { return a ^ (U64{1} << i); }},
        {"bseti", kOpImm, 1, 0x280, 6, [](U64 a, I64 i) { return a | (U64{1} << i); }},
        {"clz", kOpImm, 1, 0x600, kNoImmediate, [](U64 a, I64) { return zeros_above(a, 64); }},
        {"ctz", kOpImm, 1, 0x601, kNoImmediate, [](U64 a, I64) { return zeros_below(a, 64); }},
        {"cpop", kOpImm, 1, 0x602, kNoImmediate, [](U64 a, I64) { return ones(a, 64); }},
        {"clzw", kOpImm32, 1, 0x600, kNoImmediate, [](U64 a, I64) { return zeros_above(u32(a), 32); }},
        {"ctzw", kOpImm32, 1, 0x601, kNoImmediate, [](U64 a, I64) { return zeros_below(u32(a), 32); }},
        {"cpopw", kOpImm32, 1, 0x602, kNoImmediate, [](U64 a, I64) { return ones(u32(a), 32); }},
        {"sext_b", kOpImm, 1, 0x604, kNoImmediate, [](U64 a, I64) { return extended(u32((byte(a, 0) ^ 0x80) - 0x80)); }},
        {"sext_h", kOpImm, 1, 0x605, kNoImmediate, [](U64 a, I64) { return extended(u32(((a & 0xFFFF) ^ 0x8000) - 0x8000)); }},
        {"zext_h", kOp32, 4, 0x080, kNoImmediate, [](U64 a, I64) { return a & 0xFFFF; }},
        {"rev8", kOpImm, 5, 0x6B8, kNoImmediate, [](U64 a, I64) { return from_bytes([a](unsigned n) { return byte(a, 7 - n); }); }},
        {"orc_b", kOpImm, 5, 0x287, kNoImmediate, [](U64 a, I64) { return from_bytes([a](unsigned n) { return byte(a, n) == 0 ? U64{0} : U64{0xFF}; }); }},
        {"brev8", kOpImm, 5, 0x687, kNoImmediate, [](U64 a, I64) { return from_bits(64, [a](unsigned n) { return bit(a, n / 8 * 8 + 7 - n % 8); }); }},
    });
}
// clang-format on

} // namespace pes::test::tables

// SPDX-License-Identifier: Apache-2.0
// RV64IM.
#include "tests/unit/core/native_operations.h"

#include <limits>

namespace pes::test {
namespace tables {
namespace {

__extension__ using I128 = __int128; // not ISO C++, hence the marker
__extension__ using U128 = unsigned __int128;

constexpr I64 kMinimum = std::numeric_limits<I64>::min();
constexpr I32 kWordMinimum = std::numeric_limits<I32>::min();

U64 quotient(U64 a, U64 b) {
    return b == 0                               ? ~U64{0}
           : i64(a) == kMinimum && i64(b) == -1 ? a
                                                : static_cast<U64>(i64(a) / i64(b));
}
U64 rest(U64 a, U64 b) {
    return b == 0 ? a : i64(a) == kMinimum && i64(b) == -1 ? 0 : static_cast<U64>(i64(a) % i64(b));
}
U64 word_quotient(U64 a, U64 b) {
    const bool overflow = i32(a) == kWordMinimum && i32(b) == -1;
    return i32(b) == 0 ? ~U64{0} : overflow ? extended(u32(a)) : static_cast<U64>(i32(a) / i32(b));
}
U64 word_rest(U64 a, U64 b) {
    const bool overflow = i32(a) == kWordMinimum && i32(b) == -1;
    return i32(b) == 0 ? extended(u32(a)) : overflow ? 0 : static_cast<U64>(i32(a) % i32(b));
}

const std::vector<Operation> kOperations{
    Operation{"add", kOp, 0, 0, [](U64 a, U64 b) { return a + b; }},
    Operation{"sub", kOp, 0, 0x20, [](U64 a, U64 b) { return a - b; }},
    Operation{"sll", kOp, 1, 0, [](U64 a, U64 b) { return a << b % 64; }},
    Operation{"slt", kOp, 2, 0, [](U64 a, U64 b) -> U64 { return i64(a) < i64(b) ? 1 : 0; }},
    Operation{"sltu", kOp, 3, 0, [](U64 a, U64 b) -> U64 { return a < b ? 1 : 0; }},
    Operation{"xor", kOp, 4, 0, [](U64 a, U64 b) { return a ^ b; }},
    Operation{"srl", kOp, 5, 0, [](U64 a, U64 b) { return a >> b % 64; }},
    Operation{"sra", kOp, 5, 0x20, [](U64 a, U64 b) { return static_cast<U64>(i64(a) >> b % 64); }},
    Operation{"or", kOp, 6, 0, [](U64 a, U64 b) { return a | b; }},
    Operation{"and", kOp, 7, 0, [](U64 a, U64 b) { return a & b; }},
    Operation{"addw", kOp32, 0, 0, [](U64 a, U64 b) { return extended(u32(a) + u32(b)); }},
    Operation{"subw", kOp32, 0, 0x20, [](U64 a, U64 b) { return extended(u32(a) - u32(b)); }},
    Operation{"sllw", kOp32, 1, 0, [](U64 a, U64 b) { return extended(u32(a) << b % 32); }},
    Operation{"srlw", kOp32, 5, 0, [](U64 a, U64 b) { return extended(u32(a) >> b % 32); }},
    Operation{"sraw", kOp32, 5, 0x20,
              [](U64 a, U64 b) { return static_cast<U64>(I64{i32(a) >> b % 32}); }},
    Operation{"mul", kOp, 0, 1, [](U64 a, U64 b) { return a * b; }},
    Operation{"mulh", kOp, 1, 1,
              [](U64 a, U64 b) { return static_cast<U64>(I128{i64(a)} * i64(b) >> 64); }},
    Operation{"mulhsu", kOp, 2, 1,
              [](U64 a, U64 b) { return static_cast<U64>(I128{i64(a)} * I128{b} >> 64); }},
    Operation{"mulhu", kOp, 3, 1, [](U64 a, U64 b) { return static_cast<U64>(U128{a} * b >> 64); }},
    Operation{"div", kOp, 4, 1, quotient},
    Operation{"divu", kOp, 5, 1, [](U64 a, U64 b) { return b == 0 ? ~U64{0} : a / b; }},
    Operation{"rem", kOp, 6, 1, rest},
    Operation{"remu", kOp, 7, 1, [](U64 a, U64 b) { return b == 0 ? a : a % b; }},
    Operation{"mulw", kOp32, 0, 1, [](U64 a, U64 b) { return extended(u32(a) * u32(b)); }},
    Operation{"divw", kOp32, 4, 1, word_quotient},
    Operation{"divuw", kOp32, 5, 1,
              [](U64 a, U64 b) { return u32(b) == 0 ? ~U64{0} : extended(u32(a) / u32(b)); }},
    Operation{"remw", kOp32, 6, 1, word_rest},
    Operation{"remuw", kOp32, 7, 1,
              [](U64 a, U64 b) { return extended(u32(b) == 0 ? u32(a) : u32(a) % u32(b)); }},
};

const std::vector<Immediate> kImmediates{
    Immediate{"addi", kOpImm, 0, 0, 0, [](U64 a, I64 i) { return a + static_cast<U64>(i); }},
    Immediate{"slti", kOpImm, 2, 0, 0, [](U64 a, I64 i) -> U64 { return i64(a) < i ? 1 : 0; }},
    Immediate{"sltiu", kOpImm, 3, 0, 0,
              [](U64 a, I64 i) -> U64 { return a < static_cast<U64>(i) ? 1 : 0; }},
    Immediate{"xori", kOpImm, 4, 0, 0, [](U64 a, I64 i) { return a ^ static_cast<U64>(i); }},
    Immediate{"ori", kOpImm, 6, 0, 0, [](U64 a, I64 i) { return a | static_cast<U64>(i); }},
    Immediate{"andi", kOpImm, 7, 0, 0, [](U64 a, I64 i) { return a & static_cast<U64>(i); }},
    Immediate{"addiw", kOpImm32, 0, 0, 0,
              [](U64 a, I64 i) { return extended(u32(a + static_cast<U64>(i))); }},
    Immediate{"slli", kOpImm, 1, 0, 6, [](U64 a, I64 i) { return a << i; }},
    Immediate{"srli", kOpImm, 5, 0, 6, [](U64 a, I64 i) { return a >> i; }},
    Immediate{"srai", kOpImm, 5, 0x400, 6,
              [](U64 a, I64 i) { return static_cast<U64>(i64(a) >> i); }},
    Immediate{"slliw", kOpImm32, 1, 0, 5, [](U64 a, I64 i) { return extended(u32(a) << i); }},
    Immediate{"srliw", kOpImm32, 5, 0, 5, [](U64 a, I64 i) { return extended(u32(a) >> i); }},
    Immediate{"sraiw", kOpImm32, 5, 0x400, 5,
              [](U64 a, I64 i) { return static_cast<U64>(I64{i32(a) >> i}); }},
};

} // namespace
} // namespace tables

const std::vector<Operation>& operations() {
    static const std::vector<Operation> all = [] {
        std::vector<Operation> rows = tables::kOperations;
        tables::add_bits(rows);
        tables::add_cryptography(rows);
        return rows;
    }();
    return all;
}

const std::vector<Immediate>& immediates() {
    static const std::vector<Immediate> all = [] {
        std::vector<Immediate> rows = tables::kImmediates;
        tables::add_bits(rows);
        tables::add_cryptography(rows);
        return rows;
    }();
    return all;
}

} // namespace pes::test

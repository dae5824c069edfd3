// SPDX-License-Identifier: Apache-2.0
// What instructions on integer registers compute: the specification as a function of each, written
// for tests.
#pragma once

#include "tests/unit/core/native_bench.h"

#include <cstdint>
#include <vector>

namespace pes::test {

using U64 = std::uint64_t;
using I64 = std::int64_t;
using U32 = std::uint32_t;
using I32 = std::int32_t;

/// Two sources.
struct Operation {
    const char* name;
    Word opcode, funct3, funct7;
    U64 (*result)(U64 a, U64 b);

    Word word(Reg rd, Reg rs1, Reg rs2) const {
        return r_type(opcode, funct3, funct7, rd, rs1, rs2);
    }
};
/// Of RV64IM, and of Zba, Zbb, Zbc, Zbkb, Zbkx, Zbs, Zicond, Zknd and Zkne.
const std::vector<Operation>& operations();

/// A source and an immediate.
struct Immediate {
    const char* name;
    Word opcode, funct3;
    Word more;           ///< bits of the immediate that belong to the code
    unsigned shift_bits; ///< of a shift amount; 0: any immediate; kNoImmediate: all belong to it
    U64 (*result)(U64 a, I64 immediate);

    Word word(Reg rd, Reg rs1, I32 imm) const {
        return i_type(opcode, funct3, rd, rs1, static_cast<I32>(more) | imm);
    }
};
inline constexpr unsigned kNoImmediate = 12;
const std::vector<Immediate>& immediates();

// What the files that make the tables have.
namespace tables {
inline constexpr Word kOp = 0x33, kOp32 = 0x3B, kOpImm = 0x13, kOpImm32 = 0x1B;

inline I64 i64(U64 value) {
    return static_cast<I64>(value);
}
inline I32 i32(U64 value) {
    return static_cast<I32>(value);
}
inline U32 u32(U64 value) {
    return static_cast<U32>(value);
}
/// A 32-bit result sign-extends.
inline U64 extended(U32 value) {
    return static_cast<U64>(I64{static_cast<I32>(value)});
}

void add_bits(std::vector<Operation>& to);
void add_bits(std::vector<Immediate>& to);
void add_cryptography(std::vector<Operation>& to);
void add_cryptography(std::vector<Immediate>& to);
} // namespace tables

} // namespace pes::test

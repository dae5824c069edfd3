// SPDX-License-Identifier: Apache-2.0
// Classes of instructions as a retirement port names them, for blocks that decode events by
// themselves. An instruction is in exactly one. Calls and returns are jumps: the destination
// register tells (hw/interface/pmu/pulse_sources.def).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

enum class RetireClass : std::uint8_t {
    None, ///< nothing retires
    Alu,
    Multiply,
    Divide,
    Branch, ///< conditional
    Jal,
    Jalr,
    Load,  ///< integer and floating-point
    Store, ///< likewise
    LoadReserved,
    StoreConditional,
    Amo,
    Csr,
    Fence,
    FenceI,
    SfenceVma,
    TrapReturn, ///< mret, sret
    Wfi,
    FpMove, ///< move, compare, minimum, maximum, sign-inject, classify
    FpConvert,
    FpArithmetic, ///< add, subtract, multiply, fused
    FpDivide,
    FpSquareRoot,
    Count_,
};
inline constexpr std::size_t kRetireClassCount = static_cast<std::size_t>(RetireClass::Count_);

/// Bits of the class and of the destination register on the pins of a port. Registers: 0 none or
/// x0, 1..31 x1..x31, 32..63 f0..f31.
inline constexpr unsigned kRetireClassBits = 5;
inline constexpr unsigned kRetireRegisterBits = 6;
static_assert(kRetireClassCount <= 1U << kRetireClassBits);

/// By RetireClass, for generated files and messages.
inline constexpr std::array<const char*, kRetireClassCount> kRetireClassNames{
    "None",   "Alu",       "Multiply",     "Divide",       "Branch",           "Jal",
    "Jalr",   "Load",      "Store",        "LoadReserved", "StoreConditional", "Amo",
    "Csr",    "Fence",     "FenceI",       "SfenceVma",    "TrapReturn",       "Wfi",
    "FpMove", "FpConvert", "FpArithmetic", "FpDivide",     "FpSquareRoot"};

} // namespace pes

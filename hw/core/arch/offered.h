// SPDX-License-Identifier: Apache-2.0
// Decode offers what it finds illegal to the coprocessor interface, as an instruction of integer
// registers, whatever its fields mean. [core/decoder.sv]
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/riscv/isa.h"

#include <cstdint>

namespace pes {

/// What mstatus.FS and frm let decode accept.
enum class FloatUse : std::uint8_t {
    All,
    StaticRounding, ///< frm holds a reserved rounding mode
    None,           ///< FS is Off
};

/// Whether decode refuses an instruction that it would accept with FloatUse::All.
constexpr bool refuses(FloatUse use, const Instruction& instruction) {
    if (use == FloatUse::All) [[likely]] {
        return false;
    }
    constexpr std::uint8_t kDynamic = 7;
    const bool computes = instruction.timing >= TimingClass::FpMove;
    if (use == FloatUse::StaticRounding) {
        return computes && instruction.timing != TimingClass::FpMove &&
               instruction.rounding == kDynamic;
    }
    const auto is_float = [](RegisterIndex index) {
        return index >= kFloatBase && index < kSinkRegister;
    };
    return computes || is_float(instruction.rd) || is_float(instruction.rs2);
}

/// The instruction as the coprocessor interface gets it; what executes it is left out.
Instruction offered(const Instruction& refused, const Isa& isa = kWholeIsa);

} // namespace pes

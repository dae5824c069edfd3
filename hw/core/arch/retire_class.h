// SPDX-License-Identifier: Apache-2.0
// The class of a retirement port for an instruction that retires.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/riscv/retire_class.h"

namespace pes {

constexpr RetireClass retire_class(TimingClass timing) {
    switch (timing) {
    case TimingClass::Alu:
        return RetireClass::Alu;
    case TimingClass::Multiply:
        return RetireClass::Multiply;
    case TimingClass::Divide:
        return RetireClass::Divide;
    case TimingClass::Branch:
        return RetireClass::Branch;
    case TimingClass::Jal:
        return RetireClass::Jal;
    case TimingClass::Jalr:
        return RetireClass::Jalr;
    case TimingClass::Load:
        return RetireClass::Load;
    case TimingClass::Store:
        return RetireClass::Store;
    case TimingClass::Amo:
        return RetireClass::Amo;
    case TimingClass::LoadReserved:
        return RetireClass::LoadReserved;
    case TimingClass::StoreConditional:
        return RetireClass::StoreConditional;
    case TimingClass::Csr:
    case TimingClass::CsrRefetch:
        return RetireClass::Csr;
    case TimingClass::Fence:
        return RetireClass::Fence;
    case TimingClass::FenceI:
        return RetireClass::FenceI;
    case TimingClass::SfenceVma:
        return RetireClass::SfenceVma;
    case TimingClass::TrapReturn:
        return RetireClass::TrapReturn;
    case TimingClass::Wfi:
        return RetireClass::Wfi;
    case TimingClass::FpMove:
        return RetireClass::FpMove;
    case TimingClass::FpConvert:
        return RetireClass::FpConvert;
    case TimingClass::FpSingle:
    case TimingClass::FpDouble:
        return RetireClass::FpArithmetic;
    case TimingClass::FpDivideSingle:
    case TimingClass::FpDivideDouble:
        return RetireClass::FpDivide;
    case TimingClass::FpSqrtSingle:
    case TimingClass::FpSqrtDouble:
        return RetireClass::FpSquareRoot;
    case TimingClass::Trap:
    case TimingClass::Illegal:
        break; // never retires
    }
    return RetireClass::None;
}

/// The destination as the pins have it.
constexpr std::uint8_t retire_register(RegisterIndex destination) {
    return destination == kSinkRegister ? std::uint8_t{0} : destination;
}

} // namespace pes

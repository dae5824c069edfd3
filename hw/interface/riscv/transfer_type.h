// SPDX-License-Identifier: Apache-2.0
// Types of control transfers with their numbers: itype of the RISC-V Efficient Trace specification,
// which the TYPE field of control transfer records (Smctr) uses too.
#pragma once

#include "hw/interface/riscv/instruction_class.h"

#include <cstdint>

namespace pes {

/// 6 and 7 are reserved.
enum class TransferType : std::uint8_t {
    None = 0,
    Exception = 1,
    Interrupt = 2,
    TrapReturn = 3,
    NotTakenBranch = 4,
    TakenBranch = 5,
    IndirectCall = 8,
    DirectCall = 9,
    IndirectJump = 10, ///< without linkage
    DirectJump = 11,
    CoroutineSwap = 12,
    FunctionReturn = 13,
    OtherIndirectJump = 14, ///< with linkage
    OtherDirectJump = 15,
};

/// Of an instruction that has retired; `taken` counts for a branch.
constexpr TransferType transfer_type(const InstructionFlow& flow, bool taken) {
    switch (flow.kind) {
    case FlowKind::Branch:
        return taken ? TransferType::TakenBranch : TransferType::NotTakenBranch;
    case FlowKind::DirectJump:
        if (flow.link == LinkUse::Call) {
            return TransferType::DirectCall;
        }
        return flow.links ? TransferType::OtherDirectJump : TransferType::DirectJump;
    case FlowKind::IndirectJump:
        switch (flow.link) {
        case LinkUse::Call:
            return TransferType::IndirectCall;
        case LinkUse::Return:
            return TransferType::FunctionReturn;
        case LinkUse::ReturnAndCall:
            return TransferType::CoroutineSwap;
        case LinkUse::None:
            break;
        }
        return flow.links ? TransferType::OtherIndirectJump : TransferType::IndirectJump;
    case FlowKind::TrapReturn:
        return TransferType::TrapReturn;
    case FlowKind::Sequential:
        break;
    }
    return TransferType::None;
}

} // namespace pes

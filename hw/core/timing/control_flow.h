// SPDX-License-Identifier: Apache-2.0
// What the frontend's scan sees of a jump or branch. It takes mret and sret for jumps to
// themselves, which keeps it from fetching behind them: the queue fills with copies until the
// return flushes it.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// x1 and x5 are the link registers (unprivileged specification, return-address prediction hints).
constexpr bool is_link(RegisterIndex index) {
    return index == 1 || index == 5;
}

constexpr bool is_control_flow(TimingClass timing) {
    return timing == TimingClass::Branch || timing == TimingClass::Jal ||
           timing == TimingClass::Jalr || timing == TimingClass::TrapReturn;
}

/// The scan takes c.ebreak for c.jalr. [core/frontend/instr_scan.sv]
constexpr bool scans_as_jump(const Instruction& instruction) {
    constexpr std::uint32_t kCompressedBreak = 0x9002;
    return is_control_flow(instruction.timing) || instruction.raw == kCompressedBreak;
}

struct ControlFlow {
    enum class Kind : std::uint8_t { None, Branch, Jump, Indirect, Return };
    enum class Link : std::uint8_t { None, Call };

    Address pc = 0;
    std::int32_t offset = 0; ///< of a branch or direct jump
    Kind kind = Kind::None;
    Link link = Link::None;
    std::uint8_t length = 0;

    Address next() const { return pc + length; }
    Address target() const { return pc + static_cast<Address>(std::int64_t{offset}); }

    static ControlFlow of(const Instruction& instruction, Address pc) {
        ControlFlow flow{.pc = pc,
                         .offset = static_cast<std::int32_t>(instruction.imm),
                         .kind = Kind::Branch,
                         .length = instruction.length};
        if (instruction.timing == TimingClass::Branch) {
            return flow;
        }
        if (instruction.timing == TimingClass::TrapReturn) {
            flow.kind = Kind::Jump;
            flow.offset = 0;
            return flow;
        }
        if (!is_control_flow(instruction.timing)) { // see scans_as_jump()
            flow.kind = Kind::Indirect;
            flow.link = Link::Call;
            return flow;
        }
        flow.link = is_link(instruction.rd) ? Link::Call : Link::None;
        if (instruction.timing == TimingClass::Jal) {
            flow.kind = Kind::Jump;
        } else {
            const bool returns = is_link(instruction.rs1) && instruction.rs1 != instruction.rd;
            flow.kind = returns ? Kind::Return : Kind::Indirect;
        }
        return flow;
    }
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// A jump or branch as the frontend's scan sees it. The scan treats mret and sret as jumps to
// themselves, so that nothing after them is fetched: the queue fills with copies until the return
// flushes it.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/core/timing/frontend/fetch_queue.h"
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

/// The scan looks at few bits: it takes illegal instructions with the opcode of a branch or jalr
/// for those, c.ebreak for c.jalr, and c.jr x0, which is reserved, for c.jr. It knows no returns
/// among c.jalr. [core/frontend/instr_scan.sv]
constexpr bool has_branch_opcode(std::uint32_t raw) {
    return (raw & 0x7F) == 0x63;
}
constexpr bool has_jalr_opcode(std::uint32_t raw) {
    return (raw & 0x7F) == 0x67;
}
inline constexpr std::uint32_t kCompressedBreak = 0x9002, kCompressedJumpToX0 = 0x8002;
constexpr bool scans_as_jump(const Instruction& instruction) {
    return is_control_flow(instruction.timing) || has_branch_opcode(instruction.raw) ||
           has_jalr_opcode(instruction.raw) || instruction.raw == kCompressedBreak ||
           instruction.raw == kCompressedJumpToX0;
}

/// Offset of the B format.
constexpr std::int32_t branch_offset(std::uint32_t raw) {
    const std::uint32_t offset = (raw >> 31) << 12 | (raw >> 7 & 1U) << 11 |
                                 (raw >> 25 & 0x3FU) << 5 | (raw >> 8 & 0xFU) << 1;
    return static_cast<std::int32_t>(offset << 19) >> 19;
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

    /// The cycle whose predictor it gets, when it is scanned in `scan`. For one that lies in two
    /// fetch words, the prediction of the first word is kept as the second one arrives.
    /// [core/frontend/frontend.sv: btb_q, bht_q]
    Cycle predicted_in(Cycle scan) const {
        const FetchQueue::Words words = FetchQueue::words_of(pc, length);
        return scan - (words.two() ? 1 : 0);
    }

    /// Of a conditional branch.
    static ControlFlow of_branch(const Instruction& instruction, Address pc) {
        return {.pc = pc,
                .offset = static_cast<std::int32_t>(instruction.imm),
                .kind = Kind::Branch,
                .length = instruction.length};
    }

    static ControlFlow of(const Instruction& instruction, Address pc) {
        ControlFlow flow = of_branch(instruction, pc);
        if (instruction.timing == TimingClass::Branch) {
            return flow;
        }
        if (instruction.timing == TimingClass::TrapReturn) {
            flow.kind = Kind::Jump;
            flow.offset = 0;
            return flow;
        }
        if (!is_control_flow(instruction.timing)) { // see scans_as_jump()
            flow.scan_illegal(instruction.raw);
            return flow;
        }
        flow.link = is_link(instruction.rd) ? Link::Call : Link::None;
        if (instruction.timing == TimingClass::Jal) {
            flow.kind = Kind::Jump;
        } else {
            const bool short_call = instruction.length == 2 && flow.link == Link::Call;
            flow.kind =
                short_call ? Kind::Indirect : through_register(instruction.rs1, instruction.rd);
        }
        return flow;
    }

  private:
    static constexpr Kind through_register(RegisterIndex rs1, RegisterIndex rd) {
        return is_link(rs1) && rs1 != rd ? Kind::Return : Kind::Indirect;
    }
    void scan_illegal(std::uint32_t raw) {
        if (has_branch_opcode(raw)) {
            offset = branch_offset(raw);
        } else if (has_jalr_opcode(raw)) {
            const auto rd = static_cast<RegisterIndex>(raw >> 7 & 31);
            kind = through_register(static_cast<RegisterIndex>(raw >> 15 & 31), rd);
            link = is_link(rd) ? Link::Call : Link::None;
        } else {
            kind = Kind::Indirect;
            link = raw == kCompressedBreak ? Link::Call : Link::None;
        }
    }
};

} // namespace pes

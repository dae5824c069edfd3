// SPDX-License-Identifier: Apache-2.0
// What a RISC-V instruction does to the flow of control, from its word alone. Written once: the
// encoder decides with it what a message has to say, the decoder what it may leave out.
//
// Chapters of the unprivileged specification: "Conditional Branches", "Unconditional Jumps" (with
// its table of return-address-stack hints) and "Control Transfer Instructions" of the C extension;
// of the privileged one: "Trap-Return Instructions"; of the debug specification: dret.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// Width of the integer registers.
enum class Xlen : std::uint8_t { Rv32 = 32, Rv64 = 64 };

enum class FlowKind : std::uint8_t {
    Sequential,   ///< continues with the next instruction; ECALL, EBREAK and WFI too
    Branch,       ///< conditional: continues with the next instruction or at its target
    DirectJump,   ///< JAL and its compressed form: always goes to its target
    IndirectJump, ///< JALR and its compressed forms: the target is in a register
    TrapReturn,   ///< MRET, SRET, DRET: the target is in a CSR
};

/// What the hints say about a return-address stack; link registers are x1 and x5.
enum class LinkUse : std::uint8_t {
    None,
    Call,         ///< push
    Return,       ///< pop
    ReturnAndCall ///< pop, then push: a jump between coroutines
};

struct InstructionFlow {
    FlowKind kind = FlowKind::Sequential;
    LinkUse link = LinkUse::None;
    std::uint8_t length = 4;
    bool links : 1 = false;    ///< a jump that writes the address behind it, to any register but x0
    bool constant : 1 = false; ///< of IndirectJump: its register is x0, so its target is `offset`
    std::int32_t offset = 0;   ///< of the target from the instruction; Branch and DirectJump

    bool operator==(const InstructionFlow&) const = default;

    /// The program says where it goes: a decoder needs to be told nothing but "taken".
    constexpr bool inferable() const {
        return kind == FlowKind::Branch || kind == FlowKind::DirectJump;
    }
    constexpr bool is_call() const {
        return link == LinkUse::Call || link == LinkUse::ReturnAndCall;
    }
    constexpr bool is_return() const {
        return link == LinkUse::Return || link == LinkUse::ReturnAndCall;
    }
    constexpr Address target(Address pc) const {
        return pc + static_cast<Address>(static_cast<std::int64_t>(offset));
    }
};

/// Bytes, from the lowest bits of the word.
constexpr unsigned instruction_length(std::uint32_t raw) {
    return (raw & 3) == 3 ? 4 : 2;
}

namespace instruction_class_detail {

constexpr std::uint32_t bits(std::uint32_t raw, unsigned high, unsigned low) {
    return raw >> low & ((1U << (high - low + 1)) - 1);
}

/// The lowest `width` bits as a signed number.
constexpr std::int32_t sign_extend(std::uint32_t value, unsigned width) {
    const unsigned unused = 32 - width;
    return static_cast<std::int32_t>(value << unused) >> unused;
}

constexpr bool is_link(std::uint32_t index) {
    return index == 1 || index == 5;
}

/// The table of hints for JALR.
constexpr LinkUse link_use(std::uint32_t rd, std::uint32_t rs1) {
    if (!is_link(rd)) {
        return is_link(rs1) ? LinkUse::Return : LinkUse::None;
    }
    return is_link(rs1) && rs1 != rd ? LinkUse::ReturnAndCall : LinkUse::Call;
}

constexpr std::int32_t branch_offset(std::uint32_t raw) { // B-immediate
    return sign_extend(bits(raw, 31, 31) << 12 | bits(raw, 7, 7) << 11 | bits(raw, 30, 25) << 5 |
                           bits(raw, 11, 8) << 1,
                       13);
}

constexpr std::int32_t jump_offset(std::uint32_t raw) { // J-immediate
    return sign_extend(bits(raw, 31, 31) << 20 | bits(raw, 19, 12) << 12 | bits(raw, 20, 20) << 11 |
                           bits(raw, 30, 21) << 1,
                       21);
}

constexpr std::int32_t compressed_branch_offset(std::uint32_t raw) { // CB format
    return sign_extend(bits(raw, 12, 12) << 8 | bits(raw, 6, 5) << 6 | bits(raw, 2, 2) << 5 |
                           bits(raw, 11, 10) << 3 | bits(raw, 4, 3) << 1,
                       9);
}

constexpr std::int32_t compressed_jump_offset(std::uint32_t raw) { // CJ format
    return sign_extend(bits(raw, 12, 12) << 11 | bits(raw, 8, 8) << 10 | bits(raw, 10, 9) << 8 |
                           bits(raw, 6, 6) << 7 | bits(raw, 7, 7) << 6 | bits(raw, 2, 2) << 5 |
                           bits(raw, 11, 11) << 4 | bits(raw, 5, 3) << 1,
                       12);
}

constexpr InstructionFlow classify_compressed(std::uint32_t raw, Xlen xlen) {
    InstructionFlow flow{.length = 2};
    const std::uint32_t function = bits(raw, 15, 13);
    const bool calls = xlen == Xlen::Rv32 && function == 1; // C.JAL; C.ADDIW on RV64
    if ((raw & 3) == 1 && (function == 5 || calls)) {       // C.J
        flow.kind = FlowKind::DirectJump;
        flow.link = calls ? LinkUse::Call : LinkUse::None;
        flow.links = calls;
        flow.offset = compressed_jump_offset(raw);
    } else if ((raw & 3) == 1 && function >= 6) { // C.BEQZ, C.BNEZ
        flow.kind = FlowKind::Branch;
        flow.offset = compressed_branch_offset(raw);
    } else if ((raw & 3) == 2 && function == 4 && bits(raw, 6, 2) == 0 && bits(raw, 11, 7) != 0) {
        flow.kind = FlowKind::IndirectJump; // C.JR, C.JALR (without rs1: reserved, C.EBREAK)
        flow.link = link_use(bits(raw, 12, 12), bits(raw, 11, 7));
        flow.links = bits(raw, 12, 12) != 0;
    }
    return flow;
}

constexpr InstructionFlow classify_long(std::uint32_t raw) {
    constexpr std::uint32_t kMret = 0x30200073;
    constexpr std::uint32_t kSret = 0x10200073;
    constexpr std::uint32_t kDret = 0x7B200073;
    InstructionFlow flow{.length = 4};
    const std::uint32_t rd = bits(raw, 11, 7);
    switch (raw & 0x7F) {
    case 0x63: // BRANCH
        flow.kind = FlowKind::Branch;
        flow.offset = branch_offset(raw);
        break;
    case 0x6F: // JAL
        flow.kind = FlowKind::DirectJump;
        flow.link = is_link(rd) ? LinkUse::Call : LinkUse::None;
        flow.links = rd != 0;
        flow.offset = jump_offset(raw);
        break;
    case 0x67: // JALR
        flow.kind = FlowKind::IndirectJump;
        flow.link = link_use(rd, bits(raw, 19, 15));
        flow.links = rd != 0;
        flow.constant = bits(raw, 19, 15) == 0;
        flow.offset = flow.constant ? sign_extend(bits(raw, 31, 20), 12) : 0;
        break;
    case 0x73: // SYSTEM
        if (raw == kMret || raw == kSret || raw == kDret) {
            flow.kind = FlowKind::TrapReturn;
        }
        break;
    default:
        break;
    }
    return flow;
}

} // namespace instruction_class_detail

/// `raw`: the instruction word; of a compressed one the low 16 bits count. Words that are no
/// instruction are Sequential.
constexpr InstructionFlow classify_flow(std::uint32_t raw, Xlen xlen = Xlen::Rv64) {
    return (raw & 3) == 3 ? instruction_class_detail::classify_long(raw)
                          : instruction_class_detail::classify_compressed(raw & 0xFFFF, xlen);
}

/// RV64. False for most instructions that are Sequential, and never for others: two tests instead
/// of a classification, for those who look at every instruction.
constexpr bool may_leave_sequence(std::uint32_t raw) {
    // Opcodes 0x63, 0x67, 0x6F, 0x73 are 11'0xx11 or 11'10011; C.J, C.BEQZ, C.BNEZ have quadrant 1
    // and functions 5 to 7; C.JR and C.JALR quadrant 2 and function 4.
    if ((raw & 3) == 3) {
        return (raw & 0x60) == 0x60;
    }
    const std::uint32_t key = (raw & 3) << 3 | instruction_class_detail::bits(raw, 15, 13);
    constexpr std::uint32_t kKeys =
        1U << (1 << 3 | 5) | 1U << (1 << 3 | 6) | 1U << (1 << 3 | 7) | 1U << (2 << 3 | 4);
    return (kKeys >> key & 1) != 0;
}

} // namespace pes

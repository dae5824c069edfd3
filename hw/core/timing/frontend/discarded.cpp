// SPDX-License-Identifier: Apache-2.0
// Register values on the wrong path, as far as they are known without executing it.
#include "hw/core/timing/frontend/discarded.h"

namespace pes {

namespace {

/// Whether a conditional branch is taken.
bool branches(std::uint32_t raw, std::uint64_t one, std::uint64_t other) {
    constexpr std::uint32_t kFullLength = 3;
    constexpr std::uint32_t kInverts = 1; ///< bit 0 of funct3, in both lengths bne, bge, bgeu
    const bool compressed = (raw & kFullLength) != kFullLength;
    const std::uint32_t function = compressed ? raw >> 13 & kInverts : raw >> 12 & 7;
    bool holds = one == other;
    if ((function & 4) != 0) {
        holds = (function & 2) != 0
                    ? one < other
                    : static_cast<std::int64_t>(one) < static_cast<std::int64_t>(other);
    }
    return holds != ((function & kInverts) != 0);
}

/// addi, c.addi, c.li.
bool adds_immediate(std::uint32_t raw) {
    return (raw & 0x707F) == 0x13 || (raw & 0xA003) == 0x0001;
}
bool loads_upper(std::uint32_t raw) {
    return (raw & 0x7F) == 0x37;
}
bool adds_to_pc(std::uint32_t raw) {
    return (raw & 0x7F) == 0x17;
}

} // namespace

DiscardedInstructions::Written DiscardedInstructions::written(RegisterIndex index) const {
    for (std::size_t age = count_; age != 0; --age) {
        if (issued_[age - 1].rd == index) {
            return issued_[age - 1].leaves;
        }
    }
    return {.written = false, .known = false, .value = 0};
}

std::optional<std::uint64_t> DiscardedInstructions::known_value(RegisterIndex index) const {
    if (index == kNoRegister) {
        return 0;
    }
    if (const Written last = written(index); last.written || index == registers_.pending) {
        return last.known ? std::optional(last.value) : std::nullopt;
    }
    registers_.tables.spoil_tape(); // see CodeReader::integer_register()
    return index < kFloatBase ? registers_.reader.integer_register(index) : std::nullopt;
}

std::optional<std::uint64_t> DiscardedInstructions::written_value(const Instruction& instruction,
                                                                  Address pc) const {
    if (instruction.timing == TimingClass::Jal || instruction.timing == TimingClass::Jalr) {
        return pc + instruction.length;
    }
    if (instruction.timing != TimingClass::Alu) {
        return std::nullopt;
    }
    const auto immediate = static_cast<std::uint64_t>(instruction.imm);
    if (loads_upper(instruction.raw)) {
        return immediate;
    }
    if (adds_to_pc(instruction.raw)) {
        return pc + immediate;
    }
    const auto value =
        adds_immediate(instruction.raw) ? known_value(instruction.rs1) : std::nullopt;
    return value ? std::optional(*value + immediate) : std::nullopt;
}

std::optional<DiscardedInstructions::Outcome>
DiscardedInstructions::resolved(const Instruction& instruction, const ControlFlow& flow) const {
    const auto one = known_value(instruction.rs1);
    const auto other = known_value(instruction.rs2);
    switch (flow.kind) {
    case ControlFlow::Kind::Branch:
        if (one && other) {
            const bool taken = branches(instruction.raw, *one, *other);
            return Outcome{.next = taken ? flow.target() : flow.next(), .taken = taken};
        }
        break;
    case ControlFlow::Kind::Indirect:
    case ControlFlow::Kind::Return:
        if (one) {
            const Address sum = *one + static_cast<Address>(instruction.imm);
            return Outcome{.next = sum & ~Address{1}, .taken = true};
        }
        break;
    default:
        break;
    }
    return std::nullopt;
}

} // namespace pes

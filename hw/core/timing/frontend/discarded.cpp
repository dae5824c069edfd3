// SPDX-License-Identifier: Apache-2.0
// Register values on the wrong path, as far as they are known without executing it.
#include "hw/core/timing/frontend/discarded.h"

#include <algorithm>
#include <span>

namespace pes {

namespace {

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
            const Issued& last = issued_[age - 1];
            return {.written = true,
                    .known = last.known,
                    .value = {.base = last.base, .offset = last.offset}};
        }
    }
    return {.written = false, .known = false, .value = {}};
}

std::optional<RegisterValue> DiscardedInstructions::known_value(RegisterIndex index) const {
    if (index == kNoRegister) {
        return RegisterValue{};
    }
    if (const Written last = written(index); last.written || index == registers_.pending) {
        return last.known ? std::optional(last.value) : std::nullopt;
    }
    const bool known = index < kFloatBase && registers_.reader.integer_register(index).has_value();
    return known ? std::optional(RegisterValue{.base = index}) : std::nullopt;
}

std::optional<RegisterValue>
DiscardedInstructions::second_operand(const Instruction& instruction) const {
    switch (instruction.timing) {
    case TimingClass::Load:
        return RegisterValue{.offset = static_cast<std::uint64_t>(instruction.imm)};
    case TimingClass::Alu:
        return instruction.rs2 == kNoRegister
                   ? RegisterValue{.offset = static_cast<std::uint64_t>(instruction.imm)}
                   : known_value(instruction.rs2);
    case TimingClass::Branch:
    case TimingClass::Store:
    case TimingClass::Multiply:
    case TimingClass::Divide:
        return known_value(instruction.rs2);
    default:
        return std::nullopt;
    }
}

void DiscardedInstructions::passes_on(const std::optional<RegisterValue>& value) {
    const RegisterValue left = value.value_or(RegisterValue());
    issued_.front().known = value.has_value();
    issued_.front().base = left.base;
    issued_.front().offset = left.offset;
}

std::optional<RegisterValue> DiscardedInstructions::written_value(const Instruction& instruction,
                                                                  Address pc) const {
    if (instruction.timing == TimingClass::Jal || instruction.timing == TimingClass::Jalr) {
        return RegisterValue{.offset = pc + instruction.length};
    }
    if (instruction.timing != TimingClass::Alu) {
        return std::nullopt;
    }
    const auto immediate = static_cast<std::uint64_t>(instruction.imm);
    if (loads_upper(instruction.raw)) {
        return RegisterValue{.offset = immediate};
    }
    if (adds_to_pc(instruction.raw)) {
        return RegisterValue{.offset = pc + immediate};
    }
    const auto value =
        adds_immediate(instruction.raw) ? known_value(instruction.rs1) : std::nullopt;
    return value ? std::optional(value->plus(immediate)) : std::nullopt;
}

std::optional<DiscardedInstructions::Outcome>
DiscardedInstructions::resolved(const Instruction& instruction, const ControlFlow& flow) const {
    const auto one = known_value(instruction.rs1);
    const auto other = known_value(instruction.rs2);
    switch (flow.kind) {
    case ControlFlow::Kind::Branch:
        if (one && other) {
            const unsigned function = branch_function(instruction.raw);
            const bool taken = branches(function, number(*one), number(*other));
            registers_.tables.branch_taken({*one, *other, function}, taken);
            return Outcome{.next = taken ? flow.target() : flow.next(), .taken = taken};
        }
        break;
    case ControlFlow::Kind::Indirect:
    case ControlFlow::Kind::Return:
        if (one) {
            const RegisterValue sum = one->plus(static_cast<std::uint64_t>(instruction.imm));
            registers_.tables.register_value(sum, number(sum));
            return Outcome{.next = number(sum) & ~Address{1}, .taken = true};
        }
        break;
    default:
        break;
    }
    return std::nullopt;
}

bool DiscardedInstructions::conflicts(const RegisterValue& load) const {
    const auto meets = [&](const RegisterValue& store) {
        const bool same = same_word(number(load), number(store));
        registers_.tables.same_word(load, store, same);
        return same;
    };
    return std::ranges::any_of(std::span(stores_).first(std::min(store_count_, stores_.size())),
                               meets);
}

} // namespace pes

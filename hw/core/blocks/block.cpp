// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block.h"

#include "hw/core/arch/decode.h"
#include "hw/core/timing/frontend/control_flow.h"

namespace pes {

namespace {

/// The maximum number of pulses of the source by the instruction; kUncounted: no bound.
std::uint8_t most_of(const Instruction& instruction, Event source) {
    const bool branch = instruction.timing == TimingClass::Branch;
    switch (source_row(source).bound) {
    case BlockBound::Never:
        return 0;
    case BlockBound::Retired:
        return instruction.commit_events.has(source) ? 1 : 0;
    case BlockBound::PerLoad:
        return instruction.timing == TimingClass::Load ? 1 : 0;
    case BlockBound::PerControlFlow:
        return is_control_flow(instruction.timing) ? 1 : 0;
    case BlockBound::PerBranch:
        return branch ? 1 : 0;
    case BlockBound::PerJump:
        return is_control_flow(instruction.timing) && !branch ? 1 : 0;
    case BlockBound::Timed:
        break;
    }
    return Block::kUncounted;
}

void count_most(Block& block, const Instruction& instruction) {
    for (std::size_t source = 1; source < kEventCount; ++source) {
        const std::uint8_t more = most_of(instruction, static_cast<Event>(source));
        block.most[source] = more == Block::kUncounted
                                 ? Block::kUncounted
                                 : static_cast<std::uint8_t>(block.most[source] + more);
    }
}

} // namespace

void append(NewBlock& draft, const Instruction& instruction, Address pc) {
    Block& block = draft.block;
    constexpr std::uint32_t kOpcode = 0x7F, kAuipc = 0x17, kLui = 0x37;
    count_most(block, instruction);
    block.long_instructions |= std::uint32_t{instruction.length == 4} << draft.size();
    Instruction& own = draft.instructions.emplace_back(instruction);
    const Handler constant = decode(kLui).execute;
    if (instruction.length == 4 && (instruction.raw & kOpcode) == kAuipc &&
        own.execute != constant) {
        own.execute = constant;
        own.imm += static_cast<std::int64_t>(pc);
    }
    if (own.role == BlockRole::LastSystem || own.role == BlockRole::Alone) {
        block.system = true;
        block.most.fill(Block::kUncounted); // what it throws away pulses, too
    }
    block.reserves = own.timing == TimingClass::LoadReserved;
    block.ends = own.role != BlockRole::Inside;
    block.last_pc = pc;
    block.end = pc + instruction.length;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block.h"

#include "hw/core/arch/decode.h"
#include "hw/core/timing/frontend/control_flow.h"
#include "hw/core/timing/tables/write_pieces.h"

namespace pes {

namespace {

/// An upper bound of the cycles by which one instruction can delay the following ones. Every wait
/// ends at the latest cycle of the state before the instruction, so only what it adds itself
/// counts. How long an LR waits behind an SC that failed, its block's `reserves` tells. A miss in
/// L1I is added once per line.
Cycle most_added(const Instruction& instruction, const TimingConfig& config) {
    constexpr Cycle kSpare = 4;
    const Cycle fetch = config.lookup_cycles + config.queue_cycles;
    switch (instruction.timing) {
    case TimingClass::Alu:
        return fetch + config.latency.alu + kSpare;
    case TimingClass::Divide:
        return fetch + config.latency.divide + 64 + kSpare;
    case TimingClass::Branch:
    case TimingClass::Jal:
    case TimingClass::Jalr: // with a miss of the wrong path
        return 2 * fetch + config.miss_cycles() + kSpare;
    case TimingClass::Load:
        return fetch + config.load_hit_cycles + config.miss_cycles() +
               config.store_conflict_cycles + kSpare;
    case TimingClass::Store: {
        const Cycle pieces = instruction.memory_size == 8 ? 1 : kMostPieces;
        return fetch +
               pieces *
                   (config.write_interval + config.write_return_cycles + config.memory_latency) +
               kSpare;
    }
    case TimingClass::FpDivideSingle:
    case TimingClass::FpSqrtSingle:
    case TimingClass::FpDivideDouble:
    case TimingClass::FpSqrtDouble:
        return fetch + config.latency.fp_divide_double + config.latency.fp_sqrt_double + kSpare;
    case TimingClass::Amo:
    case TimingClass::LoadReserved:
    case TimingClass::StoreConditional:
    case TimingClass::CsrRefetch:
    case TimingClass::Fence:
    case TimingClass::FenceI:
    case TimingClass::SfenceVma: {
        // Loads behind it, which are thrown away, may go to memory first, and a fetch after.
        const Cycle load = config.load_hit_cycles + config.miss_cycles() + config.read_interval +
                           config.store_conflict_cycles;
        const Cycle own = config.amo_cycles + config.amo_interval + config.memory_latency;
        return 2 * fetch + config.scoreboard_entries * load + config.miss_cycles() + own +
               config.fence_i_cycles + kSpare;
    }
    default:
        return fetch + config.latency.fp_double + kSpare;
    }
}

/// Cycles that the instruction at `pc` adds after one that ends before `end`; `end` is 0 for the
/// first.
Cycle most_added_at(Address pc, Address end, const Instruction& instruction,
                    const TimingConfig& config) {
    const Address line = config.l1i.line_bytes;
    const Address last = pc + instruction.length - 1;
    const Address new_lines =
        end == 0 ? last / line - pc / line + 1 : last / line - (end - 1) / line;
    return most_added(instruction, config) + new_lines * config.miss_cycles();
}

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

Cycle most_of_walk(const TimingConfig& config) {
    constexpr Cycle kReads = 3;
    return config.walk_setup_cycles +
           kReads * (config.walk_read_cycles + config.miss_cycles() + config.read_interval) +
           config.write_interval + config.write_return_cycles + config.memory_latency;
}

std::size_t most_within(const Block& block, Cycle room, const TimingConfig& config) {
    Address pc = block.pc;
    Address end = 0;
    Cycle added = 0;
    for (std::size_t count = 0; count < block.size(); ++count) {
        const Instruction& instruction = block.instructions[count];
        added += most_added_at(pc, end, instruction, config);
        if (added >= room) {
            return count;
        }
        pc += instruction.length;
        end = pc;
    }
    return block.size();
}

void append(NewBlock& draft, const Instruction& instruction, Address pc,
            const TimingConfig& config) {
    Block& block = draft.block;
    constexpr std::uint32_t kOpcode = 0x7F, kAuipc = 0x17, kLui = 0x37;
    block.longest += most_added_at(pc, block.end, instruction, config);
    count_most(block, instruction);
    block.long_instructions |= std::uint32_t{instruction.length == 4} << draft.size();
    Instruction& own = draft.instructions.emplace_back(instruction);
    const Handler constant = decode(kLui).execute;
    if (instruction.length == 4 && (instruction.raw & kOpcode) == kAuipc &&
        own.execute != constant) {
        own.execute = constant;
        own.imm += static_cast<std::int64_t>(pc);
    }
    if (own.role == BlockRole::LastSystem) {
        block.system = true;
        block.most.fill(Block::kUncounted); // what it throws away pulses, too
    }
    block.reserves = own.timing == TimingClass::LoadReserved;
    block.ends = own.role != BlockRole::Inside;
    block.last_pc = pc;
    block.end = pc + instruction.length;
}

} // namespace pes

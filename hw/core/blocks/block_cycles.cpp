// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/block_cycles.h"

#include "hw/core/timing/tables/write_pieces.h"

#include <algorithm>
#include <bit>
#include <span>

namespace pes {

namespace {

constexpr Cycle kSpare = 4;

Cycle fetch_cycles(const TimingConfig& config) {
    return config.lookup_cycles + config.queue_cycles;
}

/// Decode and issue of an instruction that nothing holds up. A queue that holds less than what
/// arrives during two fetches can run empty at each instruction.
Cycle in_turn(const TimingConfig& config) {
    const Cycle fetch = fetch_cycles(config);
    return 2 + (config.queue_entries < 2 * fetch ? fetch : 0);
}

/// A load that misses, from its issue to its result.
Cycle load_cycles(const TimingConfig& config) {
    return config.load_hit_cycles + config.load_pipe_registers + config.miss_cycles() +
           config.store_conflict_cycles;
}

/// What one instruction adds if those behind it wait for it. A miss in L1I is added once per line.
Cycle most_added(const Instruction& instruction, const TimingConfig& config) {
    const Cycle fetch = fetch_cycles(config);
    switch (instruction.timing) {
    case TimingClass::Alu:
        return config.latency.alu + 1;
    case TimingClass::Divide:
        return fetch + config.latency.divide + 64 + kSpare;
    case TimingClass::Branch:
    case TimingClass::Jal:
    case TimingClass::Jalr: // with a miss of the wrong path
        return 2 * fetch + config.miss_cycles() + kSpare;
    case TimingClass::Load:
        return fetch + load_cycles(config) + kSpare;
    case TimingClass::Store: {
        const Cycle pieces = instruction.memory_size == 8 ? 1 : kMostPieces;
        return fetch +
               pieces *
                   (config.write_interval + config.write_return_cycles + config.memory_latency) +
               config.store_pipe_registers + kSpare;
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
        const Cycle load = load_cycles(config) + config.read_interval;
        const Cycle own = config.amo_cycles + config.amo_interval + config.memory_latency +
                          config.store_pipe_registers;
        return 2 * fetch + config.scoreboard_entries * load + config.miss_cycles() + own +
               config.fence_i_cycles + kSpare;
    }
    default:
        return fetch + config.latency.fp_double + kSpare;
    }
}

bool is_access(const Instruction& instruction) {
    return instruction.timing == TimingClass::Load || instruction.timing == TimingClass::Store;
}

/// Units that take an instruction whatever is in flight, and let it retire in its turn.
bool is_independent(TimingClass timing) {
    return timing == TimingClass::Alu || timing == TimingClass::Multiply || is_iterative(timing) ||
           (timing >= TimingClass::FpMove && timing <= TimingClass::FpDouble);
}

std::uint64_t bit_of(RegisterIndex index) {
    return index == kSinkRegister || index == kNoRegister ? 0 : std::uint64_t{1} << index;
}

/// Those that it reads or writes, a bit each.
std::uint64_t registers_of(const Instruction& instruction) {
    return bit_of(instruction.rd) | bit_of(instruction.rs1) | bit_of(instruction.rs2) |
           bit_of(instruction.rs3);
}

} // namespace

BlockCycles::BlockCycles(const TimingConfig& config)
    : config_(config), in_turn_(in_turn(config)), cycles_(fetch_cycles(config) + kSpare) {}

/// Beyond its decode and issue.
Cycle BlockCycles::more_than_in_turn(const Instruction& instruction) const {
    const Cycle most = most_added(instruction, config_);
    return most - std::min(most, in_turn_);
}

void BlockCycles::add(const Instruction& instruction, Address pc) {
    if (last_ != nullptr) {
        put_behind_last();
    }
    const auto line_of = [shift = std::countr_zero(config_.l1i.line_bytes)](Address address) {
        return address >> shift;
    };
    const Address end = pc + instruction.length;
    const Address lines =
        line_of(end - 1) - (last_ == nullptr ? line_of(pc) - 1 : line_of(end_ - 1));
    if (lines != 0) {
        wait_for_all(); // the fetch from memory follows their accesses
    }
    cycles_ += in_turn_ + lines * config_.miss_cycles();
    last_ = &instruction;
    end_ = end;
    ++count_;
}

/// The last instruction is followed by another one, whose decode it can delay.
void BlockCycles::put_behind_last() {
    const Instruction& last = *last_;
    const std::uint64_t registers = registers_of(last), result = bit_of(last.rd);
    if (!is_independent(last.timing)) {
        wait_for_all();
    }
    std::size_t left = 0;
    for (Access access : std::span(accesses_).first(access_count_)) {
        // The second writer of a register waits until the first one retires, behind the access.
        const bool waits = (registers & access.result) != 0 || (access.written & result) != 0 ||
                           count_ + 1 - access.number >= config_.scoreboard_entries;
        access.written |= result;
        cycles_ += waits ? access.more : 0;
        accesses_[left] = access;
        left += waits ? 0 : 1;
    }
    access_count_ = left;
    if (is_access(last)) {
        if (access_count_ == kMost) {
            wait_for_all();
        }
        accesses_[access_count_++] = {
            .number = count_, .result = result, .more = more_than_in_turn(last)};
    } else {
        cycles_ += more_than_in_turn(last);
    }
}

void BlockCycles::wait_for_all() {
    for (const Access& access : std::span(accesses_).first(access_count_)) {
        cycles_ += access.more;
    }
    access_count_ = 0;
}

Cycle BlockCycles::until_done() const {
    BlockCycles all = *this;
    all.wait_for_all();
    return all.cycles_ + (last_ == nullptr ? 0 : more_than_in_turn(*last_));
}

Cycle most_of_walk(const TimingConfig& config) {
    constexpr Cycle kReads = 3;
    return config.walk_setup_cycles +
           kReads * (config.walk_read_cycles + config.miss_cycles() + config.read_interval) +
           config.write_interval + config.write_return_cycles + config.memory_latency;
}

/// Of the lines from `line` on, which moves to the first that is not present, or behind `end`.
Cycle PresentLines::spared(Address& line, Address end) const {
    Cycle cycles = 0;
    while (line < end && lines_.contains(line)) {
        line += line_bytes_;
        cycles += miss_cycles_;
    }
    return cycles;
}

Cycle PresentLines::spared(const Block& block) const {
    Address line = lines_.line_start(block.physical);
    return block.across_pages ? 0 : spared(line, block.physical + (block.end - block.pc));
}

std::size_t PresentLines::most_within(const Block& block, Cycle room) const {
    const std::span<const std::uint32_t> bounds = block.decoded_within();
    Address line = lines_.line_start(block.physical), end = block.physical;
    Cycle spared = 0;
    for (std::size_t count = 0; count != block.size(); ++count) {
        end += block.instructions[count].length;
        spared += this->spared(line, end);
        if (bounds[count] - spared >= room) {
            return count;
        }
    }
    return block.size();
}

} // namespace pes

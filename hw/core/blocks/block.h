// SPDX-License-Identifier: Apache-2.0
// A basic block: consecutive instructions that the fast path may run together. Only the last one
// may be a branch, jump, fence or atomic, write mstatus or sstatus, or read a register whose value
// depends on the cycle. No instruction changes privilege, protection or satp, and none accesses a
// device except a load or store whose address turns out to be a device's.
#pragma once

#include "hw/common/event.h"
#include "hw/common/retirement.h"
#include "hw/core/arch/instruction.h"
#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>
#include <vector>

namespace pes {

/// An upper bound of the pulses of each source.
using BlockPulses = std::array<std::uint8_t, kEventCount>;

struct Block {
    static constexpr std::size_t kMaximum = kMostBlockInstructions;

    Address pc = 0;
    Address physical = 0;
    std::uint64_t code_version = 0;          ///< of its page, see CodePage
    std::vector<Instruction> instructions{}; ///< none: stepping only
    Address last_pc = 0;
    Address end = 0;                     ///< address after the last instruction
    bool across_pages = false;           ///< a single instruction that crosses a page boundary
    bool system = false;                 ///< the last instruction is BlockRole::LastSystem
    bool ends = false;                   ///< the last instruction is not BlockRole::Inside
    std::uint32_t long_instructions = 0; ///< bit n: instruction n has 4 bytes
    Cycle longest = 0; ///< upper bound of the cycles it adds to the latest cycle of its first state
    BlockPulses most{}; ///< kUncounted if that depends on its time
    static constexpr std::uint8_t kUncounted = 0xFF;

    std::size_t size() const { return instructions.size(); }
};

/// An upper bound of the cycles of a page walk.
Cycle most_of_walk(const TimingConfig& config);

/// How many of the block's first instructions together add less than `room` to the latest cycle.
std::size_t most_within(const Block& block, Cycle room, const TimingConfig& config);

/// Adds an instruction at `pc`, of this or another block; those that need their own address get it
/// as a constant.
void append(Block& block, const Instruction& instruction, Address pc, const TimingConfig& config);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// A basic block: consecutive instructions that the fast path may run together. Only the last one
// may be a branch, jump, fence or atomic, write mstatus or sstatus, or read a register whose value
// depends on the cycle. No instruction changes privilege, protection or satp, and none accesses a
// device except a load or store whose address turns out to be a device's.
#pragma once

#include "hw/common/event.h"
#include "hw/common/retirement.h"
#include "hw/core/arch/instruction.h"
#include "hw/interface/riscv/instruction_class.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pes {

inline constexpr std::size_t kHostLine = 64; ///< bytes

/// An upper bound of the pulses of each source.
using BlockPulses = std::array<std::uint8_t, kEventCount>;

/// How many of the instructions at an address a block has: all that are possible, the first few, or
/// kToDevice + the first few, of which the last one accesses a device, or kToWalk + the first few,
/// of which the last one needs a page walk.
using BlockExtent = std::uint32_t;

/// What each run needs is in the first cache line of the host; the instructions lie behind it.
struct alignas(kHostLine) Block {
    static constexpr std::size_t kMaximum = kMostBlockInstructions;

    Address pc = 0;
    std::span<const Instruction> instructions{}; ///< none: stepping only
    Address last_pc = 0;
    Address end = 0;                     ///< address after the last instruction
    std::uint64_t code_version = 0;      ///< of its page, see CodePage
    std::uint32_t long_instructions = 0; ///< bit n: instruction n has 4 bytes
    bool across_pages = false;           ///< a single instruction that crosses a page boundary
    bool system = false;                 ///< the last instruction is LastSystem or Alone
    bool reserves = false;               ///< the last instruction is an LR, which may wait
    bool ends = false;                   ///< the last instruction is not BlockRole::Inside
    InstructionFlow flow{};              ///< of the last instruction
    Address physical = 0;
    /// Upper bound of the cycles that it adds to the latest cycle of its first state until its last
    /// instruction decodes; if that one waits for what is before, or accesses a device, or if the
    /// truth has a window, until the end of what it does. See block_cycles.h.
    Cycle longest = 0;
    BlockExtent extent = 0;
    BlockPulses most{}; ///< kUncounted if that depends on its time
    static constexpr std::uint8_t kUncounted = 0xFF;

    std::size_t size() const { return instructions.size(); }
    /// Of a block of a memo, where these lie behind the instructions: for each an upper bound of
    /// the cycles, as `longest`.
    std::span<const std::uint32_t> decoded_within() const {
        const Instruction* const behind = instructions.data() + instructions.size();
        return {reinterpret_cast<const std::uint32_t*>(behind), instructions.size()};
    }
};
static_assert(offsetof(Block, physical) <= kHostLine);

inline constexpr BlockExtent kWhole = 0;
inline constexpr BlockExtent kToDevice = Block::kMaximum;
inline constexpr BlockExtent kToWalk = 2 * Block::kMaximum;

/// A block to be, with its instructions so far.
struct NewBlock {
    Block block;
    std::vector<Instruction> instructions;

    std::size_t size() const { return instructions.size(); }
};

/// Adds an instruction at `pc`, of this or another block; those that need their own address get it
/// as a constant.
void append(NewBlock& block, const Instruction& instruction, Address pc);

} // namespace pes

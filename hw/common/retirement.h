// SPDX-License-Identifier: Apache-2.0
// The retirement stream of a hart, for its observers (commit wave, exact histogram, trace).
#pragma once

#include "hw/common/event.h"
#include "hw/interface/riscv/instruction_class.h"
#include "hw/interface/riscv/retire_class.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pes {

/// One retired instruction.
struct Retirement {
    Cycle cycle; ///< cycle of retirement
    Address pc;
    Address next_pc;
    std::uint32_t raw;   ///< instruction word, low 16 bits if compressed
    std::uint8_t length; ///< bytes, 2 or 4
    Privilege privilege; ///< mode the instruction ran in
    /// The register that it wrote: 1..31 = x1..x31; any other value: no integer register.
    std::uint8_t destination = 0;
    EventMask events{}; ///< pulsed by it in the cycle of its retirement
    RetireClass kind = RetireClass::None;
    std::uint8_t written = 0; ///< its destination as the pins of a port have it (retire_class.h)
};

/// One instruction of a RetiredBlock.
struct RetiredStep {
    std::uint32_t cycles;      ///< of its retirement, behind RetiredBlock::from
    std::uint32_t half_words;  ///< of the block up to its end
    std::uint32_t decoded = 0; ///< of its decode, behind RetiredBlock::from
};

/// A block has at most so many instructions, each of one or two half-words.
inline constexpr std::size_t kMostBlockInstructions = 32;
inline constexpr std::size_t kMostBlockHalfWords = 2 * kMostBlockInstructions;

/// Instructions, at least one, that have retired one behind the other, without a trap in between.
/// Only the last one can be a branch or jump.
struct RetiredBlock {
    Cycle from;
    Address pc;      ///< of the first
    Address next_pc; ///< behind the last
    std::span<const RetiredStep> steps;
    Address last_pc;        ///< of the last
    InstructionFlow flow;   ///< of the last
    std::uint32_t last_raw; ///< as Retirement::raw, of the last
    Privilege privilege;    ///< mode that they ran in
};

/// An instruction of a block. `raw`, of all but the last, is some word that goes on in sequence;
/// what describes the instruction further is left out.
inline Retirement retirement_in(const RetiredBlock& block, std::size_t index) {
    constexpr std::uint32_t kNop = 0x13;
    const RetiredStep& step = block.steps[index];
    const std::uint32_t begin = index == 0 ? 0 : block.steps[index - 1].half_words;
    const bool last = index + 1 == block.steps.size();
    return {.cycle = block.from + step.cycles,
            .pc = block.pc + begin * std::uint64_t{2},
            .next_pc = last ? block.next_pc : block.pc + step.half_words * std::uint64_t{2},
            .raw = last ? block.last_raw : kNop,
            .length = static_cast<std::uint8_t>((step.half_words - begin) * 2),
            .privilege = block.privilege};
}

/// One trap taken (exception or interrupt).
struct TrapTaken {
    Cycle cycle;         ///< cycle in which the trap is taken at retirement
    std::uint64_t cause; ///< xcause, bit 63 = interrupt
    Address epc;
    std::uint64_t tval;
    Address vector; ///< first instruction of the handler
    Privilege from, to;
};

/// An observer must not change what the hart does. Without observers there is no cost.
class HartObserver {
  public:
    HartObserver() = default;
    HartObserver(const HartObserver&) = delete;
    HartObserver& operator=(const HartObserver&) = delete;
    virtual ~HartObserver() = default;

    virtual void retired(const Retirement&) {}
    virtual void trapped(const TrapTaken&) {}

    /// The hart asks before it goes on in blocks how many of them it may run before it tells of the
    /// first. What it has not told yet retires later than `at`. It tells of blocks as a whole, some
    /// at a time, and during that many the observer must neither hold it nor ask it for anything.
    /// 0: by instructions only.
    virtual std::size_t blocks_ahead(Cycle /*at*/) { return 0; }
    virtual void retired_blocks(std::span<const RetiredBlock>) {}
};

} // namespace pes

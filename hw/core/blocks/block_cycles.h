// SPDX-License-Identifier: Apache-2.0
// How many cycles instructions of a block can take at most, which decides whether they may run
// together before a cycle that matters.
//
// Every wait ends at the latest cycle of the state before the instruction, so only what each
// instruction adds to that counts. What matters of most blocks is when their last instruction
// decodes: from then on nothing can come between them. A load or store delays that only if an
// instruction between it and the last one waits for it.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/core/blocks/block.h"
#include "hw/core/timing/tables/cache.h"
#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// Instructions one behind the other, from the start of a block.
class BlockCycles {
  public:
    explicit BlockCycles(const TimingConfig& config);

    void add(const Instruction& instruction, Address pc);

    /// Upper bounds of the cycles that they add to the latest cycle of the state before them, until
    /// the last one decodes, and until all that it does is done, which may wait for all before it.
    /// How long an LR waits behind an SC that failed is not in it.
    Cycle until_last_decode() const { return cycles_; }
    Cycle until_done() const;

  private:
    /// A load or store for which nothing behind it has to wait so far.
    struct Access {
        std::size_t number = 0;
        std::uint64_t result = 0;  ///< register
        std::uint64_t written = 0; ///< registers, by those behind it
        Cycle more = 0;            ///< if something waits
    };
    static constexpr std::size_t kMost = 8; ///< of them; more count as waited for

    Cycle more_than_in_turn(const Instruction& instruction) const;
    void put_behind_last();
    void wait_for_all();

    const TimingConfig& config_;
    Cycle in_turn_; ///< of an instruction that nothing holds up
    Cycle cycles_;
    const Instruction* last_ = nullptr;
    Address end_ = 0;
    std::size_t count_ = 0;
    std::array<Access, kMost> accesses_{};
    std::size_t access_count_ = 0;
};

/// The bounds of a block count a miss in L1I for each line of its code. Those of its first lines
/// that are there as it begins cannot miss: until they have been fetched, nothing fills a line.
class PresentLines {
  public:
    PresentLines(const Cache& lines, const TimingConfig& config)
        : lines_(lines), line_bytes_(config.l1i.line_bytes), miss_cycles_(config.miss_cycles()) {}

    /// What Block::longest counts too much.
    Cycle spared(const Block& block) const;
    /// How many of its first instructions decode certainly within less than `room`.
    std::size_t most_within(const Block& block, Cycle room) const;

  private:
    Cycle spared(Address& line, Address end) const;

    const Cache& lines_;
    Address line_bytes_;
    Cycle miss_cycles_;
};

/// An upper bound of the cycles of a page walk.
Cycle most_of_walk(const TimingConfig& config);

} // namespace pes

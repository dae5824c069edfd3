// SPDX-License-Identifier: Apache-2.0
// How far blocks may run: the decode cycle up to which nothing can interrupt the hart, given the
// announced inputs and the counters. The first check is a limit on decode cycles. If only the
// counters forbid a block, a budget of pulses is checked.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/core/blocks/block.h"
#include "hw/core/blocks/memo.h"
#include "hw/core/hart_parts.h"

namespace pes {

/// Pulses of blocks that are not in the log yet.
struct PendingEvents {
    BlockEvents events{};
    BlockDecoded decoded{}; ///< if decoded instructions are sampled
    unsigned blocks = 0;    ///< number of blocks
};

template <typename Number, std::size_t Count>
void add_events(std::uint16_t* sum, const std::array<Number, Count>& more) {
    for (std::size_t index = 0; index < Count; ++index) {
        sum[index] = static_cast<std::uint16_t>(sum[index] + more[index]);
    }
}

/// What blocks may pulse, whichever they are, until BlockLimits::budget_end().
struct PulseBudget {
    std::uint64_t certain = kNever; ///< so many blocks have it
    std::uint64_t blocks = kNever;  ///< so many, as far as all sources but `scarce` go
    std::uint64_t room = kNever;    ///< pulses of `scarce` behind which another one may begin
    std::size_t scarce = 0;         ///< the source that ends it first; index of Outcome::events
};

class BlockLimits {
  public:
    BlockLimits(HartParts& parts, const PendingEvents& pending) : hart_(parts), pending_(pending) {}

    /// A block that ends before this decode cycle needs no further check.
    Cycle limit() const { return limit_; }
    /// What may run ends before this cycle. It is behind limit() if the turn ends first, which a
    /// block may pass.
    Cycle hard() const { return hard_; }
    /// Nothing may decode from this cycle on.
    Cycle last() const { return hard_ > budget_end_ ? hard_ : budget_end_; }
    bool has_budget() const { return budget_end_ != 0; }
    void drop_budget() { budget_end_ = 0; }
    /// An edge comes before this decode cycle, as the budget knows: cycles alone lead to it.
    bool passes_edge(Cycle decode) const {
        return has_budget() && decode > room_.cycle + CounterFeed::kMarkDistance;
    }
    /// Invalidates the limits after a change of what limits the hart.
    void drop() { limit_ = hard_ = budget_end_ = 0; }

    /// Computes a new limit. Returns the part of it that does not come from the counters.
    Cycle refresh();
    /// True if nothing can interrupt the hart up to and including this decode cycle, whatever a
    /// block pulses. May bring the counters up to date, for which the log must be up to date.
    bool certain_until(Cycle decode);
    /// The same, given the most that the block may pulse.
    bool has_budget_for(const Block& block, Cycle decode) const;
    /// Of blocks that pulse at most as much as `most` each; index kRetiredEvents: their
    /// instructions.
    PulseBudget budget(const BlockPulses& most) const;
    Cycle budget_end() const { return budget_end_; }
    /// Asks the bank for a budget, which stays valid as long as only blocks run. True if the block
    /// fits.
    bool refresh_budget(const Block& block, Cycle decode);

  private:
    /// The decode cycle from which the counters may matter. If crossings are sampled, the cycle of
    /// the crossing must be stepped too. If interrupts must not skid, the instruction that causes
    /// one must be stepped, which may be decoded as early as a slow access before.
    Cycle counters_matter() const;

    HartParts& hart_;
    const PendingEvents& pending_;
    Cycle limit_ = 0;
    Cycle hard_ = 0;
    Cycle budget_end_ = 0; ///< the budget holds for decode cycles before this
    PulseRoom room_{};     ///< of the bank
};

} // namespace pes

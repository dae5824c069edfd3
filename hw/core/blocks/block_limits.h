// SPDX-License-Identifier: Apache-2.0
// How far blocks may run: up to which decode cycle nothing can interrupt the hart, by what the
// world has announced and by what the counters allow. A limit on decode cycles comes first; if a
// block could pass it only because of the counters, a budget of pulses decides.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/core/blocks/block.h"
#include "hw/core/blocks/memo.h"
#include "hw/core/hart_parts.h"

namespace pes {

/// What blocks have pulsed and nobody has placed in the log yet.
struct PendingEvents {
    BlockEvents events{};
    BlockDecoded decoded{}; ///< if somebody watches
    unsigned blocks = 0;    ///< that these are of
};

class BlockLimits {
  public:
    BlockLimits(HartParts& parts, const PendingEvents& pending) : hart_(parts), pending_(pending) {}

    /// A block that ends before this decode cycle needs no further question.
    Cycle limit() const { return limit_; }
    /// Nothing may decode from here on.
    Cycle last() const { return limit_ > budget_end_ ? limit_ : budget_end_; }
    bool has_budget() const { return budget_end_ != 0; }
    void drop_budget() { budget_end_ = 0; }
    /// Something has moved what limits the hart.
    void drop() { limit_ = budget_end_ = 0; }

    /// A new limit, from what is known. Returns the part of it that is not the counters'.
    Cycle refresh();
    /// True if nothing can interrupt the hart up to and including this decode cycle, however often
    /// a block pulses. May bring the counters forward: the log must be where the hart is.
    bool certain_until(Cycle decode);
    /// Likewise, by what the block may pulse at most.
    bool has_budget_for(const Block& block, Cycle decode) const;
    /// Asks the bank. The budget does not change as long as only blocks run. True if it holds the
    /// block.
    bool refresh_budget(const Block& block, Cycle decode);

  private:
    /// The decode cycle by which the counters could matter. Where a crossing is asked about, what
    /// happens in its cycle must be stepped, not only what follows; where its interrupt must not
    /// skid, so must whoever may cause it, which is decoded up to a slow access before.
    Cycle counters_matter() const;

    HartParts& hart_;
    const PendingEvents& pending_;
    Cycle limit_ = 0;
    Cycle budget_end_ = 0; ///< the budget holds for decode cycles before this
    PulseRoom room_{};     ///< of the bank
    EventMask bounded_{};  ///< the sources that have a bound in room_
};

} // namespace pes

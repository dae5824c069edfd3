// SPDX-License-Identifier: Apache-2.0
// The cycles in which the branch history table, branch target buffer and return-address stack of
// the frontend are read and written.
//
// BHT: rows of two untagged 2-bit counters, one for each half-word of a fetch; a cold entry
// predicts backward taken, forward not taken. BTB: the same shape, full targets, for indirect jumps
// that are not returns, written on a mispredict only. RAS: a stack of two. Every trap and every
// xRET flushes all three; a flush leaves the counters weakly taken, reset leaves them strongly not
// taken.
//
// Timing: a prediction is made in the scan cycle of the instruction, a table is written in the
// cycle the branch resolves and read with the new value from the next cycle on. Updates therefore
// wait in a short queue until a prediction is made in a later cycle.
#pragma once

#include "hw/core/timing/tables/tables.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>
#include <optional>

namespace pes {

class Predictor {
  public:
    explicit Predictor(Tables& tables) : tables_(tables) {}

    /// `cold` is the prediction for a branch without history.
    BranchDirection predict_branch(Address pc, BranchDirection cold, Cycle scan) {
        static_assert(kPending < arriving(1));
        return static_cast<BranchDirection>(tables_.ask<Query::BranchDirection>(
            pc, static_cast<std::uint64_t>(cold) | arriving(take_updates(scan))));
    }
    std::optional<Address> predict_jump(Address pc, Cycle scan) {
        bring_updates_to(scan);
        return known(tables_.ask<Query::JumpTarget>(pc));
    }
    std::optional<Address> pop_return() { return known(tables_.ask<Query::PopReturn>(0)); }
    std::optional<Address> top_return() { return known(tables_.ask<Query::TopReturn>(0)); }
    void push_return(Address link) { tables_.ask<Query::PushReturn>(link); }

    void update_branch(Address pc, BranchDirection outcome, Cycle resolved) {
        enqueue(resolved);
        tables_.ask<Query::SendBranch>(pc, static_cast<std::uint64_t>(outcome));
    }
    void update_jump(Address pc, Address target, Cycle resolved) {
        enqueue(resolved);
        tables_.ask<Query::SendJump>(pc, target);
    }

    void flush() {
        tables_.ask<Query::FlushBranches>(0);
        first_ = end_;
    }

    /// Applies the updates that every later prediction, made in `scan` or later, sees anyway.
    void bring_updates_to(Cycle scan) {
        if (const std::size_t count = take_updates(scan)) {
            tables_.ask<Query::UpdatesArrive>(count);
        }
    }

    /// See timing_state.h. The contents of the updates are in the tables.
    template <typename Archive>
    void relative_state(Archive& archive) {
        std::uint64_t waiting = end_ - first_;
        archive.number(waiting);
        if constexpr (!Archive::kSaves) {
            first_ = 0;
            end_ = waiting;
        }
        for (std::size_t index = first_; index != end_; ++index) {
            archive.cycle(resolved_[index % kPending]);
        }
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::size_t kPending = BranchTables::kPending;

    static std::optional<Address> known(Address target) {
        return target == BranchTables::kNoTarget ? std::nullopt : std::optional(target);
    }

    /// The number of those, which do not wait any more.
    std::size_t take_updates(Cycle scan) {
        const std::size_t before = first_;
        while (first_ != end_ && resolved_[first_ % kPending] < scan) {
            ++first_;
        }
        return first_ - before;
    }

    /// Branches resolve in order, so a full queue may apply its oldest: no prediction that precedes
    /// it can still come.
    void enqueue(Cycle resolved) {
        if (end_ - first_ == kPending) {
            ++first_;
            tables_.ask<Query::UpdatesArrive>(1);
        }
        resolved_[end_++ % kPending] = resolved;
    }

    Tables& tables_;
    std::array<Cycle, kPending> resolved_{}; ///< cycles of the pending updates
    std::size_t first_ = 0, end_ = 0;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Branch history table, branch target buffer and return-address stack of the frontend.
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

#include "hw/common/types.h"
#include "hw/core/timing/timing_config.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace pes {

enum class BranchDirection : std::uint8_t { NotTaken, Taken };

class Predictor {
  public:
    explicit Predictor(const TimingConfig& config);

    /// `cold` is what a branch without history is predicted as.
    BranchDirection predict_branch(Address pc, BranchDirection cold, Cycle scan);
    std::optional<Address> predict_jump(Address pc, Cycle scan);
    std::optional<Address> pop_return();
    void push_return(Address link);

    void update_branch(Address pc, BranchDirection outcome, Cycle resolved);
    void update_jump(Address pc, Address target, Cycle resolved);

    void flush();

  private:
    static constexpr std::uint8_t kWeaklyTaken = 2;
    static constexpr std::size_t kPending = 8;

    struct History {
        bool valid = false;
        std::uint8_t counter = 0;
    };
    struct Target {
        bool valid = false;
        Address address = 0;
    };
    struct Update {
        enum class Table : std::uint8_t { Branch, Jump } table = Table::Branch;
        BranchDirection outcome = BranchDirection::NotTaken;
        Cycle resolved = 0;
        Address pc = 0;
        Address target = 0;
    };

    /// Tables are indexed by half-word: row and column together.
    std::size_t bht_index(Address pc) const { return (pc >> 1) & (bht_.size() - 1); }
    std::size_t btb_index(Address pc) const { return (pc >> 1) & (btb_.size() - 1); }

    void enqueue(const Update& update);
    void apply(const Update& update);
    void apply_before(Cycle scan) {
        while (pending_first_ != pending_end_ &&
               pending_[pending_first_ % kPending].resolved < scan) {
            apply(pending_[pending_first_++ % kPending]);
        }
    }

    std::vector<History> bht_;
    std::vector<Target> btb_;
    std::vector<Target> ras_; ///< top first
    std::array<Update, kPending> pending_{};
    std::size_t pending_first_ = 0, pending_end_ = 0;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The contents of branch history table, branch target buffer and return-address stack, and of the
// pending updates. Holds no time: Predictor knows when an update arrives.
#pragma once

#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pes {

enum class BranchDirection : std::uint8_t { NotTaken, Taken };

class BranchTables {
  public:
    static constexpr Address kNoTarget = ~Address{0}; ///< odd, so no address of code
    static constexpr std::size_t kPending = 8;

    explicit BranchTables(const TimingConfig& config)
        : bht_(2 * std::size_t{config.bht_rows}), btb_(2 * std::size_t{config.btb_rows}, kNoTarget),
          ras_(config.ras_entries, kNoTarget), bht_mask_(bht_.size() - 1) {}

    /// `cold` is the prediction for a branch without history.
    BranchDirection direction(Address pc, BranchDirection cold) const {
        const History& entry = bht_[bht_index(pc)];
        if (!entry.valid) {
            return cold;
        }
        return entry.counter >= kWeaklyTaken ? BranchDirection::Taken : BranchDirection::NotTaken;
    }
    Address target(Address pc) const { return btb_[btb_index(pc)]; }

    Address top_return() const { return ras_.front(); }
    Address pop_return() {
        const Address top = ras_.front();
        if (top != kNoTarget) {
            std::shift_left(ras_.begin(), ras_.end(), 1);
            ras_.back() = kNoTarget;
        }
        return top;
    }
    void push_return(Address link) {
        std::shift_right(ras_.begin(), ras_.end(), 1);
        ras_.front() = link;
    }

    // Updates arrive in the order in which they were sent.
    void send_branch(Address pc, BranchDirection outcome) {
        pending_[sent_++ % kPending] = {.pc = pc, .target = kNoTarget, .outcome = outcome};
    }
    void send_jump(Address pc, Address target) {
        pending_[sent_++ % kPending] = {.pc = pc, .target = target};
    }
    std::size_t on_their_way() const { return sent_ - arrived_; }
    void arrive(std::uint64_t count) {
        for (; count != 0; --count) {
            apply(pending_[arrived_++ % kPending]);
        }
    }

    void flush() {
        std::fill(bht_.begin(), bht_.end(), History{.valid = false, .counter = kWeaklyTaken});
        std::fill(btb_.begin(), btb_.end(), kNoTarget);
        std::fill(ras_.begin(), ras_.end(), kNoTarget);
        arrived_ = sent_;
    }

    static constexpr std::uint8_t kWeaklyTaken = 2, kMostTaken = 3;
    struct History {
        bool valid = false;
        std::uint8_t counter = 0;
    };
    struct Update {
        Address pc = 0;
        Address target = kNoTarget; ///< of a jump; kNoTarget: a branch
        BranchDirection outcome = BranchDirection::NotTaken;
    };
    /// For native code: what direction(), send_branch() and arrive() look at.
    struct Parts {
        History* history; ///< by half-word
        std::uint64_t history_mask;
        Update* pending; ///< a ring of kPending
        std::size_t* sent;
        std::size_t* arrived;
    };
    Parts parts() {
        return {.history = bht_.data(),
                .history_mask = bht_.size() - 1,
                .pending = pending_.data(),
                .sent = &sent_,
                .arrived = &arrived_};
    }

  private:
    /// Tables are indexed by half-word: row and column together.
    std::size_t bht_index(Address pc) const { return (pc >> 1) & bht_mask_; }
    std::size_t btb_index(Address pc) const { return (pc >> 1) & (btb_.size() - 1); }

    void apply(const Update& update) {
        if (update.target != kNoTarget) {
            btb_[btb_index(update.pc)] = update.target;
            return;
        }
        History& entry = bht_[bht_index(update.pc)];
        entry.valid = true;
        if (update.outcome == BranchDirection::Taken) {
            entry.counter = static_cast<std::uint8_t>(std::min<int>(entry.counter + 1, kMostTaken));
        } else {
            entry.counter = static_cast<std::uint8_t>(std::max(entry.counter - 1, 0));
        }
    }

    std::vector<History> bht_;
    std::vector<Address> btb_;
    std::vector<Address> ras_; ///< top first
    std::size_t bht_mask_;
    std::array<Update, kPending> pending_{};
    std::size_t sent_ = 0, arrived_ = 0;
};

} // namespace pes

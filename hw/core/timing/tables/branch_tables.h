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
#include <span>
#include <utility>
#include <vector>

namespace pes {

enum class BranchDirection : std::uint8_t { NotTaken, Taken };

class BranchTables {
  public:
    static constexpr Address kNoTarget = ~Address{0}; ///< odd, so no address of code
    static constexpr std::size_t kPending = 8;
    static constexpr Address kBootJump = 0x1'0014;

    explicit BranchTables(const TimingConfig& config)
        : bht_(2 * std::size_t{config.bht_rows}),
          btb_(2 * std::max(std::size_t{config.btb_rows}, std::size_t{1}), kNoTarget),
          has_btb_(config.btb_rows != 0), ras_(config.ras_entries, kNoTarget),
          bht_mask_(bht_.size() - 1) {}

    /// What CVA6's boot ROM leaves behind: its last instruction, a jump through a register, has
    /// gone to memory. [corev_apu/bootrom/bootrom.S]
    void leave_boot_rom(Address memory) { set_target(btb_index(kBootJump), memory); }

    /// `cold` is the prediction for a branch without history.
    BranchDirection direction(Address pc, BranchDirection cold) const {
        const History entry = bht_[bht_index(pc)];
        if (entry < kValid) {
            return cold;
        }
        return entry >= kWeaklyTaken ? BranchDirection::Taken : BranchDirection::NotTaken;
    }
    Address target(Address pc) const { return target_of(pc); }

    Address top_return() const { return ras_[top_]; }
    Address pop_return() {
        const Address top = std::exchange(ras_[top_], kNoTarget);
        if (top != kNoTarget) {
            top_ = (top_ == 0 ? ras_.size() : top_) - 1;
        }
        return top;
    }
    void push_return(Address link) {
        top_ = top_ + 1 == ras_.size() ? 0 : top_ + 1;
        ras_[top_] = link;
    }

    // Updates arrive in the order in which they were sent.
    void send_branch(Address pc, BranchDirection outcome) {
        pending_[sent_++ % kPending] = update_of(pc, outcome);
    }
    void send_jump(Address pc, Address target) {
        pending_targets_[sent_ % kPending] = target;
        pending_[sent_++ % kPending] = update_of_jump(pc);
    }
    std::size_t on_their_way() const { return sent_ - arrived_; }
    void arrive(std::uint64_t count) {
        for (; count != 0; --count) {
            apply(arrived_++ % kPending);
        }
    }

    void flush() {
        std::fill(bht_.begin(), bht_.end(), History{kWeaklyTaken - kValid});
        std::fill(btb_.begin(), btb_.end(), kNoTarget);
        std::fill(ras_.begin(), ras_.end(), kNoTarget);
        arrived_ = sent_;
    }

    /// An entry of the history table: kValid if there was a branch, and a two-bit counter.
    using History = std::uint8_t;
    static constexpr History kValid = 4, kWeaklyTaken = kValid + 2;
    /// An update on its way: index in its table, and BranchDirection or kJump.
    using Update = std::uint32_t;
    static constexpr unsigned kKindBits = 2;
    static constexpr Update kJump = 2;
    /// Entries after a branch, by entry and direction.
    static constexpr std::array<std::array<History, 2>, 8> kUpdated = [] {
        std::array<std::array<History, 2>, 8> updated{};
        for (unsigned entry = 0; entry != updated.size(); ++entry) {
            const unsigned counter = entry % kValid;
            updated[entry] = {static_cast<History>(kValid + (counter == 0 ? 0 : counter - 1)),
                              static_cast<History>(kValid + (counter == 3 ? 3 : counter + 1))};
        }
        return updated;
    }();
    /// For native code: what the functions above look at.
    struct Parts {
        History* history;
        Update* pending;          ///< a ring of kPending
        Address* pending_targets; ///< likewise
        std::size_t* sent;
        std::size_t* arrived;
        std::span<Address> returns; ///< a ring
        std::size_t* top;           ///< of it
    };
    History& history(Address pc) { return bht_[bht_index(pc)]; }
    const Address& target_of(Address jump) const { return btb_[btb_index(jump)]; }
    Update update_of(Address branch, BranchDirection outcome) const {
        return static_cast<Update>(bht_index(branch) << kKindBits |
                                   static_cast<std::size_t>(outcome));
    }
    Update update_of_jump(Address jump) const {
        return static_cast<Update>(btb_index(jump) << kKindBits | kJump);
    }
    Parts parts() {
        return {.history = bht_.data(),
                .pending = pending_.data(),
                .pending_targets = pending_targets_.data(),
                .sent = &sent_,
                .arrived = &arrived_,
                .returns = ras_,
                .top = &top_};
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// Tables are indexed by half-word: row and column together.
    std::size_t bht_index(Address pc) const { return (pc >> 1) & bht_mask_; }
    std::size_t btb_index(Address pc) const { return (pc >> 1) & (btb_.size() - 1); }

    void set_target(std::size_t index, Address target) {
        if (has_btb_) {
            btb_[index] = target;
        }
    }
    void apply(std::size_t pending) {
        const Update update = pending_[pending];
        const std::size_t index = update >> kKindBits;
        if ((update & kJump) != 0) {
            set_target(index, pending_targets_[pending]);
        } else {
            bht_[index] = kUpdated[bht_[index]][update & 1];
        }
    }

    std::vector<History> bht_;
    std::vector<Address> btb_; ///< a row without contents if there is none
    bool has_btb_;
    std::vector<Address> ras_; ///< a ring: below the top come those before it
    std::size_t top_ = 0;
    std::size_t bht_mask_;
    std::array<Update, kPending> pending_{};
    std::array<Address, kPending> pending_targets_{}; ///< of jumps
    std::size_t sent_ = 0, arrived_ = 0;
};

} // namespace pes

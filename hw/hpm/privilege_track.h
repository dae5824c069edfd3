// SPDX-License-Identifier: Apache-2.0
// The hart's privilege mode by cycle, for counters that lag a few cycles behind the hart.
#pragma once

#include "hw/hpm/invariant.h"
#include "hw/interface/maps/csr.h"
#include "hw/interface/types.h"

#include <array>

namespace pes {

class PrivilegeTrack {
  public:
    Privilege present() const { return present_; }
    /// The first cycle of the next mode; kNever if none is announced.
    Cycle next_change() const { return first_ == end_ ? kNever : changes_[first_ % kWaiting].from; }
    void announce(Privilege mode, Cycle from) {
        require(end_ - first_ < kWaiting, "counter bank: privilege changes and no cycle passes",
                from);
        changes_[end_++ % kWaiting] = {mode, from};
    }
    /// Makes the mode of `cycle` the present one. True if the mode changes.
    bool enter(Cycle cycle) {
        const Privilege before = present_;
        while (next_change() <= cycle) {
            present_ = changes_[first_++ % kWaiting].mode;
        }
        return present_ != before;
    }
    /// Cycles before `mode` are no longer queried.
    void set(Privilege mode) {
        present_ = mode;
        first_ = end_;
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// The counters reach a change a few cycles after it, so even two or three pending changes are
    /// rare.
    static constexpr unsigned kWaiting = 64;
    struct Change {
        Privilege mode;
        Cycle from;
    };

    Privilege present_ = Privilege::Machine;
    std::array<Change, kWaiting> changes_{};
    unsigned first_ = 0;
    unsigned end_ = 0;
};

/// The filter bit that stops a counter in `mode`.
constexpr std::uint64_t inhibit_bit(Privilege mode) {
    switch (mode) {
    case Privilege::User:
        return csr::kMhpmeventUserInhibit;
    case Privilege::Supervisor:
        return csr::kMhpmeventSupervisorInhibit;
    case Privilege::Machine:
        return csr::kMhpmeventMachineInhibit;
    }
    return 0;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// CtrCycleCounter: cycles since the last control transfer record in which CTR was active, which it
// is in a mode enabled for recording while it is not frozen ("Cycle Counting").
#pragma once

#include "hw/interface/types.h"

#include <algorithm>
#include <cstdint>

namespace pes {

class ActiveCycles {
  public:
    /// From `cycle` on.
    void set_active(bool active, Cycle cycle) {
        bring_to(cycle);
        active_ = active;
    }
    bool active() const { return active_; }

    /// Zero in `cycle`; the next count does not hold.
    void reset(Cycle cycle) {
        take(cycle);
        valid_ = false;
    }
    /// Part of the next count, which holds only if this one does.
    void add(std::uint64_t cycles, bool valid) {
        counted_ += cycles;
        valid_ = valid_ && valid;
    }
    /// Whether the count of the next record holds.
    bool valid() const { return valid_; }
    /// The count of a record in `cycle`.
    std::uint64_t take(Cycle cycle) {
        bring_to(cycle);
        const std::uint64_t counted = counted_;
        counted_ = 0;
        valid_ = true;
        return counted;
    }

  private:
    void bring_to(Cycle cycle) {
        const Cycle now = std::max(cycle, since_);
        counted_ += active_ ? now - since_ : 0;
        since_ = now;
    }

    Cycle since_ = 0;
    std::uint64_t counted_ = 0;
    bool active_ = false;
    bool valid_ = false;
};

} // namespace pes

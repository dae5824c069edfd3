// SPDX-License-Identifier: Apache-2.0
// CtrCycleCounter: cycles since the last control transfer record in which CTR was active. It is
// active in a mode enabled for recording while it is not frozen ("Cycle Counting").
#pragma once

#include "hw/interface/types.h"

#include <algorithm>
#include <cstdint>

namespace pes {

class ActiveCycles {
  public:
    /// Takes effect in `cycle`.
    void set_active(bool active, Cycle cycle) {
        bring_to(cycle);
        active_ = active;
    }
    bool active() const { return active_; }

    /// Sets the count to zero in `cycle`; the next count is not valid.
    void reset(Cycle cycle) {
        take(cycle);
        valid_ = false;
    }
    /// Adds to the next count, which is valid only if `valid`.
    void add(std::uint64_t cycles, bool valid) {
        counted_ += cycles;
        valid_ = valid_ && valid;
    }
    /// True if the count of the next record is valid.
    bool valid() const { return valid_; }
    /// The count of a record in `cycle`.
    std::uint64_t take(Cycle cycle) {
        bring_to(cycle);
        const std::uint64_t counted = counted_;
        counted_ = 0;
        valid_ = true;
        return counted;
    }

    void state(class Archive& archive); ///< of a checkpoint

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

// SPDX-License-Identifier: Apache-2.0
// After a failed SC, the next LR goes to memory only after a random time, whose range doubles with
// each consecutive failure. [exp_backoff.sv, wt_dcache_missunit.sv]
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

class ReservationBackoff {
  public:
    /// Returns for how many cycles an LR waits then.
    Cycle failed() {
        const Cycle wait = mask_ & random_;
        const std::uint32_t fed_back = (random_ ^ random_ >> 2 ^ random_ >> 3 ^ random_ >> 5) & 1;
        random_ = random_ >> 1 | fed_back << 15;
        mask_ = (mask_ << 1 | 1) & 0xFFFF;
        return wait;
    }
    void passed() { mask_ = 0; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    std::uint32_t mask_ = 0;
    std::uint32_t random_ = 3; ///< a shift register of 16 bits
};

} // namespace pes

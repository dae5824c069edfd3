// SPDX-License-Identifier: Apache-2.0
// After a failed SC, the next LR goes to memory only after a random time, whose range doubles with
// each consecutive failure. [exp_backoff.sv, wt_dcache_missunit.sv]
//
// Only LR and SC use it. They are never part of a block, so it is not in the pipeline's state.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

class ReservationBackoff {
  public:
    void failed(Cycle answered) {
        over_ = answered + 1 + (mask_ & random_);
        const std::uint32_t fed_back = (random_ ^ random_ >> 2 ^ random_ >> 3 ^ random_ >> 5) & 1;
        random_ = random_ >> 1 | fed_back << 15;
        mask_ = (mask_ << 1 | 1) & 0xFFFF;
    }
    void passed() {
        over_ = 0;
        mask_ = 0;
    }
    /// The first cycle in which an LR goes to memory.
    Cycle over() const { return over_; }

  private:
    Cycle over_ = 0;
    std::uint32_t mask_ = 0;
    std::uint32_t random_ = 3; ///< a shift register of 16 bits
};

} // namespace pes

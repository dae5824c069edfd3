// SPDX-License-Identifier: Apache-2.0
// After an SC that failed, the next LR goes to memory only when a random time has passed; the range
// of it doubles with each failure in a row. [exp_backoff.sv, wt_dcache_missunit.sv]
//
// Only LR and SC ask, which are never part of a block: nothing of it is in the pipeline's state.
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

// SPDX-License-Identifier: Apache-2.0
// After a failed SC, the next LR goes to memory only after a random time, whose range doubles with
// each consecutive failure. [exp_backoff.sv, wt_dcache_missunit.sv]
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

class ReservationBackoff {
  public:
    static constexpr Cycle kLongest = 0xFFFF;

    /// An SC has failed, behind which an LR could go to memory in cycle `next`.
    void failed(Cycle next) {
        over_ = next + (mask_ & random_);
        const std::uint32_t fed_back = (random_ ^ random_ >> 2 ^ random_ >> 3 ^ random_ >> 5) & 1;
        random_ = random_ >> 1 | fed_back << 15;
        mask_ = (mask_ << 1 | 1) & kLongest;
    }
    void passed() {
        mask_ = 0;
        over_ = 0;
    }
    /// For how many cycles an LR waits that could go to memory in cycle `at`.
    Cycle wait(Cycle at) const { return over_ > at ? over_ - at : 0; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    Cycle over_ = 0; ///< the first cycle in which an LR goes to memory
    std::uint32_t mask_ = 0;
    std::uint32_t random_ = 3; ///< a shift register of 16 bits
};

} // namespace pes

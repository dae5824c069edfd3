// SPDX-License-Identifier: Apache-2.0
// An AMO, LR or SC on its way to memory. It goes alone: reads and writes that have asked before it
// are answered first, those that ask later go behind it. [wt_dcache_missunit.sv, wt_axi_adapter.sv]
#pragma once

#include "hw/interface/types.h"

#include <algorithm>
#include <optional>

namespace pes {

struct AtomicRequest {
    Cycle asked = kNever; ///< reads of data that have not asked before this cycle go behind it
    Cycle head = 0;       ///< the cycle before it asks memory
    Cycle cycles = 0;     ///< from `head` to the answer, with which it retires
    Cycle interval = 0;   ///< memory is busy with it
    bool sent = false;    ///< memory knows
    std::optional<Address> late{}; ///< of the read that missed and goes behind it

    /// The cycle in which everything behind it is thrown away.
    Cycle flush() const { return head + cycles; }

    /// Data is read until `done`; then the memory unit has to see that it is idle.
    void wait_for_data(Cycle done) {
        if (done > asked) {
            head = std::max(head, done + 1);
        }
    }
    /// The port to memory is free from `free` on.
    void wait_for_port(Cycle free) { head = std::max(head + 1, free) - 1; }
};

} // namespace pes

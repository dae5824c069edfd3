// SPDX-License-Identifier: Apache-2.0
// An AMO, LR or SC on its way to memory. It is sent alone: earlier reads and writes complete first,
// later ones are sent after it. [wt_dcache_missunit.sv, wt_axi_adapter.sv]
#pragma once

#include "hw/interface/types.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace pes {

struct AtomicRequest {
    Cycle asked = kNever; ///< reads of data requested in this cycle or later are sent after it
    Cycle head = 0;       ///< the cycle before its request to memory
    Cycle cycles = 0;     ///< from `head` to the answer, with which it retires
    Cycle interval = 0;   ///< cycles for which memory is busy with it
    bool sent = false;    ///< to memory
    std::optional<Address> late{}; ///< address of a read that missed and is sent after it
    std::uint8_t late_operand = 0; ///< its number in the questions (Tape)

    /// The cycle in which all younger instructions are flushed.
    Cycle flush() const { return head + cycles; }

    /// Data is read until `done`; the memory unit sees in the cycle after that it is idle.
    void wait_for_data(Cycle done) {
        if (done > asked) {
            head = std::max(head, done + 1);
        }
    }
    /// The port to memory is free from `free` on.
    void wait_for_port(Cycle free) { head = std::max(head + 1, free) - 1; }
};

} // namespace pes

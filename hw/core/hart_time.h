// SPDX-License-Identifier: Apache-2.0
// Where a hart is in time, and how far it may go. Cycles of the hart's clock.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

struct HartTime {
    Cycle decode = 0; ///< of the next instruction: the hart's time, in which interrupts are sampled
    Cycle last_retirement = 0; ///< may lie a few cycles ahead of decode
    std::uint64_t retired = 0; ///< instructions

    Cycle horizon = 0;    ///< nothing decodes in this cycle or later
    Cycle held_until = 0; ///< back-pressure: nothing decodes before
    Cycle woken_in = 0;   ///< end of the last WFI: what was decoded before is not interrupted
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The present cycle of a hart and the limits up to which it may run, in cycles of its clock.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

struct HartTime {
    Cycle decode = 0; ///< of the next instruction: the hart's time; interrupts are sampled in it
    Cycle last_retirement = 0; ///< may be a few cycles later than decode
    std::uint64_t retired = 0; ///< instructions

    Cycle horizon = 0;    ///< nothing decodes in this cycle or later
    Cycle held_until = 0; ///< back-pressure: nothing decodes before this cycle
    Cycle woken_in = 0;   ///< end of the last WFI; instructions decoded before are not interrupted

    void state(class Archive& archive); ///< of a checkpoint
};

} // namespace pes

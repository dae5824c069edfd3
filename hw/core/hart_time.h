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

    Cycle horizon = 0;  ///< nothing decodes in this cycle or later
    Cycle turn_end = 0; ///< nothing decodes behind a block that ends in this cycle or later
    /// Decode cycle of the last instruction or trap if a block ends there (any BlockRole but
    /// Inside); 0 in the middle of a block.
    Cycle block_ended = 0;
    Cycle held_until = 0; ///< back-pressure: nothing decodes before this cycle
    Cycle woken_in = 0;   ///< end of the last WFI; instructions decoded before are not interrupted

    bool turn_is_over() const { return block_ended >= turn_end; }
    void state(class Archive& archive); ///< of a checkpoint
};

} // namespace pes

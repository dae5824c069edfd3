// SPDX-License-Identifier: Apache-2.0
// One access as the functional model describes it to the timing model.
#pragma once

#include "hw/interface/types.h"

#include <array>
#include <cstdint>

namespace pes {

/// The accesses of one page walk to page-table entries, in order. The MMU performs them; the timing
/// model takes them through L1D.
struct PageWalk {
    std::array<Address, 3> pte{};
    std::uint8_t reads = 0;
    bool fills_tlb = false; ///< also if the privilege mode may not access the page
    bool updates = false;   ///< writes the entry that is read last (Svadu)

    void state(class Archive& archive); ///< of a checkpoint
};

/// The second half of an instruction that crosses into the next page.
struct SecondHalf {
    Address physical = 0;
    const PageWalk* walk = nullptr; ///< null if the TLB has the page
};

/// One data access. `walk` is null when the TLB hit or translation is off.
struct MemoryAccess {
    Address physical = 0;
    std::uint8_t size = 0;
    bool cacheable = true;
    const PageWalk* walk = nullptr;
};

} // namespace pes

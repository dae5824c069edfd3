// SPDX-License-Identifier: Apache-2.0
// What the functional side tells the timing side about one access.
#pragma once

#include "hw/interface/types.h"

#include <array>
#include <cstdint>

namespace pes {

/// Accesses of one page walk to page-table entries, in order; done by the MMU functionally, timed
/// here through L1D.
struct PageWalk {
    std::array<Address, 3> pte{};
    std::uint8_t reads = 0;
    bool fills_tlb = false; ///< even if the page is refused to the privilege mode
    bool updates = false;   ///< writes the entry that is read last (Svadu)
};

/// One data access. `walk` is null when the TLB hit or translation is off.
struct MemoryAccess {
    Address physical = 0;
    std::uint8_t size = 0;
    bool cacheable = true;
    const PageWalk* walk = nullptr;
};

} // namespace pes

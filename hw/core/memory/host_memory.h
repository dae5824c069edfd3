// SPDX-License-Identifier: Apache-2.0
// The host's memory behind guest addresses: regions as the bus grants them, and a table of pages
// for the quick way of loads and stores, which compares a tag only.
#pragma once

#include "hw/core/hart_ports.h"
#include "hw/core/memory/pmp.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pes {

inline constexpr unsigned kPageShift = 12;
inline constexpr Address kPageOffset = (Address{1} << kPageShift) - 1;

class HostMemory {
  public:
    /// One physical page, separately for loads and stores, since protection may allow only one of
    /// them.
    struct Page {
        Address load_tag = kNever;
        Address store_tag = kNever;
        std::byte* base = nullptr;
        std::uint16_t hole = 0;       ///< offset of what is not plain memory (a watched word) ...
        std::uint16_t hole_bytes = 0; ///< ... a multiple of 8, as is the offset

        bool in_hole(Address physical) const {
            return static_cast<std::uint32_t>(physical & kPageOffset) - hole < hole_bytes;
        }
    };

    explicit HostMemory(HartBus& bus) : bus_(bus) {}

    /// From now on the pages that accesses in this mode may take; PMP tells M-mode apart.
    void select(Privilege mode) { pages_ = &tables_[mode == Privilege::Machine ? 1 : 0]; }
    /// The entry where this address would be.
    const Page& page(Address physical) const {
        return (*pages_)[(physical >> kPageShift) % kPages];
    }
    /// An access that protection allows in the whole page may take the quick way from now on.
    void remember(Address physical, Access access, Cycle now);
    /// Stores to this page no longer take the quick way.
    void forget_stores(Address page_number);
    void forget();
    /// The regions must be requested from the bus again.
    void forget_regions();

    /// What is there at `now`, or at a later device access that comes before in program order. Null
    /// if it is no plain memory.
    std::byte* find(Address physical, unsigned size, Cycle now);
    /// A device is accessed at `at`.
    void reach(Cycle at) { reached_ = at; }
    /// What is there depends on the cycle: handlers that run ahead of time keep out of it.
    bool is_lazy(Address physical, unsigned size);

  private:
    static constexpr unsigned kPages = 4096;
    using Table = std::array<Page, kPages>;

    const DirectMemory* find_region(Address physical, unsigned size);
    Page describe(Address page_start, Cycle now);

    HartBus& bus_;
    std::array<Table, 2> tables_{}; ///< [0] S and U, [1] M
    Table* pages_ = &tables_[1];
    std::vector<DirectMemory> regions_;
    Cycle reached_ = 0; ///< by the last device access
};

} // namespace pes

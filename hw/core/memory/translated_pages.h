// SPDX-License-Identifier: Apache-2.0
// Pages of data by virtual address: those that the data TLB holds for the current address space,
// together with their place in host memory. One comparison stands for the look into the TLB, the
// check of the entry and the look into the table of host pages. An entry is there for an access if
//
//   - the entry of the TLB permits it, whatever mstatus.SUM and MXR are, and
//   - the host page is known for it (host_memory.h).
//
// Whoever finds a page must tell the TLB (Tlb::touch()), whose replacement depends on each hit.
#pragma once

#include "hw/core/memory/host_memory.h"
#include "hw/core/memory/tlb.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

class TranslatedPages {
  public:
    struct alignas(64) Page : QuickPage {
        std::uint32_t entry = 0; ///< of the TLB
        Address to_physical = 0; ///< what a virtual address lacks to be the physical one
        Tlb::Path path{};        ///< of the entry in the TLB's tree

        Address physical(Address address) const { return address + to_physical; }
    };
    static_assert(sizeof(Page) == 64);
    /// Of a table, a power of two. More than the TLB has entries, which may be of large pages.
    static constexpr unsigned kPages = 256;

    /// Selects the pages for accesses in this mode, S or U.
    void select(Privilege mode) {
        selected_ = tables_[mode == Privilege::User ? 1 : 0].pages.data();
    }
    /// Null unless the page is there for this access.
    const Page* find(Address address, Access access) const {
        const Page& page = selected_[(address >> kPageShift) % kPages];
        return page.has(address, access) ? &page : nullptr;
    }
    /// The first page of the selected table.
    const Page* selected() const { return selected_; }

    /// The TLB has just found the page at `address`, and `host` is its physical page, for the
    /// accesses that it is known for.
    void remember(Address address, Address physical, const HostMemory::Page& host, const Tlb& tlb);

    void forget();
    /// What the entry of the TLB held.
    void forget_entry(std::uint32_t entry);
    /// Stores to this physical page.
    void forget_stores(Address page_number);

  private:
    static constexpr unsigned kBits = 64;
    using PageBits = std::array<std::uint64_t, kPages / kBits>;
    struct Table {
        std::array<Page, kPages> pages{};
        /// By entry of the TLB, a bit for each page that has been remembered for it.
        std::array<PageBits, Tlb::kMaxEntries> of_entry{};
    };

    std::array<Table, 2> tables_{}; ///< [0] S, [1] U
    Page* selected_ = tables_[0].pages.data();
};

} // namespace pes

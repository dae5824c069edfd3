// SPDX-License-Identifier: Apache-2.0
// Host memory of guest addresses: the regions that the bus grants, and a table of pages with which
// loads and stores only compare a tag. Of memory that the bus does not grant, a user gets a copy of
// a few bytes, which must be put back once they have been changed.
#pragma once

#include "hw/core/hart_ports.h"
#include "hw/core/memory/host_pages.h"
#include "hw/core/memory/pmp.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pes {

inline constexpr unsigned kPageShift = 12;
inline constexpr Address kPageOffset = (Address{1} << kPageShift) - 1;

/// A page by physical or virtual address, with its place in host memory. Loads and stores have
/// separate tags, since protection may allow only one of them.
struct QuickPage {
    static constexpr Address kHole = 0x800; ///< in a tag: there is one
    Address load_tag = kNever;              ///< address of the page, or kNever
    Address store_tag = kNever;
    std::uintptr_t to_host = 0;   ///< what an address lacks to be one of the host
    std::uint16_t hole = 0;       ///< offset of a watched word, which is not plain memory
    std::uint16_t hole_bytes = 0; ///< its size; offset and size are multiples of 8

    bool in_hole(Address address) const {
        return static_cast<std::uint32_t>(address & kPageOffset) - hole < hole_bytes;
    }
    bool has(Address address, Access access) const {
        const Address tag = access == Access::Load ? load_tag : store_tag;
        const Address start = address & ~kPageOffset;
        return tag == start || (tag == (start | kHole) && !in_hole(address));
    }
    /// True if it is known for some access.
    bool is_of(Address start) const {
        return (load_tag & ~kHole) == start || (store_tag & ~kHole) == start;
    }
    void remember(Address start, Access access) {
        const Address tag = start | (hole_bytes == 0 ? 0 : kHole);
        (access == Access::Load ? load_tag : store_tag) = tag;
    }
    std::byte* host(Address address) const {
        return reinterpret_cast<std::byte*>(to_host + address);
    }
};

class HostMemory {
  public:
    using Page = QuickPage;

    explicit HostMemory(HartBus& bus) : bus_(bus) { forget(); }

    /// Selects the pages for accesses in this mode; M-mode has its own because of PMP.
    void select(Privilege mode) { pages_ = table(mode == Privilege::Machine ? 1 : 0); }
    /// The entry that may hold this address.
    const Page& page(Address physical) const { return pages_[(physical >> kPageShift) % kPages]; }
    static constexpr unsigned kPages = 65536; ///< of a table, a power of two
    /// The first page of the selected table.
    const Page* selected() const { return pages_; }
    /// Adds the page, in which protection allows this access everywhere, to the table.
    void remember(Address physical, Access access, Cycle now);
    /// Removes the page from the table of stores.
    void forget_stores(Address page_number);
    void forget();
    /// The regions must be requested from the bus again.
    void forget_regions();

    /// The memory at `now`, or at a later device access that precedes in program order; or a copy
    /// of it, up to a later call. Null if it is not plain memory.
    std::byte* find(Address physical, unsigned size, Cycle now);
    /// Must be called for bytes of find() that have been changed.
    void put_back(const std::byte* changed, unsigned size, Cycle now) {
        if (copies_) [[unlikely]] {
            put_back_copy(changed, size, now);
        }
    }
    /// From now on memory without direct access is reached over the bus.
    void copy_over_the_bus() { copies_ = true; }
    /// False for a copy; handlers that run ahead must not have one.
    bool is_direct(Address physical, unsigned size) {
        return !copies_ || find_region(physical, size) != nullptr;
    }
    /// A device is accessed in cycle `at`.
    void reach(Cycle at) { reached_ = at; }
    /// True if the content depends on the cycle: handlers that run ahead must not access it.
    bool is_lazy(Address physical, unsigned size);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// All zero are entries that no address has, except for page 0.
    Page* table(std::size_t mode) { return reinterpret_cast<Page*>(tables_[mode].data()); }

    /// As many as one instruction uses: eight bytes, and the page table entries on the way.
    static constexpr std::size_t kCopies = 32;
    struct Copy {
        Address physical = 0;
        std::array<std::byte, 8> bytes{};
    };

    const DirectMemory* find_region(Address physical, unsigned size);
    std::byte* copy(Address physical, unsigned size, Cycle now);
    void put_back_copy(const std::byte* changed, unsigned size, Cycle now);
    Page describe(Address page_start, Cycle now);

    HartBus& bus_;
    static constexpr std::size_t kTables = 2; ///< [0] S and U, [1] M
    static HostPages empty_table() {
        return {kPages * sizeof(Page), HostPages::Size::Usual, HostPages::Copies::Whole};
    }
    std::array<HostPages, kTables> tables_{empty_table(), empty_table()};
    Page* pages_ = table(1);
    std::vector<DirectMemory> regions_;
    Cycle reached_ = 0; ///< by the last device access
    bool copies_ = false;
    std::array<Copy, kCopies> recent_{}; ///< the oldest is overwritten
    std::size_t next_copy_ = 0;
};

} // namespace pes

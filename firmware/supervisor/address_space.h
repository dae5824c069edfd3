// SPDX-License-Identifier: Apache-2.0
// Sv39 page tables of the one user program and the physical pages behind them.
#pragma once

#include <stdint.h>

namespace pes {

inline constexpr uint64_t kPageSize = 4096;

constexpr uint64_t page_up(uint64_t bytes) {
    return (bytes + kPageSize - 1) & ~(kPageSize - 1);
}

/// Free main memory behind the program images, handed out from the bottom.
class PagePool {
  public:
    PagePool(uint64_t first, uint64_t end) : next_(first), end_(end) {}
    /// Physically contiguous, cleared; 0 if there is not enough.
    uint64_t allocate(uint64_t pages);
    /// One page, for the next that wants a single one.
    void give_back(uint64_t page);

  private:
    uint64_t next_;
    uint64_t end_;
    uint64_t returned_ = 0; ///< the page given back last, whose first word is the one before
};

/// Page-table permissions with their bits in an entry (privileged specification, 4.4.1).
enum class Access : uint64_t {
    UserRead = 0x12,        ///< U R
    UserReadExecute = 0x1A, ///< U X R
    UserReadWrite = 0x16,   ///< U W R
    UserAll = 0x1E,         ///< U X W R
    Supervisor = 0x0E,      ///< X W R
};

enum class Intent : uint64_t { Read = 0x02, Write = 0x04 };

class AddressSpace {
  public:
    explicit AddressSpace(PagePool& pool);

    /// Maps whole pages; both addresses are page aligned. False if a page table could not be had.
    bool map(uint64_t virtual_address, uint64_t physical, uint64_t bytes, Access access);

    /// Takes one page out: its physical address, 0 if there was none.
    uint64_t unmap(uint64_t virtual_address);

    /// Maps one gigabyte with one entry; used for the supervisor's identity map.
    void map_gigabyte(uint64_t address);

    /// The physical address behind a user address, 0 if the user may not use it so.
    uint64_t translate(uint64_t virtual_address, Intent intent) const;

    /// The same for a range that must be physically contiguous, page by page.
    uint64_t translate_range(uint64_t virtual_address, uint64_t bytes, Intent intent) const;

    /// Makes this the current address space.
    void activate() const;

  private:
    uint64_t* page_entry(uint64_t virtual_address) const;

    uint64_t* root_;
    PagePool& pool_;
};

} // namespace pes

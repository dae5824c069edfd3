// SPDX-License-Identifier: Apache-2.0
#include "firmware/supervisor/address_space.h"

#include "firmware/boot/csr.h"

namespace pes {

namespace {

constexpr uint64_t kValid = 1 << 0;
constexpr uint64_t kReadable = 1 << 1;
constexpr uint64_t kUser = 1 << 4;
// Set from the start: CVA6 raises a page fault instead of setting them itself.
constexpr uint64_t kAccessedDirty = 1 << 6 | 1 << 7;
constexpr unsigned kPpnShift = 10;
constexpr unsigned kPageShift = 12;
constexpr unsigned kLevels = 3;
constexpr uint64_t kSv39 = uint64_t{8} << 60;
constexpr uint64_t kUserEnd = uint64_t{1} << 38;

uint64_t index_at(uint64_t address, unsigned level) {
    return address >> (kPageShift + 9 * level) & 511;
}

uint64_t* table_of(uint64_t entry) {
    return reinterpret_cast<uint64_t*>((entry >> kPpnShift) << kPageShift);
}

uint64_t make_entry(uint64_t physical, uint64_t bits) {
    return (physical >> kPageShift) << kPpnShift | bits | kValid;
}

} // namespace

uint64_t PagePool::allocate(uint64_t pages) {
    uint64_t first = next_;
    if (pages == 1 && returned_ != 0) {
        first = returned_;
        returned_ = *reinterpret_cast<uint64_t*>(first);
    } else if (pages > (end_ - next_) / kPageSize) {
        return 0;
    } else {
        next_ += pages * kPageSize;
    }
    auto* words = reinterpret_cast<uint64_t*>(first);
    for (uint64_t i = 0; i < pages * kPageSize / 8; ++i) {
        words[i] = 0;
    }
    return first;
}

void PagePool::give_back(uint64_t page) {
    *reinterpret_cast<uint64_t*>(page) = returned_;
    returned_ = page;
}

AddressSpace::AddressSpace(PagePool& pool)
    : root_(reinterpret_cast<uint64_t*>(pool.allocate(1))), pool_(pool) {}

bool AddressSpace::map(uint64_t virtual_address, uint64_t physical, uint64_t bytes, Access access) {
    for (uint64_t offset = 0; offset < bytes; offset += kPageSize) {
        uint64_t* table = root_;
        for (unsigned level = kLevels - 1; level > 0; --level) {
            uint64_t& entry = table[index_at(virtual_address + offset, level)];
            if ((entry & kValid) == 0) {
                const uint64_t page = pool_.allocate(1);
                if (page == 0) {
                    return false;
                }
                entry = make_entry(page, 0);
            }
            table = table_of(entry);
        }
        table[index_at(virtual_address + offset, 0)] =
            make_entry(physical + offset, static_cast<uint64_t>(access) | kAccessedDirty);
    }
    asm volatile("sfence.vma" ::: "memory");
    return true;
}

void AddressSpace::map_gigabyte(uint64_t address) {
    root_[index_at(address, kLevels - 1)] =
        make_entry(address, static_cast<uint64_t>(Access::Supervisor) | kAccessedDirty);
}

/// Of a page of the user; null: there is none.
uint64_t* AddressSpace::page_entry(uint64_t virtual_address) const {
    if (virtual_address >= kUserEnd) {
        return nullptr;
    }
    uint64_t* table = root_;
    for (unsigned level = kLevels; level-- > 0;) {
        uint64_t& entry = table[index_at(virtual_address, level)];
        if ((entry & kValid) == 0) {
            return nullptr;
        }
        if ((entry & kReadable) != 0) { // user pages are 4 KiB: a larger leaf is the supervisor's
            return level == 0 && (entry & kUser) != 0 ? &entry : nullptr;
        }
        table = table_of(entry);
    }
    return nullptr;
}

uint64_t AddressSpace::translate(uint64_t virtual_address, Intent intent) const {
    const uint64_t* const entry = page_entry(virtual_address);
    if (entry == nullptr || (*entry & static_cast<uint64_t>(intent)) == 0) {
        return 0;
    }
    return ((*entry >> kPpnShift) << kPageShift) | (virtual_address & (kPageSize - 1));
}

uint64_t AddressSpace::unmap(uint64_t virtual_address) {
    uint64_t* const entry = page_entry(virtual_address);
    if (entry == nullptr) {
        return 0;
    }
    const uint64_t physical = (*entry >> kPpnShift) << kPageShift;
    *entry = 0;
    asm volatile("sfence.vma %0" ::"r"(virtual_address) : "memory");
    return physical;
}

uint64_t AddressSpace::translate_range(uint64_t virtual_address, uint64_t bytes,
                                       Intent intent) const {
    const uint64_t first = translate(virtual_address, intent);
    if (first == 0 || bytes == 0 || bytes > kUserEnd) {
        return 0;
    }
    const uint64_t last = virtual_address + bytes - 1;
    for (uint64_t page = (virtual_address & ~(kPageSize - 1)) + kPageSize; page <= last;
         page += kPageSize) {
        if (translate(page, intent) != first + (page - virtual_address)) {
            return 0;
        }
    }
    return first;
}

void AddressSpace::activate() const {
    write_csr<csr::kSatp>(kSv39 | reinterpret_cast<uint64_t>(root_) >> kPageShift);
    asm volatile("sfence.vma" ::: "memory");
}

} // namespace pes

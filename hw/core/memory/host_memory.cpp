// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/host_memory.h"

#include <algorithm>

namespace pes {

const DirectMemory* HostMemory::find_region(Address physical, unsigned size) {
    const auto inside = [&](const DirectMemory& region) {
        return physical >= region.start && physical < region.end && region.end - physical >= size;
    };
    for (const DirectMemory& region : regions_) {
        if (inside(region)) [[likely]] {
            return &region;
        }
    }
    DirectMemory region;
    if (!bus_.direct_memory(physical, region) || !inside(region)) {
        return nullptr;
    }
    return &regions_.emplace_back(region);
}

std::byte* HostMemory::find(Address physical, unsigned size, Cycle now) {
    const DirectMemory* const region = find_region(physical, size);
    if (region == nullptr) {
        return copies_ ? copy(physical, size, now) : nullptr;
    }
    std::byte* const bytes = region->data + (physical - region->start);
    if (region->lazy != nullptr) {
        region->lazy->update(bytes, size, std::max(now, reached_));
    }
    return bytes;
}

std::byte* HostMemory::copy(Address physical, unsigned size, Cycle now) {
    Copy& copy = recent_[next_copy_];
    if (size > copy.bytes.size() || !bus_.read_memory(physical, copy.bytes.data(), size, now)) {
        return nullptr;
    }
    next_copy_ = (next_copy_ + 1) % kCopies;
    copy.physical = physical;
    return copy.bytes.data();
}

void HostMemory::put_back_copy(const std::byte* changed, unsigned size, Cycle now) {
    for (const Copy& copy : recent_) {
        if (copy.bytes.data() == changed) {
            bus_.write_memory(copy.physical, changed, size, now);
        }
    }
}

bool HostMemory::is_lazy(Address physical, unsigned size) {
    const DirectMemory* const region = find_region(physical, size);
    return region != nullptr && region->lazy != nullptr &&
           region->lazy->overlaps(region->data + (physical - region->start), size);
}

void HostMemory::forget_regions() {
    regions_.clear();
    forget();
}

void HostMemory::forget() {
    for (std::size_t mode = 0; mode != kTables; ++mode) {
        tables_[mode].clear();
        table(mode)[0] = {};
    }
}

void HostMemory::forget_stores(Address page_number) {
    for (std::size_t mode = 0; mode != kTables; ++mode) {
        Page& page = table(mode)[page_number % kPages];
        if ((page.store_tag & ~Page::kHole) == page_number << kPageShift) {
            page.store_tag = kNever;
        }
    }
}

void HostMemory::remember(Address physical, Access access, Cycle now) {
    const Address address = physical & ~kPageOffset;
    Page& page = pages_[(physical >> kPageShift) % kPages];
    if (!page.is_of(address)) {
        page = describe(address, now);
    }
    page.remember(address, access);
}

/// Where the page's memory is and which part of it is a hole: no memory, or lazy. The whole page is
/// one for the quick way, unless the memory is one piece around one hole.
HostMemory::Page HostMemory::describe(Address page_start, Cycle now) {
    constexpr Address kGranule = 8;
    Page page;
    const DirectMemory* const region = find_region(page_start, kGranule);
    const bool whole = region != nullptr && region->end - page_start > kPageOffset;
    if (whole && !is_lazy(page_start, kPageOffset + 1)) {
        page.to_host = reinterpret_cast<std::uintptr_t>(region->data) - region->start;
        return page;
    }
    std::byte* base = nullptr;
    for (Address offset = 0; offset <= kPageOffset; offset += kGranule) {
        const Address granule = page_start + offset;
        std::byte* const memory =
            is_lazy(granule, kGranule) ? nullptr : find(granule, kGranule, now);
        const bool first = page.hole_bytes == 0;
        if (memory == nullptr && (first || page.hole + page.hole_bytes == offset)) {
            page.hole = first ? static_cast<std::uint16_t>(offset) : page.hole;
            page.hole_bytes = static_cast<std::uint16_t>(page.hole_bytes + kGranule);
        } else if (memory != nullptr && (base == nullptr || base == memory - offset)) {
            base = memory - offset;
            page.to_host = reinterpret_cast<std::uintptr_t>(base) - page_start;
        } else {
            page.hole = 0;
            page.hole_bytes = kPageOffset + 1;
            break;
        }
    }
    return page;
}

} // namespace pes

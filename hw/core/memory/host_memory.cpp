// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/host_memory.h"

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
    if (written_late(physical, size)) [[unlikely]] {
        late_writer_->catch_up(now);
    }
    const DirectMemory* const region = find_region(physical, size);
    return region == nullptr ? nullptr : region->data + (physical - region->start);
}

void HostMemory::set_late_writer(const MemoryRange& written, LateWriter& writer) {
    written_late_ = written;
    late_writer_ = written.size == 0 ? nullptr : &writer;
    forget();
}

void HostMemory::forget() {
    for (Table& table : tables_) {
        table.fill({}); // an empty table on the stack would be larger than a thread's stack
    }
}

void HostMemory::forget_stores(Address page_number) {
    for (Table& table : tables_) {
        Page& page = table[page_number % kPages];
        if (page.store_tag == page_number) {
            page.store_tag = kNever;
        }
    }
}

void HostMemory::remember(Address physical, Access access, Cycle now) {
    const Address number = physical >> kPageShift;
    Page& page = (*pages_)[number % kPages];
    if (page.load_tag != number && page.store_tag != number) {
        page = describe(number << kPageShift, now);
    }
    (access == Access::Load ? page.load_tag : page.store_tag) = number;
}

/// Where the page's memory is and which part of it is none, or wants to be waited for: all of it,
/// for the quick way, unless the memory is one piece around one hole.
HostMemory::Page HostMemory::describe(Address page_start, Cycle now) {
    constexpr Address kGranule = 8;
    Page page;
    const DirectMemory* const region = find_region(page_start, kGranule);
    const bool on_time = !written_late(page_start, kPageOffset + 1);
    if (on_time && region != nullptr && region->end - page_start > kPageOffset) {
        page.base = region->data + (page_start - region->start);
        return page;
    }
    for (Address offset = 0; offset <= kPageOffset; offset += kGranule) {
        const Address granule = page_start + offset;
        std::byte* const memory =
            written_late(granule, kGranule) ? nullptr : find(granule, kGranule, now);
        const bool first = page.hole_bytes == 0;
        if (memory == nullptr && (first || page.hole + page.hole_bytes == offset)) {
            page.hole = first ? static_cast<std::uint16_t>(offset) : page.hole;
            page.hole_bytes = static_cast<std::uint16_t>(page.hole_bytes + kGranule);
        } else if (memory != nullptr && (page.base == nullptr || page.base == memory - offset)) {
            page.base = memory - offset;
        } else {
            page.hole = 0;
            page.hole_bytes = kPageOffset + 1;
            break;
        }
    }
    return page;
}

} // namespace pes

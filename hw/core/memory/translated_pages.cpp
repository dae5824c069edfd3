// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/translated_pages.h"

#include <bit>
#include <utility>

namespace pes {

void TranslatedPages::remember(Address address, Address physical, const HostMemory::Page& host,
                               const Tlb& tlb) {
    const Address start = address & ~kPageOffset;
    const std::size_t index = (address >> kPageShift) % kPages;
    Page& page = selected_[index];
    const Address to_physical = physical - address;
    const bool same =
        page.is_of(start) && page.to_physical == to_physical && page.entry == tlb.last();
    if (!same) {
        page = {{.to_host = host.to_host + to_physical,
                 .hole = host.hole,
                 .hole_bytes = host.hole_bytes},
                tlb.last(),
                to_physical,
                tlb.path(tlb.last())};
    }
    for (const Access access : {Access::Load, Access::Store}) {
        if (host.has(physical, access)) {
            page.remember(start, access);
        }
    }
    Table& table = tables_[selected_ == tables_[1].pages.data() ? 1 : 0];
    table.of_entry[page.entry][index / kBits] |= std::uint64_t{1} << index % kBits;
}

void TranslatedPages::forget() {
    for (Table& table : tables_) {
        for (std::uint32_t entry = 0; entry < Tlb::kMaxEntries; ++entry) {
            if (table.of_entry[entry] != PageBits{}) {
                forget_entry(entry);
            }
        }
    }
}

void TranslatedPages::forget_entry(std::uint32_t entry) {
    for (Table& table : tables_) {
        for (std::size_t word = 0; word != kPages / kBits; ++word) {
            for (std::uint64_t left = std::exchange(table.of_entry[entry][word], 0); left != 0;
                 left &= left - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(left));
                Page& page = table.pages[word * kBits + bit];
                if (page.entry == entry) { // else another has taken its place
                    page.load_tag = page.store_tag = kNever;
                }
            }
        }
    }
}

void TranslatedPages::forget_stores(Address page_number) {
    for (Table& table : tables_) {
        for (Page& page : table.pages) {
            if (page.physical(page.store_tag) >> kPageShift == page_number) {
                page.store_tag = kNever;
            }
        }
    }
}

} // namespace pes

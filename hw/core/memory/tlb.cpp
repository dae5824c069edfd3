// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/tlb.h"

namespace pes {

Tlb::Tlb(unsigned entries) : entries_(entries) {
    for (unsigned index = 0; index < entries_; ++index) {
        unsigned node = 1;
        for (unsigned half = entries_ / 2; half != 0; half /= 2) {
            const bool right = (index & half) != 0;
            (right ? path_[index].ones : path_[index].zeros) |= std::uint64_t{1} << node;
            node = 2 * node + (right ? 1 : 0);
        }
    }
}

const TlbEntry* Tlb::lookup_all(std::uint64_t page, std::uint16_t asid) {
    if (page == absent_page_ && asid == absent_asid_) {
        return nullptr;
    }
    const std::optional<unsigned> index = first_match(page, asid);
    if (!index) {
        absent_page_ = page;
        absent_asid_ = asid;
        return nullptr;
    }
    touch(*index);
    return &entry_[*index];
}

/// A hint is the first match as long as no entry has been filled and the ASID is the same.
std::optional<unsigned> Tlb::first_match(std::uint64_t page, std::uint16_t asid) {
    if (asid != hints_asid_) {
        hints_.fill(0);
        hints_asid_ = asid;
    }
    std::uint8_t& hint = hints_[page % kHints];
    if (entry_[hint].matches(page, asid)) {
        return hint;
    }
    for (unsigned index = 0; index < entries_; ++index) {
        if (entry_[index].matches(page, asid)) {
            hint = static_cast<std::uint8_t>(index);
            return index;
        }
    }
    return std::nullopt;
}

unsigned Tlb::victim() const {
    unsigned node = 1;
    unsigned index = 0;
    for (unsigned half = entries_ / 2; half != 0; half /= 2) {
        const bool right = ((tree_ >> node) & 1) != 0;
        index += right ? half : 0;
        node = 2 * node + (right ? 1 : 0);
    }
    return index;
}

void Tlb::insert(const TlbEntry& entry) {
    touch(victim()); // the access that missed now hits
    replace(entry);
}

/// Another entry that matched one page of this address space would have been found.
void Tlb::replace(const TlbEntry& entry) {
    constexpr std::uint64_t kOnePage = ~std::uint64_t{0};
    entry_[last_] = entry;
    hints_.fill(0);
    absent_page_ = kNoPage;
    const bool only_one = entry.page_mask == kOnePage && !entry.global;
    overlapping_ = overlapping_ || (!only_one && overlaps_others(last_));
}

bool Tlb::overlaps_others(unsigned index) const {
    for (unsigned other = 0; other < entries_; ++other) {
        if (other != index && entry_[other].overlaps(entry_[index])) {
            return true;
        }
    }
    return false;
}

std::uint64_t Tlb::flush(std::optional<Address> address, std::optional<std::uint16_t> asid) {
    std::uint64_t flushed = 0;
    for (unsigned index = 0; index < entries_; ++index) {
        TlbEntry& entry = entry_[index];
        const bool page_hit = !address || (((*address >> 12) ^ entry.page) & entry.page_mask) == 0;
        const bool asid_hit = !asid || (entry.asid == *asid && !entry.global);
        if (page_hit && asid_hit) {
            flushed |= std::uint64_t{entry.valid} << index;
            entry.valid = false;
        }
    }
    overlapping_ = overlapping_ && (address || asid);
    return flushed;
}

} // namespace pes

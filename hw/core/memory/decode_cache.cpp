// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/decode_cache.h"

#include <utility>

namespace pes {

std::optional<std::uint32_t> CondensedPage::word(std::size_t slot) const {
    if (!present_[slot]) {
        return std::nullopt;
    }
    const std::size_t before = (present_ << (kSlots - 1 - slot)).count() - 1;
    return words_[before];
}

void CondensedPage::update(const std::array<Instruction, kSlots>& slots) {
    std::vector<std::uint32_t> words;
    std::size_t old = 0;
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        const bool decoded = slots[slot].execute != nullptr;
        if (decoded) {
            words.push_back(slots[slot].raw);
        } else if (present_[slot]) {
            words.push_back(words_[old]);
        }
        old += present_[slot] ? 1 : 0;
        present_[slot] = present_[slot] || decoded;
    }
    words.shrink_to_fit();
    words_ = std::move(words);
}

DecodedPage& DecodeCache::page(Address physical) {
    std::unique_ptr<DecodedPage>& page = pages_[physical];
    const bool is_new = page == nullptr;
    if (is_new) {
        page = std::make_unique<DecodedPage>();
        const auto found = condensed_.find(physical);
        page->condensed = found == condensed_.end() ? nullptr : &found->second;
    } else if (page->generation != generation_) {
        page->slots.fill({});
        page->condensed = nullptr; // flush() has dropped it
    }
    page->generation = generation_;
    return *page;
}

void DecodeCache::condense() {
    for (const auto& [physical, page] : pages_) {
        if (page->generation == generation_) {
            condensed_[physical].update(page->slots);
        }
    }
    pages_.clear();
}

} // namespace pes

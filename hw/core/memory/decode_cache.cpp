// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/decode_cache.h"

#include "hw/core/arch/decode.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace pes {

namespace {

/// Nothing is in memory that is not there.
bool is_in(PageBytes memory, std::size_t slot, std::uint32_t word) {
    constexpr std::size_t kParcel = 2; // bytes
    return !memory.empty() &&
           std::memcmp(&word, memory.data() + kParcel * slot, length_of(word)) == 0;
}

} // namespace

// --- Condensed pages ----------------------------------------------------------------------------

std::optional<std::uint32_t> CondensedPage::word(std::size_t slot) const {
    if (!has(slot)) {
        return std::nullopt;
    }
    const std::uint64_t lower = present_[slot / kBits] & ((std::uint64_t{1} << slot % kBits) - 1);
    auto before = static_cast<std::size_t>(std::popcount(lower));
    for (std::size_t index = 0; index < slot / kBits; ++index) {
        before += static_cast<std::size_t>(std::popcount(present_[index]));
    }
    return words_[before];
}

void CondensedPage::update(const DecodedPage& page) {
    std::vector<std::uint32_t> words;
    std::size_t old = 0;
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        const bool decoded = page[slot].execute != nullptr;
        if (decoded) {
            words.push_back(page[slot].raw);
        } else if (has(slot)) {
            words.push_back(words_[old]);
        }
        old += has(slot) ? 1 : 0;
        set(slot, has(slot) || decoded);
    }
    words.shrink_to_fit();
    words_ = std::move(words);
}

bool CondensedPage::compare(PageBytes memory) {
    std::vector<std::uint32_t> kept;
    std::size_t old = 0;
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        if (!has(slot)) {
            continue;
        }
        const std::uint32_t word = words_[old++];
        const bool same = is_in(memory, slot, word);
        set(slot, same);
        if (same) {
            kept.push_back(word);
        }
    }
    const bool all = kept.size() == words_.size();
    words_ = std::move(kept);
    return all;
}

// --- Decoded pages ------------------------------------------------------------------------------

constinit const DecodedPage::Line DecodedPage::kEmpty{};

const Instruction& DecodedPage::fill(std::size_t slot, const Instruction& instruction) {
    as_image_ = as_image_ && is_in(image_, slot, instruction.raw);
    return own_line(slot)[slot % kLineSlots] = instruction;
}

/// The line of the slot, to be written.
DecodedPage::Line& DecodedPage::own_line(std::size_t slot) {
    const Line*& line = lines_[slot / kLineSlots];
    if (line == &kEmpty) {
        line = own_.emplace_back(std::make_unique<Line>()).get();
    }
    return const_cast<Line&>(*line);
}

void DecodedPage::start_from(PageBytes memory) {
    as_image_ = !memory.empty();
    std::ranges::copy(memory, image_.begin());
}

bool DecodedPage::compare(PageBytes memory) {
    if (as_image_ && !memory.empty() && std::memcmp(memory.data(), image_.data(), kBytes) == 0) {
        return true;
    }
    bool all = true;
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        const Instruction& instruction = (*this)[slot];
        if (instruction.execute != nullptr && !is_in(memory, slot, instruction.raw)) {
            own_line(slot)[slot % kLineSlots] = {};
            all = false;
        }
    }
    start_from(memory);
    return all;
}

// --- The cache ----------------------------------------------------------------------------------

DecodedPage& DecodeCache::add(Address physical) {
    std::unique_ptr<DecodedPage>& page = pages_[physical];
    page = std::make_unique<DecodedPage>();
    if (const auto found = condensed_.find(physical); found != condensed_.end()) {
        page->condensed = &found->second;
        page->version = found->second.version;
    }
    return *page; // generation 0, so it is stale
}

void DecodeCache::renew(DecodedPage& page, PageBytes memory) {
    const bool is_new = page.generation == 0;
    bool same = true;
    if (is_new) {
        page.start_from(memory);
    } else {
        same = page.compare(memory);
    }
    if (page.condensed != nullptr && page.condensed->generation != generation_) {
        same &= page.condensed->compare(memory);
        page.condensed->generation = generation_;
    }
    if (!same || page.version == 0) {
        page.version = ++versions_;
    }
    page.generation = generation_;
}

void DecodeCache::condense() {
    for (const auto& [physical, page] : pages_) {
        if (page->generation != 0) {
            CondensedPage& condensed = condensed_[physical];
            condensed.update(*page);
            condensed.generation = page->generation;
            condensed.version = page->version;
        }
    }
    pages_.clear();
    recent_.fill({});
}

} // namespace pes

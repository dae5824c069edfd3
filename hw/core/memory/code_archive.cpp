// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of decoded code. Until fence.i, an instruction that was decoded stays what
// it was, whatever is stored over it; so it matters which ones are decoded. Their words are mostly
// those in memory, and only the others are saved.
//
// A restored page is like one that condense() has left (decode_cache.h).
#include "hw/common/archive.h"
#include "hw/core/arch/decode.h"
#include "hw/core/memory/code_memory.h"
#include "hw/core/memory/decode_cache.h"

#include <algorithm>
#include <cstring>

namespace pes {

namespace {

constexpr std::size_t kParcel = 2; // bytes

/// The word in memory whose first half is that of the slot; nothing if it is not all there.
std::optional<std::uint32_t> word_in(PageBytes memory, std::size_t slot) {
    const std::size_t offset = kParcel * slot;
    if (memory.empty()) {
        return std::nullopt;
    }
    std::uint16_t halves[2] = {};
    std::memcpy(&halves[0], memory.data() + offset, kParcel);
    if (length_of(halves[0]) == kParcel) {
        return halves[0];
    }
    if (offset + sizeof halves > memory.size()) {
        return std::nullopt;
    }
    std::memcpy(&halves[1], memory.data() + offset + kParcel, kParcel);
    return static_cast<std::uint32_t>(halves[1]) << 16 | halves[0];
}

/// The word of a slot that is not the one in memory.
struct OtherWord {
    std::uint16_t slot = 0;
    std::uint32_t word = 0;

    void state(Archive& archive) {
        archive.below(slot, CondensedPage::kSlots);
        archive(word);
    }
};

} // namespace

void CondensedPage::state(Archive& archive, PageBytes memory) {
    std::vector<OtherWord> others;
    if (archive.saves()) {
        auto word = words_.begin();
        for (std::size_t slot = 0; slot < kSlots; ++slot) {
            if (!has(slot)) {
                continue;
            }
            if (word_in(memory, slot) != *word) {
                others.push_back({.slot = static_cast<std::uint16_t>(slot), .word = *word});
            }
            ++word;
        }
    }
    archive(present_, others);
    if (archive.saves()) {
        return;
    }
    words_.clear();
    auto other = others.begin();
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        if (!has(slot)) {
            continue;
        }
        const bool differs = other != others.end() && other->slot == slot;
        const auto word = differs ? std::optional((other++)->word) : word_in(memory, slot);
        if (!word) {
            archive.refuse("a decoded instruction is not in memory");
        }
        words_.push_back(*word);
    }
}

void DecodeCache::state(Archive& archive, const std::function<PageBytes(Address)>& memory) {
    constexpr std::uint64_t kStale = 1, kFresh = 2;
    std::vector<std::pair<Address, bool>> pages; // and whether they must be compared with memory
    std::unordered_map<Address, CondensedPage> merged;
    if (archive.saves()) {
        merged = condensed_;
        for (const auto& [physical, page] : pages_) {
            if (page->generation != 0) {
                merged[physical].update(*page);
                merged[physical].generation = page->generation;
            }
        }
        for (const auto& [physical, page] : merged) {
            pages.emplace_back(physical, page.generation != generation_);
        }
        std::ranges::sort(pages);
    }
    archive(pages);
    for (const auto& [physical, stale] : pages) {
        if (physical % DecodedPage::kBytes != 0) {
            archive.refuse("a page is not where pages are");
        }
        CondensedPage& page = merged[physical];
        page.state(archive, memory(physical));
        page.generation = archive.saves() ? page.generation : stale ? kStale : kFresh;
    }
    if (!archive.saves()) {
        pages_.clear();
        recent_.fill({});
        condensed_ = std::move(merged);
        generation_ = kFresh;
    }
}

void CodeMemory::state(Archive& archive) {
    decoded_.state(archive, [this](Address physical) {
        const bool plain =
            config_.memory.contains(physical) && !host_.is_lazy(physical, DecodedPage::kBytes);
        const std::byte* const bytes =
            plain ? host_.find(physical, DecodedPage::kBytes, time_.decode) : nullptr;
        return bytes == nullptr ? PageBytes() : PageBytes(bytes, DecodedPage::kBytes);
    });
    Page page = page_;
    archive(page.virtual_page, page.physical_page, page.global);
    archive.one_of(fault_.cause, Cause::StorePage);
    archive(fault_.address);
    if (archive.saves()) {
        return;
    }
    fault_.walk = nullptr; // the pipeline has it, and where it failed
    forget_pages();
    if (page.virtual_page == Page::kNone) {
        return;
    }
    if (page.physical_page % DecodedPage::kBytes != 0 ||
        !config_.memory.contains(page.physical_page)) {
        archive.refuse("a page of code is outside main memory");
    }
    DecodedPage& decoded = decoded_page(page.physical_page);
    page_ = {.virtual_page = page.virtual_page,
             .physical_page = page.physical_page,
             .decoded = &decoded,
             .version = decoded.version,
             .uniform_protection = arch_.csr.pmp().uniform_in_page(page.physical_page),
             .global = page.global};
}

} // namespace pes

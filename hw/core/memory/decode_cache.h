// SPDX-License-Identifier: Apache-2.0
// Decoded instructions by physical page: one slot a half-word, filled on first execution. Stores do
// not empty it (the specification requires fence.i). After a fence.i, whoever uses a page first
// compares it with memory: slots whose words are still there stay, the others are emptied.
//
// A decoded page takes 5 KiB, and 1.25 KiB for each 64 bytes of code with a decoded slot. Once as
// many are decoded as may be, condense() keeps only the instruction words of all of them, and a
// slot is decoded again from its word when it is needed. So the size of the cache does not change
// what the hart executes: a word that a store has changed in memory stays what it was until
// fence.i.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace pes {

/// The bytes of a whole page; none if it is not plain memory throughout.
using PageBytes = std::span<const std::byte>;

class DecodedPage;

/// What remains of a decoded page: the words of the slots that were decoded.
class CondensedPage {
  public:
    static constexpr std::size_t kSlots = 2048;

    std::optional<std::uint32_t> word(std::size_t slot) const;
    /// Takes the words of the decoded slots; keeps what it has for those that are empty.
    void update(const DecodedPage& page);
    /// Keeps what is in memory. False if that is not all.
    bool compare(PageBytes memory);

    std::uint64_t generation = 0; ///< see DecodeCache
    std::uint64_t version = 0;    ///< likewise

    void state(class Archive& archive, PageBytes memory); ///< of a checkpoint

  private:
    static constexpr std::size_t kBits = 64;

    bool has(std::size_t slot) const { return (present_[slot / kBits] >> slot % kBits & 1) != 0; }
    void set(std::size_t slot, bool present) {
        const std::uint64_t bit = std::uint64_t{1} << slot % kBits;
        present_[slot / kBits] = (present_[slot / kBits] & ~bit) | (present ? bit : 0);
    }

    std::array<std::uint64_t, kSlots / kBits> present_{}; ///< a bit for each slot
    std::vector<std::uint32_t> words_;                    ///< of those, in their order
};

class DecodedPage {
  public:
    static constexpr std::size_t kSlots = CondensedPage::kSlots, kBytes = 2 * kSlots;

    DecodedPage() { lines_.fill(&kEmpty); }
    const Instruction& operator[](std::size_t slot) const {
        return (*lines_[slot / kLineSlots])[slot % kLineSlots];
    }

    CondensedPage* condensed = nullptr; ///< null: there is none
    std::uint64_t generation = 0;       ///< see DecodeCache
    std::uint64_t version = 0;          ///< likewise

    const Instruction& fill(std::size_t slot, const Instruction& instruction);
    /// To be called before the first fill().
    void start_from(PageBytes memory);
    /// Keeps the slots whose words are in memory. False if those are not all.
    bool compare(PageBytes memory);

  private:
    static constexpr std::size_t kLineSlots = 32;
    using Line = std::array<Instruction, kLineSlots>;
    static const Line kEmpty; ///< where nothing is decoded

    Line& own_line(std::size_t slot);

    std::array<const Line*, kSlots / kLineSlots> lines_;
    std::vector<std::unique_ptr<Line>> own_; ///< of the lines, those that are not kEmpty
    std::array<std::byte, kBytes> image_;    ///< memory when it was compared last
    bool as_image_ = false;                  ///< all slots have the words of the image
};

class DecodeCache {
  public:
    explicit DecodeCache(std::size_t most_pages) : most_pages_(most_pages) {}

    /// The page at `physical` (4 KiB aligned), to be renewed if it is from before the last flush.
    /// The reference is valid until condense().
    DecodedPage& page(Address physical) {
        Found& recent = recent_[physical / DecodedPage::kBytes % recent_.size()];
        if (recent.physical != physical) {
            const auto found = pages_.find(physical);
            recent = {physical, found == pages_.end() ? &add(physical) : found->second.get()};
        }
        return *recent.page;
    }
    bool stale(const DecodedPage& page) const { return page.generation != generation_; }
    /// Compares it with memory. A version belongs to one page, with the words that it had: if one
    /// has changed, the page gets a new version.
    void renew(DecodedPage& page, PageBytes memory);

    /// fence.i
    void flush() { ++generation_; }

    bool full() const { return pages_.size() >= most_pages_; }
    void condense();

    /// `memory(physical)`: the bytes of a page.
    void state(class Archive& archive, const std::function<PageBytes(Address)>& memory);

  private:
    struct Found {
        Address physical = kNever;
        DecodedPage* page = nullptr;
    };

    DecodedPage& add(Address physical);

    std::size_t most_pages_;
    std::array<Found, 1024> recent_{}; ///< by number of the page
    std::unordered_map<Address, std::unique_ptr<DecodedPage>> pages_;
    std::unordered_map<Address, CondensedPage> condensed_;
    std::uint64_t generation_ = 1; ///< grows with each flush
    std::uint64_t versions_ = 0;   ///< given so far
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Decoded instructions by physical page: one slot a half-word, filled on first execution. fence.i
// empties it; stores do not (the specification requires fence.i).
//
// A decoded page takes 80 KiB. Once as many are decoded as may be, condense() keeps only the
// instruction words of all of them, and a slot is decoded again from its word when it is needed. So
// the size of the cache does not change what the hart executes: a word that a store has changed in
// memory stays what it was until fence.i.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/types.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace pes {

/// What remains of a decoded page: the words of the slots that were decoded.
class CondensedPage {
  public:
    static constexpr std::size_t kSlots = 2048;

    std::optional<std::uint32_t> word(std::size_t slot) const;
    /// Takes the words of the decoded slots; keeps what it has for those that are empty.
    void update(const std::array<Instruction, kSlots>& slots);

  private:
    std::bitset<kSlots> present_;
    std::vector<std::uint32_t> words_; ///< of the slots in present_, in their order
};

struct DecodedPage {
    std::array<Instruction, CondensedPage::kSlots> slots{};
    std::uint64_t generation = 0;
    const CondensedPage* condensed = nullptr; ///< of the same generation; null: there is none
};

class DecodeCache {
  public:
    explicit DecodeCache(std::size_t most_pages) : most_pages_(most_pages) {}

    /// The page at `physical` (4 KiB aligned); its slots are empty if they are from before the last
    /// flush. The reference is valid until condense().
    DecodedPage& page(Address physical);
    void flush() {
        ++generation_;
        condensed_.clear();
    }

    bool full() const { return pages_.size() >= most_pages_; }
    void condense();

  private:
    std::size_t most_pages_;
    std::unordered_map<Address, std::unique_ptr<DecodedPage>> pages_;
    std::unordered_map<Address, CondensedPage> condensed_; ///< of this generation
    std::uint64_t generation_ = 0;
};

} // namespace pes

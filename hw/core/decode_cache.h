// SPDX-License-Identifier: Apache-2.0
// Decoded instructions by physical page: one slot a half-word, filled on first execution. fence.i
// empties it; stores do not (the specification asks for fence.i).
#pragma once

#include "hw/common/types.h"
#include "hw/core/instruction.h"

#include <array>
#include <memory>
#include <unordered_map>

namespace pes {

struct DecodedPage {
    std::array<Instruction, 2048> slots{};
    std::uint64_t generation = 0;
};

class DecodeCache {
  public:
    /// The page at `physical` (4 KiB aligned); its slots are empty if they are from before the last
    /// flush. The reference stays valid.
    DecodedPage& page(Address physical);
    void flush() { ++generation_; }

  private:
    std::unordered_map<Address, std::unique_ptr<DecodedPage>> pages_;
    std::uint64_t generation_ = 0;
};

inline DecodedPage& DecodeCache::page(Address physical) {
    std::unique_ptr<DecodedPage>& page = pages_[physical];
    if (page == nullptr) {
        page = std::make_unique<DecodedPage>();
        page->generation = generation_;
    } else if (page->generation != generation_) {
        page->slots.fill({});
        page->generation = generation_;
    }
    return *page;
}

} // namespace pes

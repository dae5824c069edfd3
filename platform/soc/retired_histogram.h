// SPDX-License-Identifier: Apache-2.0
// The exact profile: how often each instruction retired and how many cycles passed up to its
// retirement since the one before, in all and in machine mode. It is the truth that a sampled
// profile is compared with.
#pragma once

#include "hw/common/retirement.h"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>

namespace pes {

class RetiredHistogram : public HartObserver {
  public:
    void retired(const Retirement& retirement) override;

    /// "pc,count,cycles,machine_count,machine_cycles", one line an instruction, in order of
    /// address; the last two are the part of the two before that was in machine mode.
    std::string csv() const;

  private:
    static constexpr unsigned kPageBits = 12;
    static constexpr std::size_t kSlots = (std::size_t{1} << kPageBits) / 2; // one a half-word

    struct Slot {
        std::uint64_t count = 0;
        std::uint64_t cycles = 0;
    };
    using Page = std::array<Slot, kSlots>;

    /// By page number and, in the lowest bit, whether it counts what ran in machine mode.
    std::unordered_map<Address, std::unique_ptr<Page>> pages_;
    Address last_key_ = ~Address{0}; ///< no page has this key
    Page* last_page_ = nullptr;
    Cycle last_cycle_ = 0;
};

} // namespace pes

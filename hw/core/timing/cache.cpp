// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/cache.h"

#include <algorithm>
#include <bit>

namespace pes {

Cache::Cache(const CacheGeometry& geometry)
    : line_shift_(static_cast<unsigned>(std::countr_zero(geometry.line_bytes))),
      set_mask_(geometry.bytes / geometry.ways / geometry.line_bytes - 1), ways_(geometry.ways),
      way_mask_(geometry.ways - 1), tap_(geometry.lfsr_tap), lfsr_(geometry.lfsr_reset),
      lines_(geometry.bytes / geometry.line_bytes, kNoLine) {}

Lookup Cache::access_line(Address line) {
    Address* const set = lines_.data() + (line & set_mask_) * ways_;
    last_line_ = line;
    for (std::uint32_t way = 0; way < ways_; ++way) {
        if (set[way] == line) {
            return Lookup::Hit;
        }
    }
    for (std::uint32_t way = 0; way < ways_; ++way) {
        if (set[way] == kNoLine) {
            set[way] = line;
            return Lookup::MissIntoFreeWay;
        }
    }
    set[lfsr_ & way_mask_] = line;
    const bool out = (lfsr_ & 1) != 0;
    lfsr_ = static_cast<std::uint8_t>((lfsr_ >> 1) ^ (out ? tap_ : 0));
    return Lookup::MissIntoFullSet;
}

bool Cache::contains(Address physical) const {
    const Address line = physical >> line_shift_;
    const auto set = lines_.begin() + static_cast<std::ptrdiff_t>((line & set_mask_) * ways_);
    return std::find(set, set + ways_, line) != set + ways_;
}

void Cache::invalidate_all() {
    std::fill(lines_.begin(), lines_.end(), kNoLine);
    last_line_ = kNoLine;
}

} // namespace pes

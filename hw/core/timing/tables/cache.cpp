// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/tables/cache.h"

#include <algorithm>
#include <bit>

namespace pes {

Cache::Cache(const CacheGeometry& geometry)
    : line_shift_(static_cast<unsigned>(std::countr_zero(geometry.line_bytes))),
      set_mask_(geometry.bytes / geometry.ways / geometry.line_bytes - 1), ways_(geometry.ways),
      way_mask_(geometry.ways - 1), tap_(geometry.lfsr_tap), lfsr_(geometry.lfsr_reset),
      last_way_(set_mask_ + 1), lines_(geometry.bytes / geometry.line_bytes, kNoLine),
      free_lines_(lines_.size()) {}

Lookup Cache::access_line(Address line) {
    const Address index = line & set_mask_;
    Address* const set = lines_.data() + index * ways_;
    const auto find = [&](Address wanted) {
        std::uint32_t way = 0;
        while (way < ways_ && set[way] != wanted) {
            ++way;
        }
        return way;
    };
    if (const std::uint32_t way = find(line); way != ways_) {
        last_way_[index] = static_cast<std::uint8_t>(way);
        return Lookup::Hit;
    }
    ++fills_;
    std::uint32_t way = free_lines_ == 0 ? ways_ : find(kNoLine);
    const Lookup miss = way != ways_ ? Lookup::MissIntoFreeWay : Lookup::MissIntoFullSet;
    if (miss == Lookup::MissIntoFullSet) {
        way = lfsr_ & way_mask_;
        const bool out = (lfsr_ & 1) != 0;
        lfsr_ = static_cast<std::uint8_t>((lfsr_ >> 1) ^ (out ? tap_ : 0));
    } else {
        --free_lines_;
    }
    set[way] = line;
    last_way_[index] = static_cast<std::uint8_t>(way);
    return miss;
}

Lookup Cache::look(Address physical) const {
    const Address line = physical >> line_shift_;
    const Address* const set = lines_.data() + (line & set_mask_) * ways_;
    if (std::find(set, set + ways_, line) != set + ways_) {
        return Lookup::Hit;
    }
    const bool free = free_lines_ != 0 && std::find(set, set + ways_, kNoLine) != set + ways_;
    return free ? Lookup::MissIntoFreeWay : Lookup::MissIntoFullSet;
}

void Cache::invalidate_all() {
    std::fill(lines_.begin(), lines_.end(), kNoLine);
    free_lines_ = lines_.size();
    last_line_ = kNoLine;
    ++fills_;
}

void Cache::invalidate_set(Address physical) {
    const Address set = (physical >> line_shift_) & set_mask_;
    for (std::uint32_t way = 0; way != ways_; ++way) {
        Address& line = lines_[set * ways_ + way];
        free_lines_ += line == kNoLine ? 0 : 1;
        line = kNoLine;
    }
    last_line_ = kNoLine;
    ++fills_;
}

} // namespace pes

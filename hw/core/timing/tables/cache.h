// SPDX-License-Identifier: Apache-2.0
// Tags of a set-associative cache: the lines that are present, and the line that a fill replaces.
// Invalid ways fill first, then the way selected by the low bits of an 8-bit LFSR that steps on
// each fill of a full set. Holds no data and no time.
#pragma once

#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <vector>

namespace pes {

enum class Lookup : std::uint8_t {
    Hit,
    MissIntoFreeWay,
    MissIntoFullSet, ///< a line is evicted
};

class Cache {
  public:
    explicit Cache(const CacheGeometry& geometry);

    /// Looks the address up; a miss fills the line.
    Lookup access(Address physical) {
        const Address line = physical >> line_shift_;
        if (line == last_line_) { // hits change no state
            return Lookup::Hit;
        }
        last_line_ = line;
        const Address set = line & set_mask_;
        if (lines_[set * ways_ + last_way_[set]] == line) [[likely]] {
            return Lookup::Hit;
        }
        return access_line(line);
    }

    /// For native code: what access() looks at.
    struct Parts {
        const std::uint64_t* fills; ///< while it is unchanged, lines that hit still hit
        Address* last_line;
        const std::uint8_t* last_way;
        const Address* lines;
        unsigned line_shift;
        Address set_mask;
        std::uint32_t ways;
    };
    Parts parts() {
        return {.fills = &fills_,
                .last_line = &last_line_,
                .last_way = last_way_.data(),
                .lines = lines_.data(),
                .line_shift = line_shift_,
                .set_mask = set_mask_,
                .ways = ways_};
    }

    /// What access() would return, which changes nothing.
    Lookup look(Address physical) const;
    bool contains(Address physical) const {
        const Address line = physical >> line_shift_;
        const Address set = line & set_mask_;
        return lines_[set * ways_ + last_way_[set]] == line || look(physical) == Lookup::Hit;
    }
    Address line(Address physical) const { return physical >> line_shift_; }
    Address line_start(Address physical) const { return line(physical) << line_shift_; }
    bool same_set(Address line, Address other) const { return ((line ^ other) & set_mask_) == 0; }
    void invalidate_all();
    /// Every line in the set of this address.
    void invalidate_set(Address physical);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr Address kNoLine = ~Address{0};

    Lookup access_line(Address line);

    unsigned line_shift_;
    Address set_mask_;
    std::uint32_t ways_;
    std::uint32_t way_mask_;
    std::uint8_t tap_;
    std::uint8_t lfsr_;
    std::uint64_t fills_ = 1;            ///< and invalidations
    Address last_line_ = kNoLine;        ///< present: the last access hit or filled it
    std::vector<std::uint8_t> last_way_; ///< of each set, where the last access went
    std::vector<Address> lines_;         ///< set-major; kNoLine = invalid
    std::size_t free_lines_;             ///< invalid ones
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What a run that goes back tells the snapshot that is to run in its place.
#pragma once

#include "platform/gdb/target.h"
#include "platform/history/position.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pes {

struct Errand {
    static constexpr std::size_t kMostPoints = 2'000;
    static constexpr std::uint64_t kAnyTotal = 0; ///< of a place: whenever its hart is there

    enum class Kind : std::uint8_t {
        Land,   ///< goes to the place, and tells the client of `stop`
        Search, ///< for the last breakpoint or watched access before the place
    };
    Kind kind = Kind::Land;
    history::Position place{};
    gdb::Stop stop{};
    bool last_access = true; ///< of a search: one by the last instruction before the place counts
    /// What the client has set up by now.
    bool physical = false;
    std::size_t point_count = 0;
    std::array<gdb::Point, kMostPoints> points{};
};
static_assert(std::is_trivially_copyable_v<Errand>);

} // namespace pes

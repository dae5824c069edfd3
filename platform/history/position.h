// SPDX-License-Identifier: Apache-2.0
// A place of a run between two instructions. Harts take turns in an order that is the same in every
// run, so how many instructions and traps all of them have passed together says how far a run is.
#pragma once

#include <array>
#include <cstdint>

namespace pes::history {

inline constexpr unsigned kMostHarts = 8;

/// Where one hart is.
struct Position {
    unsigned hart = 0;
    std::uint64_t passed = 0; ///< instructions and traps of this hart
    std::uint64_t total = 0;  ///< of all harts
};

/// Where all of them are, seen from the one whose thread runs.
struct Mark {
    unsigned hart = 0;
    std::uint64_t total = 0;
    std::array<std::uint64_t, kMostHarts> passed{};

    Position position() const { return {.hart = hart, .passed = passed[hart], .total = total}; }
};

} // namespace pes::history

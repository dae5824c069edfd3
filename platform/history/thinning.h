// SPDX-License-Identifier: Apache-2.0
// Which of several snapshots is to go when another one needs its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pes::history {

struct Candidate {
    std::uint64_t total = 0; ///< how far the run is there
    bool needed = false;     ///< the client has written there: no run from before comes by it
};

/// The older, the sparser: the one in whose place the smallest gap would be, compared with its
/// distance from `now`. The first one, where history begins, and the last one stay. If all others
/// are needed, the first one: history begins later then. `kept` ascends and is not empty.
std::size_t least_useful(std::span<const Candidate> kept, std::uint64_t now);

} // namespace pes::history

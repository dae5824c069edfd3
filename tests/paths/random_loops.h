// SPDX-License-Identifier: Apache-2.0
// Random loops for samplers. Their instructions hardly wait for each other, so many are in flight
// at the end of a block: divisions, misses, atomics and device accesses retire long after what is
// behind them has been decoded.
#pragma once

#include <cstdint>
#include <string>

namespace pes::paths {

struct LoopRequest {
    std::uint64_t seed = 0;
    unsigned harts = 1; ///< all run the same loops, each in memory of its own and on a shared word
    unsigned loops = 10;
};

/// Assembly, for tests/differential/link.ld. The same for the same request.
std::string random_loops(const LoopRequest& request);

} // namespace pes::paths

// SPDX-License-Identifier: Apache-2.0
// Bounds of spans and of counters.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// Answer of safe_cycles() when nothing is armed; leaves room for now() to be added.
inline constexpr Cycle kUnbounded = Cycle{1} << 62;

/// The largest value of a counter with `count` bits, 1..64.
constexpr std::uint64_t low_bits(unsigned count) {
    return ~std::uint64_t{0} >> (64 - count);
}

} // namespace pes

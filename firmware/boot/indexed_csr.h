// SPDX-License-Identifier: Apache-2.0
// Access to the counter CSRs by a run-time index. The CSR number is part of the instruction, so the
// index is turned into one by a jump table over all of them.
#pragma once

#include "firmware/boot/csr.h"
#include "hw/interface/pmu/counter_csr.h"

#include <stdint.h>

namespace pes {

constexpr bool is_counter_index(unsigned n) {
    return n == kCycleIndex || (n >= kInstretIndex && n < kCounterLimit);
}

/// Calls `visit.template operator()<N>()` for every counter index N, in order.
template <unsigned First = 0, typename Visit>
void for_each_index(Visit visit) {
    if constexpr (First < kCounterLimit) {
        if constexpr (is_counter_index(First)) {
            visit.template operator()<First>();
        }
        for_each_index<First + 1>(visit);
    }
}

/// Calls it for the N that equals `n`, if there is one. An if-else chain over consecutive numbers,
/// which the compiler turns into a jump table.
template <unsigned First = 0, typename Visit>
[[gnu::always_inline]] inline void with_index(unsigned n, Visit visit) {
    if constexpr (First < kCounterLimit) {
        if constexpr (is_counter_index(First)) {
            if (n == First) {
                visit.template operator()<First>();
                return;
            }
        }
        with_index<First + 1>(n, visit);
    }
}

/// The value of counter n as user mode reads it; 0 if there is no such index. It traps if the
/// counter is not implemented.
inline uint64_t read_user_counter(unsigned n) {
    uint64_t value = 0;
    with_index(n, [&value]<unsigned N>() { value = read_csr<csr::kCycle + N>(); });
    return value;
}

} // namespace pes

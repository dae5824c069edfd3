// SPDX-License-Identifier: Apache-2.0
// Access to the counter CSRs by a run-time index. The CSR number is part of the instruction, so the
// index is turned into one by a comparison with every candidate; the compiler unrolls it.
#pragma once

#include "firmware/boot/csr.h"
#include "firmware/sbi/counters.h"

namespace pes {

constexpr bool is_counter_index(unsigned n) {
    return n == kCycleIndex || (n >= kInstretIndex && n < kCounterCount);
}

/// Calls `visit.template operator()<N>()` for every counter index N, in order.
template <unsigned First = 0, typename Visit>
void for_each_index(Visit visit) {
    if constexpr (First < kCounterCount) {
        if constexpr (is_counter_index(First)) {
            visit.template operator()<First>();
        }
        for_each_index<First + 1>(visit);
    }
}

/// Calls it for the N that equals `n`, if there is one.
template <typename Visit>
void with_index(unsigned n, Visit visit) {
    for_each_index([n, visit]<unsigned N>() {
        if (n == N) {
            visit.template operator()<N>();
        }
    });
}

} // namespace pes

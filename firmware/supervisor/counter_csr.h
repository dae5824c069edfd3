// SPDX-License-Identifier: Apache-2.0
// User counters by a run-time index: the value of CSR 0xC00 + n. The CSR number is part of the
// instruction, so the index is compared with every candidate; one that is not implemented traps.
#pragma once

#include "firmware/boot/csr.h"

#include <stdint.h>

namespace pes {

template <unsigned N = 0>
uint64_t read_counter_csr(unsigned n) {
    constexpr unsigned kCounterCsrs = 32;
    if constexpr (N < kCounterCsrs) {
        return n == N ? read_csr<csr::kCycle + N>() : read_counter_csr<N + 1>(n);
    } else {
        return 0;
    }
}

} // namespace pes

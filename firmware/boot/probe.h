// SPDX-License-Identifier: Apache-2.0
// Touching what may not be there: a guarded instruction that traps in machine mode is skipped and
// noted instead of being reported.
#pragma once

#include "firmware/boot/csr.h"
#include "firmware/boot/machine_local.h"

namespace pes {

inline void arm_guard() {
    machine_local().guard = Guard::Armed;
}

/// True if the guarded instruction trapped.
inline bool disarm_guard() {
    const bool tripped = machine_local().guard == Guard::Tripped;
    machine_local().guard = Guard::Idle;
    return tripped;
}

template <uint16_t Number>
bool csr_exists() {
    arm_guard();
    (void)read_csr<Number>();
    return !disarm_guard();
}

/// What is left of `value` after a write; 0 if the CSR does not exist or cannot be written.
template <uint16_t Number>
uint64_t csr_read_back(uint64_t value) {
    if (!csr_exists<Number>()) {
        return 0;
    }
    arm_guard();
    write_csr<Number>(value);
    return disarm_guard() ? 0 : read_csr<Number>();
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Touching what may not be there: a guarded instruction that traps in machine mode is skipped and
// noted instead of being reported.
#pragma once

#include "firmware/boot/csr.h"

namespace pes {

enum class Guard : uint64_t { Idle, Armed, Tripped };

/// Only the trap handler and the functions below touch it.
extern volatile Guard machine_guard;

inline void arm_guard() {
    machine_guard = Guard::Armed;
}

/// True if the guarded instruction trapped.
inline bool disarm_guard() {
    const bool tripped = machine_guard == Guard::Tripped;
    machine_guard = Guard::Idle;
    return tripped;
}

template <uint16_t Number>
bool csr_exists() {
    arm_guard();
    (void)read_csr<Number>();
    return !disarm_guard();
}

/// Writes and reports whether the value stuck; false if the CSR does not exist.
template <uint16_t Number>
bool csr_holds(uint64_t value) {
    if (!csr_exists<Number>()) {
        return false;
    }
    arm_guard();
    write_csr<Number>(value);
    return !disarm_guard() && read_csr<Number>() == value;
}

} // namespace pes

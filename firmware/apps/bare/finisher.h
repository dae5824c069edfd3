// SPDX-License-Identifier: Apache-2.0
// The way out of a bare-metal program, and the check that takes it.
#pragma once

#include <stdint.h>

extern "C" [[noreturn]] void finisher_exit(uint32_t code);

namespace pes {

/// A condition that does not hold ends the run with this exit code.
inline void expect(bool holds, uint32_t exit_code) {
    if (!holds) {
        finisher_exit(exit_code);
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// A steady kernel: every round does the same, in a few hundred cycles, far less than a slice.
#pragma once

#include "tests/guest/papi_test/kernels.h"

namespace pes::papi_steady {

inline constexpr long kRounds = ROUNDS;

inline void run_rounds() {
    for (long round = 0; round < kRounds; ++round) {
        mixed_loop(20);
        float_loop(15);
    }
}

} // namespace pes::papi_steady

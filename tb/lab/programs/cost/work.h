// SPDX-License-Identifier: Apache-2.0
// Some three million cycles of integer work in a little memory.
#pragma once

#include <stdint.h>

static inline uint64_t lab_work(void) {
    static uint64_t table[64];
    uint64_t state = 1;
    for (unsigned i = 0; i < 300000; ++i) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        table[state >> 58] += state;
    }
    return table[0] | 1;
}

// SPDX-License-Identifier: Apache-2.0
// Shared by the laboratory's programs. Each computes something with several functions of different
// weight, checks the result itself and returns 0 if it is right. ROUNDS multiplies the work.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

/// A function of its own in profiles: neither inlined, cloned nor specialised.
#define HOT __attribute__((noipa)) static

/// A fixed sequence of numbers, the same in every run.
static inline uint32_t next_random(uint64_t* state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

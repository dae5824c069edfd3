// SPDX-License-Identifier: Apache-2.0
// Reads and writes words all over FOOTPRINT bytes, a power of two, in an order without a pattern.
// The memory is what is behind the program: to clear it first would be work of another kind.
#include "tests/guest/bench/bench.h"

#if !defined(FOOTPRINT) || !defined(ACCESSES)
#error "the build gives FOOTPRINT and ACCESSES"
#endif

extern char _end[];

int main(void) {
    char* const memory = (char*)(((uintptr_t)_end + 4095) & ~(uintptr_t)4095);
    uint64_t random = 1, sum = 0;
    for (unsigned i = 0; i < ACCESSES; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t* word = (uint64_t*)(memory + ((random >> 30) & (FOOTPRINT - 8)));
        sum += *word ^ random;
        *word = sum;
    }
    report("memory", sum, rd_instret(), rd_cycle());
    return 0;
}

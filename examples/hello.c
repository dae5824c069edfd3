// SPDX-License-Identifier: Apache-2.0
// Counts what a sort costs: cycles, instructions and mispredicted branches, with the counter CSRs
// of CVA6 (`pes-vp events` lists the events).
#include "runtime.h"

#define READ_CSR(name)                                                                             \
    ({                                                                                             \
        uint64_t value;                                                                            \
        __asm__ volatile("csrr %0, " #name : "=r"(value)::"memory");                               \
        value;                                                                                     \
    })
#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value) : "memory")

enum { kNumbers = 1000, kMispredict = 0xA };

static uint32_t numbers[kNumbers];

static void fill(void) {
    uint32_t state = 1;
    for (int i = 0; i < kNumbers; ++i) {
        state = state * 1664525 + 1013904223;
        numbers[i] = state;
    }
}

static void sort(void) {
    for (int i = 1; i < kNumbers; ++i) {
        const uint32_t number = numbers[i];
        int at = i;
        for (; at > 0 && numbers[at - 1] > number; --at) {
            numbers[at] = numbers[at - 1];
        }
        numbers[at] = number;
    }
}

static void tell(const char* what, uint64_t count) {
    print(what);
    print_number(count);
    print("\n");
}

int main(void) {
    fill();
    WRITE_CSR(mhpmevent3, (uint64_t)kMispredict);
    WRITE_CSR(mhpmcounter3, (uint64_t)0);
    const uint64_t instructions = READ_CSR(minstret);
    const uint64_t cycles = READ_CSR(mcycle);
    sort();
    const uint64_t cycles_after = READ_CSR(mcycle);
    const uint64_t instructions_after = READ_CSR(minstret);
    const uint64_t mispredicted = READ_CSR(mhpmcounter3);

    print("hello from the modelled hart\n");
    tell("cycles        ", cycles_after - cycles);
    tell("instructions  ", instructions_after - instructions);
    tell("mispredicts   ", mispredicted);
    for (int i = 1; i < kNumbers; ++i) {
        if (numbers[i - 1] > numbers[i]) {
            return 1;
        }
    }
    return 0;
}

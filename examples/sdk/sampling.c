// SPDX-License-Identifier: Apache-2.0
/*
 * A sampling profiler of one's own: the interrupt of a counter that overflows (Sscofpmf) every
 * kPeriod mispredicted branches, and the addresses where it was taken:
 *
 *   riscv64-unknown-elf-gcc --specs=/usr/share/pes-vp/sdk/pes.specs -O2 -g \
 *       sampling.c -o sampling.elf
 *   pes-vp run sampling.elf | sort | uniq -c | sort -rn | head
 */
#include <pes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    kMispredict = 0xA, // `pes-vp events` lists the codes
    kPeriod = 101,
    kOverflowInterrupt = 13,
    kMost = 4096,
};
static const uint64_t kOverflow = UINT64_C(1) << 63; // mhpmevent.OF

static uint64_t g_samples[kMost];
static volatile unsigned g_count;

static void arm(void) {
    PES_WRITE_CSR(mhpmcounter3, -(int64_t)kPeriod);
    PES_WRITE_CSR(mhpmevent3, kMispredict); // clears OF: the next overflow interrupts
}

__attribute__((interrupt("machine"), aligned(4))) static void take_sample(void) {
    if (PES_READ_CSR(mcause) >> 63 == 0) {
        pes_unexpected_trap(PES_READ_CSR(mcause), PES_READ_CSR(mepc), PES_READ_CSR(mtval));
    }
    if (g_count < kMost && (PES_READ_CSR(mhpmevent3) & kOverflow) != 0) {
        g_samples[g_count++] = PES_READ_CSR(mepc);
    }
    PES_CLEAR_CSR(mip, 1 << kOverflowInterrupt);
    arm();
}

static int compare(const void* left, const void* right) {
    const int a = *(const int*)left, b = *(const int*)right;
    return (a > b) - (a < b);
}

int main(void) {
    enum { kNumbers = 20000 };
    static int numbers[kNumbers];
    for (int i = 0; i < kNumbers; ++i) {
        numbers[i] = rand();
    }
    PES_WRITE_CSR(mtvec, (uintptr_t)take_sample);
    arm();
    PES_SET_CSR(mie, 1 << kOverflowInterrupt);
    PES_SET_CSR(mstatus, 8); // MIE
    qsort(numbers, kNumbers, sizeof numbers[0], compare);
    PES_CLEAR_CSR(mstatus, 8);
    for (unsigned i = 0; i < g_count; ++i) {
        printf("%#lx\n", (unsigned long)g_samples[i]);
    }
    for (int i = 1; i < kNumbers; ++i) {
        if (numbers[i - 1] > numbers[i]) {
            return 1;
        }
    }
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
volatile u64 results[256] __attribute__((aligned(64)));
int main(void) {
    u64 k = 1;
    MTIMECMP = -1ul;
    (void)MTIMECMP;
    CSRW("mie", 0x80ul);
    for (int i = 0; i < 4; i++) {
        u64 a = CSRR("mcycle"), ta = MTIME;
        MTIMECMP = ta + 40;
        (void)MTIMECMP;
        u64 p = CSRR("mip");
        __asm__ volatile("wfi");
        u64 b = CSRR("mcycle"), tb = MTIME, q = CSRR("mip");
        results[k++] = b - a;
        results[k++] = tb - ta;
        results[k++] = p;
        results[k++] = q;
        MTIMECMP = -1ul;
        (void)MTIMECMP;
    }
    for (int i = 0; i < 3; i++) {
        u64 a = CSRR("mcycle"), ta = MTIME;
        MTIMECMP = ta + 40;
        u64 p = CSRR("mip");
        __asm__ volatile("wfi");
        u64 b = CSRR("mcycle"), tb = MTIME, q = CSRR("mip");
        results[k++] = b - a;
        results[k++] = tb - ta;
        results[k++] = p;
        results[k++] = q;
        MTIMECMP = -1ul;
    }
    CSRW("mie", 0ul);
    results[0] = k - 1;
    return 0;
}

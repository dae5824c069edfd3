// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// after a store to mtimecmp: mip.MTIP read d nops later; bit d of results: setting (mtimecmp = 0),
// clearing (mtimecmp = -1); then a load of mtime
volatile u64 results[256] __attribute__((aligned(64)));
#define ONE(d, v)                                                                                  \
    {                                                                                              \
        __asm__ volatile(".option push\n.option norvc\n fence\n nop\n nop\n nop\n nop\n nop\n "    \
                         "nop\n nop\n nop\n sd %1,0(%2)\n .rept " #d                               \
                         "\n nop\n .endr\n csrr %0,mip\n.option pop"                               \
                         : "=r"(x)                                                                 \
                         : "r"(v), "r"(0x2004000ul)                                                \
                         : "memory");                                                              \
        __asm__ volatile("fence");                                                                 \
        for (volatile int i = 0; i < 8; i++)                                                       \
            ;                                                                                      \
        r |= (x >> 7 & 1) << d;                                                                    \
    }
#define ALL(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)
int main(void) {
    u64 k = 1, x, r;
    for (int rep = 0; rep < 2; rep++) {
        r = 0;
#define S(d)                                                                                       \
    MTIMECMP = -1ul;                                                                               \
    for (volatile int i = 0; i < 8; i++)                                                           \
        ;                                                                                          \
    ONE(d, 0ul)
        ALL(S) results[k++] = r;
        r = 0;
#define C(d)                                                                                       \
    MTIMECMP = 0ul;                                                                                \
    for (volatile int i = 0; i < 8; i++)                                                           \
        ;                                                                                          \
    ONE(d, -1ul)
        ALL(C) results[k++] = r;
    }
    results[0] = k - 1;
    return 0;
}

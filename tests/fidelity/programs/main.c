// SPDX-License-Identifier: Apache-2.0
#include "common.h"
#ifndef REPS
#define REPS 2
#endif
volatile u64 results[256] __attribute__((aligned(64)));
extern volatile u64 group;
long measure(long (*fn)(void));
static u64 tls[64];
void __attribute__((weak)) setup(void) {}
#define RD(c)                                                                                      \
    ({                                                                                             \
        u64 v;                                                                                     \
        __asm__ volatile("csrr %0,%1" : "=r"(v) : "i"(c));                                         \
        v;                                                                                         \
    })
#define WR(c, v) __asm__ volatile("csrw %0,%1" ::"i"(c), "r"(v))
#define ALL24(M)                                                                                   \
    M(0)                                                                                           \
    M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15) M(16) M(17)   \
        M(18) M(19) M(20) M(21) M(22) M(23)
int main(void) {
    volatile u64* r = results;
    u64 k = 1;
    __asm__ volatile("mv tp,%0" ::"r"(tls));
#define EV(i) WR(0x323 + i, group * 6 + 1 + i);
    ALL24(EV)
    for (int rep = 0; rep < REPS; rep++) {
        setup();
        long x = measure(run);
        r[k++] = RD(0xB00);
        r[k++] = RD(0xB02);
#define CT(i) r[k++] = RD(0xB03 + i);
        ALL24(CT)
        r[k++] = (u64)x;
    }
    r[0] = k - 1;
    return 0;
}
void __attribute__((weak)) _exit(int c) {
    for (;;)
        ;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 buf[512] __attribute__((aligned(4096)));
#define T(name, pre, body)                                                                         \
    __attribute__((noinline, aligned(64))) static long name(u64* p) {                              \
        long a, b;                                                                                 \
        __asm__ volatile(".option push\n.option norvc\n" pre "\n csrr %0,mcycle\n " body           \
                         "\n csrr %1,mcycle\n.option pop"                                          \
                         : "=&r"(a), "=&r"(b)                                                      \
                         : "r"(p)                                                                  \
                         : "t0", "t1", "t2", "t3", "t4", "memory");                                \
        return b - a;                                                                              \
    }
T(t0, "nop\n", "amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t1, "fence\n nop\n nop\n nop", "amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t2, "nop\n nop\n nop\n", "nop\n amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t3, "nop\n nop\n nop\n", "nop\n nop\n nop\n nop\n amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t4, "nop\n", "amoadd.d t0,x0,(%2)\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop")
T(t5, "nop\n", "fence\n nop\n nop\n nop")
T(t6, "nop\n csrw mscratch,x0\n", "amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t7, "nop\n", "sd x0,128(%2)\n amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t8, "nop\n", "lr.d t0,(%2)\n mv t1,t0")
T(t9, "ld t0,0(%2)\n fence\n nop\n nop\n", "amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t10, "ld t0,0(%2)\n fence\n nop\n nop\n", "ld t0,0(%2)\n mv t1,t0")
T(t11, "amoadd.d t0,x0,(%2)\n nop\n", "ld t0,0(%2)\n mv t1,t0")
static long (*const fs[])(u64*) = {t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11};
int main(void) {
    u64 k = 1;
    for (int o = 0; o < 12; o++) {
        fs[o](buf);
        fs[o](buf);
        results[k++] = fs[o](buf);
    }
    results[0] = k - 1;
    return 0;
}

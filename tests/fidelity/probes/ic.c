// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 buf[2048] __attribute__((aligned(4096)));
// cold lines of code (fence.i before) with and without stores / L1D misses in flight
#define T(name, pre, body)                                                                         \
    __attribute__((noinline, aligned(4096))) static long name(u64* p) {                            \
        long a, b;                                                                                 \
        __asm__ volatile(".option push\n.option norvc\n fence.i\n" pre                             \
                         "\n csrr %0,mcycle\n .rept 6\n" body                                      \
                         "\n .endr\n csrr %1,mcycle\n.option pop"                                  \
                         : "=&r"(a), "=&r"(b)                                                      \
                         : "r"(p)                                                                  \
                         : "t0", "t1", "t2", "t3", "t4", "memory");                                \
        return b - a;                                                                              \
    }
T(t0, "nop\n nop", "nop\n nop\n nop\n nop")
T(t1, "nop\n nop", "sd x0,0(%2)\n nop\n nop\n nop")
T(t2, "nop\n nop", "sd x0,0(%2)\n sd x0,64(%2)\n sd x0,128(%2)\n sd x0,192(%2)")
T(t3,
  "sd x0,512(%2)\n sd x0,576(%2)\n sd x0,640(%2)\n sd x0,704(%2)\n sd x0,768(%2)\n sd x0,832(%2)",
  "nop\n nop\n nop\n nop")
T(t4, "nop\n nop", "ld t0,0(%2)\n addi %2,%2,64\n nop\n nop")
T(t5, "nop\n nop", "ld t0,0(%2)\n ld t1,64(%2)\n addi %2,%2,128\n nop")
T(t6, "nop\n nop", "ld t0,0(%2)\n sd x0,64(%2)\n addi %2,%2,128\n sd x0,32(%2)")
T(t7, "nop\n nop", "ld t0,0(%2)\n addi t0,t0,1\n addi %2,%2,64\n nop")
static long (*const fs[])(u64*) = {t0, t1, t2, t3, t4, t5, t6, t7};
int main(void) {
    u64 k = 1;
    for (int o = 0; o < 8; o++) {
        results[k++] = fs[o](buf + (o & 7) * 200);
        results[k++] = fs[o](buf + (o & 7) * 200 + 100);
    }
    results[0] = k - 1;
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 src[8192] __attribute__((aligned(4096))), dst[8192] __attribute__((aligned(4096)));
// copies of lines that are not in L1D: n loads then n stores an iteration; cycles of 32 iterations
#define T(name, body)                                                                              \
    __attribute__((noinline, aligned(64))) static long name(u64* s, u64* d) {                      \
        long a, b;                                                                                 \
        __asm__ volatile(".option push\n.option norvc\n fence\n li t6,32\n csrr %0,mcycle\n "      \
                         ".balign 16\n1:" body                                                     \
                         "\n addi t6,t6,-1\n bnez t6,1b\n csrr %1,mcycle\n.option pop"             \
                         : "=&r"(a), "=&r"(b), "+r"(s), "+r"(d)                                    \
                         :                                                                         \
                         : "t0", "t1", "t2", "t3", "t4", "t6", "memory");                          \
        return b - a;                                                                              \
    }
T(t0, "ld t0,0(%2)\n ld t1,8(%2)\n ld t2,16(%2)\n ld t3,24(%2)\n addi %2,%2,32\n sd t0,0(%3)\n sd "
      "t1,8(%3)\n sd t2,16(%3)\n sd t3,24(%3)\n addi %3,%3,32")
T(t1, "ld t0,0(%2)\n ld t1,8(%2)\n addi %2,%2,16\n sd t0,0(%3)\n sd t1,8(%3)\n addi %3,%3,16")
T(t2, "ld t0,0(%2)\n addi %2,%2,16\n sd t0,0(%3)\n addi %3,%3,16")
T(t3, "ld t0,0(%2)\n sd t0,0(%3)\n ld t1,8(%2)\n sd t1,8(%3)\n addi %2,%2,16\n addi %3,%3,16")
T(t4, "ld t0,0(%2)\n ld t1,16(%2)\n addi %2,%2,32\n sd t0,0(%3)\n addi %3,%3,32")
T(t5, "ld t0,0(%2)\n addi %2,%2,16\n sd t0,0(%3)\n sd t0,8(%3)\n sd t0,16(%3)\n addi %3,%3,32")
T(t6, "ld t0,0(%2)\n ld t1,16(%2)\n ld t2,32(%2)\n ld t3,48(%2)\n addi %2,%2,64\n sd t0,0(%3)\n sd "
      "t1,8(%3)\n sd t2,16(%3)\n sd t3,24(%3)\n addi %3,%3,32")
static long (*const fs[])(u64*, u64*) = {t0, t1, t2, t3, t4, t5, t6};
int main(void) {
    u64 k = 1;
    for (int o = 0; o < 7; o++) {
        results[k++] = fs[o](src + o * 512, dst + o * 512);
        results[k++] = fs[o](src + o * 512 + 256, dst + o * 512 + 256);
    }
    results[0] = k - 1;
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static const long P[][2] = {{100, 7},
                            {7, 100},
                            {1, 1},
                            {0, 5},
                            {5, 0},
                            {-1, 1},
                            {-100, 7},
                            {100, -7},
                            {-100, -7},
                            {0x7fffffffffffffffl, 3},
                            {-0x7fffffffffffffffl - 1, -1},
                            {0x80000000l, 3},
                            {0x12345678ffffffffl, 0x11},
                            {-5, 0},
                            {0xffffffffl, 0xffffl}};
#define F(op)                                                                                      \
    __attribute__((noinline, aligned(64))) static long f_##op(long x, long y) {                    \
        long a, b;                                                                                 \
        __asm__ volatile(".option push\n.option norvc\n csrr %0,mcycle\n " #op                     \
                         " t0,%2,%3\n csrr %1,mcycle\n.option pop"                                 \
                         : "=&r"(a), "=&r"(b)                                                      \
                         : "r"(x), "r"(y)                                                          \
                         : "t0");                                                                  \
        return b - a;                                                                              \
    }
F(div)
F(divu) F(rem) F(remu) F(divw) F(divuw) F(remw) F(remuw) static long (*const fs[])(long, long) = {
    f_div, f_divu, f_rem, f_remu, f_divw, f_divuw, f_remw, f_remuw};
int main(void) {
    u64 k = 1;
    for (int o = 0; o < 8; o++)
        for (int i = 0; i < 15; i++) {
            fs[o](P[i][0], P[i][1]);
            results[k++] = fs[o](P[i][0], P[i][1]);
        }
    results[0] = k - 1;
    return 0;
}

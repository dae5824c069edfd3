// SPDX-License-Identifier: Apache-2.0
#include "common.h"
#define F(n, m)                                                                                    \
    __attribute__((noinline)) long f##n(long x) {                                                  \
        __asm__ volatile("" : "+r"(x));                                                            \
        x = f##m(x + 1);                                                                           \
        __asm__ volatile("" : "+r"(x));                                                            \
        return x + 1;                                                                              \
    }
__attribute__((noinline)) long f0(long x) {
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}
F(1, 0) F(2, 1) F(3, 2) F(4, 3) long run(void) {
    long s = 0;
    for (int i = 0; i < 200; i++)
        s = f4(s);
    return s;
}

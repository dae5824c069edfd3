// SPDX-License-Identifier: Apache-2.0
#include "common.h"
__attribute__((noinline)) long leaf(long x) {
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}
long run(void) {
    long s = 0;
    for (int i = 0; i < 1000; i++)
        s = leaf(s);
    return s;
}

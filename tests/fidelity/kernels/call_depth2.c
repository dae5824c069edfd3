// SPDX-License-Identifier: Apache-2.0
#include "common.h"
__attribute__((noinline)) long deep(long n) {
    if (n == 0)
        return 1;
    long r = deep(n - 1);
    __asm__ volatile("" : "+r"(r));
    return r + 1;
}
long run(void) { /* 8 calls of depth d: return-address stack has 2 entries */
    long s = 0;
    for (int i = 0; i < 100; i++)
        s += deep(2);
    return s;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    long a = 0, b = 0;
    for (int i = 0; i < 2000; i++) {
        if (i & 1) {
            a += i;
            __asm__ volatile("" : "+r"(a));
        } else {
            b += 3;
            __asm__ volatile("" : "+r"(b));
        }
    }
    return a ^ b;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    u32 l = 0xACE1u;
    long a = 0, b = 0;
    for (int i = 0; i < 2000; i++) {
        u32 bit = l & 1;
        l >>= 1;
        if (bit)
            l ^= 0xB400u;
        if (l & 4) {
            a += i;
            __asm__ volatile("" : "+r"(a));
        } else {
            b += l;
            __asm__ volatile("" : "+r"(b));
        }
    }
    return a ^ b;
}

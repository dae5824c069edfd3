// SPDX-License-Identifier: Apache-2.0
#include "common.h"
static u64 s[512] __attribute__((aligned(64))), d[512] __attribute__((aligned(64)));
__attribute__((noinline)) static void cp(u64* restrict x, const u64* restrict y, long n) {
    for (long i = 0; i < n; i += 4) {
        u64 a = y[i], b = y[i + 1], c = y[i + 2], e = y[i + 3];
        x[i] = a;
        x[i + 1] = b;
        x[i + 2] = c;
        x[i + 3] = e;
        __asm__ volatile("" ::: "memory");
    }
}
void setup(void) {
    for (int i = 0; i < 512; i++)
        s[i] = i * 77;
}
long run(void) {
    cp(d, s, 512);
    return d[511];
}

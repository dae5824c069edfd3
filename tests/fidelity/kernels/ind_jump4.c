// SPDX-License-Identifier: Apache-2.0
#include "common.h"
__attribute__((noinline)) static long f0(long x) {
    return x + 1;
}
__attribute__((noinline)) static long f1(long x) {
    return x + 3;
}
__attribute__((noinline)) static long f2(long x) {
    return x ^ 5;
}
__attribute__((noinline)) static long f3(long x) {
    return x - 7;
}
static long (*volatile tab[4])(long) = {f0, f1, f2, f3};
long run(void) {
    long s = 0;
    for (int i = 0; i < 800; i++)
        s = tab[(i * 7 + (i >> 3)) & 3](s);
    return s;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
// divisions of all kinds and operand lengths, by zero, overflow
static long v[128];
void setup(void) {
    u64 x = 7;
    for (int i = 0; i < 128; i++) {
        x = x * 6364136223846793005ul + 1442695040888963407ul;
        v[i] = (long)x >> (i % 61);
    }
    v[5] = 0;
    v[77] = 0;
    v[9] = -1;
    v[10] = 1ul << 63;
}
#define OP(op, x, y)                                                                               \
    ({                                                                                             \
        long r_;                                                                                   \
        __asm__ volatile(op " %0,%1,%2" : "=r"(r_) : "r"(x), "r"(y));                              \
        r_;                                                                                        \
    })
long run(void) {
    long s = 0;
    for (int i = 0; i < 127; i++) {
        long x = v[i], y = v[i + 1], z = v[(i * 5) & 127];
        s += OP("div", x, y);
        s ^= OP("remu", z, x);
        s += OP("divw", x, z);
        s += OP("remw", y, z) + 1;
        s -= OP("divu", s, y);
        s += OP("rem", s, z);
        s += OP("mulh", x, y);
        s ^= OP("mulhu", s, z);
        s += OP("remuw", s, 10);
        s += OP("divuw", x, s);
    }
    return s;
}

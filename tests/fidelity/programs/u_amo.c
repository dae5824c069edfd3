// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// LR/SC that fails (other address, no LR, after a store of the own hart), LR/SC around loads,
// stores and divisions, AMO behind queued stores, AMO to lines that are in L1D and lines of the
// same set, aq/rl forms, W on both halves of a word
static volatile u64 m[2048] __attribute__((aligned(4096)));
#define A(op, p, v)                                                                                \
    ({                                                                                             \
        u64 r_;                                                                                    \
        __asm__ volatile(op " %0,%2,(%1)" : "=r"(r_) : "r"(p), "r"(v) : "memory");                 \
        r_;                                                                                        \
    })
#define LR(p)                                                                                      \
    ({                                                                                             \
        u64 r_;                                                                                    \
        __asm__ volatile("lr.d %0,(%1)" : "=r"(r_) : "r"(p) : "memory");                           \
        r_;                                                                                        \
    })
#define LRW(p)                                                                                     \
    ({                                                                                             \
        u64 r_;                                                                                    \
        __asm__ volatile("lr.w.aq %0,(%1)" : "=r"(r_) : "r"(p) : "memory");                        \
        r_;                                                                                        \
    })
#define SC(p, v)                                                                                   \
    ({                                                                                             \
        u64 r_;                                                                                    \
        __asm__ volatile("sc.d %0,%2,(%1)" : "=&r"(r_) : "r"(p), "r"(v) : "memory");               \
        r_;                                                                                        \
    })
#define SCW(p, v)                                                                                  \
    ({                                                                                             \
        u64 r_;                                                                                    \
        __asm__ volatile("sc.w.rl %0,%2,(%1)" : "=&r"(r_) : "r"(p), "r"(v) : "memory");            \
        r_;                                                                                        \
    })
void setup(void) {
    for (int i = 0; i < 2048; i++)
        m[i] = i * 0x9e3779b97f4a7c15ul;
}
long run(void) {
    u64 s = 1, f = 0;
    for (int i = 0; i < 50; i++) {
        volatile u64 *p = m + (i * 37 & 511), *q = p + 512; // q: 4 KiB away, the same L1D set
        s += LR(p);
        f += SC(q, s);         // wrong address
        f += SC(p, s + 1) * 3; // no reservation any more
        s += LR(p);
        p[1] = s;
        f += SC(p, s ^ i); // own store between
        s += LRW(p);
        s += q[0] / (i + 3);
        f += SCW(p, s); // division and load between
        q[0] = s;
        q[2] = s + 1;
        q[4] = s + 2;
        s += A("amoadd.d.aqrl", q + 6, i); // behind three queued stores
        s += q[0] + q[1];
        s += A("amominu.d", q, s);
        s += q[1]; // the line is evicted by the AMO
        s += A("amoswap.w", (volatile u32*)p, s);
        s += A("amoadd.w", (volatile u32*)p + 1, i);
        s += p[0];
        s += A("amomax.d", p, i) + A("amoand.d", p, -2L) + A("amoor.d", p, 1);
        if (i % 3 == 0)
            __asm__ volatile("fence r,rw" ::: "memory");
        u64 k;
        do {
            k = LR(&m[3]);
        } while (SC(&m[3], k + 1));
        s ^= k;
        s += m[(i * 91) & 2047] + m[(i * 17 + 1024) & 2047];
    }
    return s * 1000 + f;
}

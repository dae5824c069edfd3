// SPDX-License-Identifier: Apache-2.0
#include "common.h"
// LR/SC spin lock, CAS loop, all nine AMOs, W and D, lines shared with plain loads and stores
static volatile u64 lock, cnt[64];
static volatile u32 w[64];
static inline u64 cas(volatile u64* p, u64 o, u64 n) {
    u64 r, f;
    __asm__ volatile("1: lr.d.aq %0,(%2)\n bne %0,%3,2f\n sc.d.rl %1,%4,(%2)\n bnez %1,1b\n2:"
                     : "=&r"(r), "=&r"(f)
                     : "r"(p), "r"(o), "r"(n)
                     : "memory");
    return r;
}
#define AMO(op, p, v)                                                                              \
    ({                                                                                             \
        u64 r_;                                                                                    \
        __asm__ volatile(op " %0,%2,(%1)" : "=r"(r_) : "r"(p), "r"(v) : "memory");                 \
        r_;                                                                                        \
    })
long run(void) {
    u64 s = 0;
    for (int i = 0; i < 60; i++) {
        while (cas(&lock, 0, 1))
            ;
        cnt[i & 7]++;
        cnt[(i + 1) & 63] += i;
        s += cnt[i & 15];
        AMO("amoswap.d.rl", &lock, 0);
        s += AMO("amoadd.w", &w[i & 63], i);
        s ^= AMO("amoxor.d", &cnt[i & 31], s);
        s += AMO("amomaxu.w", &w[(i * 7) & 63], s);
        s += AMO("amomin.d", &cnt[(i * 3) & 63], s);
        s |= AMO("amoor.w", &w[0], 5);
        s += AMO("amoand.d", &cnt[1], ~s);
        w[i & 15] = s;
        s += w[(i * 5) & 63];
        if ((i & 7) == 0)
            __asm__ volatile("fence rw,rw" ::: "memory");
    }
    return s;
}

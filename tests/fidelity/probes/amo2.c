// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 buf[512] __attribute__((aligned(4096)));
// counters: 3=l1d miss(2) 4=l1i miss(1) 5=mispredict(10) 6=fetch empty(15); each case: cycles, l1d,
// l1i, mispr, empty
#define T(name, body)                                                                              \
    __attribute__((noinline, aligned(64))) static void name(u64* p, volatile u64* o) {             \
        long a, b, c, d, e, f, g, h;                                                               \
        __asm__ volatile(                                                                          \
            ".option push\n.option norvc\n ld t1,0(%8)\n ld t1,64(%8)\n fence\n li t5,-1\n csrw "  \
            "mcountinhibit,t5\n csrw mcycle,x0\n csrw 0xb03,x0\n csrw 0xb04,x0\n csrw 0xb05,x0\n " \
            "csrw 0xb06,x0\n fence\n nop\n nop\n nop\n nop\n csrw mcountinhibit,x0\n " body        \
            "\n csrw mcountinhibit,t5\n csrr %0,mcycle\n csrr %1,0xb03\n csrr %2,0xb04\n csrr "    \
            "%3,0xb05\n csrr %4,0xb06\n.option pop"                                                \
            : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d), "=&r"(e), "=&r"(f), "=&r"(g), "=&r"(h)       \
            : "r"(p)                                                                               \
            : "t0", "t1", "t2", "t3", "t4", "t5", "memory");                                       \
        o[0] = a;                                                                                  \
        o[1] = b;                                                                                  \
        o[2] = c;                                                                                  \
        o[3] = d;                                                                                  \
        o[4] = e;                                                                                  \
    }
T(a0, "mv t1,t0")
T(a1, "amoadd.d t0,x0,(%8)\n mv t1,t0")
T(a2, "amoadd.d t0,x0,(%8)\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop")
T(a3, "amoadd.d t0,x0,(%8)\n ld t1,8(%8)\n mv t2,t1")
T(a4, "amoadd.d t0,x0,(%8)\n ld t1,64(%8)\n mv t2,t1")
T(a5, "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n amoadd.d t0,x0,(%8)\n mv t1,t0")
T(a6, "ld t1,64(%8)\n amoadd.d t0,x0,(%8)\n mv t1,t0")
T(a7, "amoadd.d t0,x0,(%8)\n amoadd.d t1,x0,(%8)\n amoadd.d t2,x0,(%8)\n amoadd.d t3,x0,(%8)")
T(a8, "amoadd.d t0,x0,(%8)\n addi t1,x0,1\n amoadd.d t2,x0,(%8)\n addi t1,x0,1\n amoadd.d "
      "t3,x0,(%8)\n addi t1,x0,1\n")
T(a9, "lr.d t0,(%8)\n nop\n nop\n nop\n nop\n nop\n nop")
T(b0, "lr.d t0,(%8)\n sc.d t1,t0,(%8)\n nop\n nop\n nop\n nop\n nop\n nop")
T(b1, "sc.d t1,t0,(%8)\n nop\n nop\n nop\n nop\n nop\n nop")
T(b2, "sd x0,128(%8)\n amoadd.d t0,x0,(%8)\n mv t1,t0")
T(b3, "fence\n nop\n nop\n nop")
T(b4, "sd x0,128(%8)\n fence\n nop\n nop\n nop")
T(b5, "sd x0,128(%8)\n sd x0,256(%8)\n sd x0,512(%8)\n fence\n nop\n nop\n nop")
static void (*const fs[])(u64*, volatile u64*) = {a0, a1, a2, a3, a4, a5, a6, a7,
                                                  a8, a9, b0, b1, b2, b3, b4, b5};
int main(void) {
    u64 k = 1;
    __asm__ volatile(
        "csrw mhpmevent3,%0\n csrw mhpmevent4,%1\n csrw mhpmevent5,%2\n csrw mhpmevent6,%3" ::"r"(
            2),
        "r"(1), "r"(10), "r"(15));
    for (int o = 0; o < 16; o++) {
        fs[o](buf, results + k);
        fs[o](buf, results + k);
        fs[o](buf, results + k);
        k += 5;
    }
    results[0] = k - 1;
    return 0;
}

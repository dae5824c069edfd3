// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 buf[512] __attribute__((aligned(4096)));
#define T(name, body)                                                                              \
    __attribute__((noinline, aligned(64))) static long name(u64* p) {                              \
        long a, b;                                                                                 \
        __asm__ volatile(                                                                          \
            ".option push\n.option norvc\n fence\n nop\n nop\n nop\n csrr %0,mcycle\n " body       \
            "\n csrr %1,mcycle\n.option pop"                                                       \
            : "=&r"(a), "=&r"(b)                                                                   \
            : "r"(p)                                                                               \
            : "t0", "t1", "t2", "t3", "t4", "memory");                                             \
        return b - a;                                                                              \
    }
T(t0, "ecall")
T(t1, "ebreak") T(t2, ".word 0xffffffff") T(t3, ".half 0\n .half 1") T(t4, ".half 0x9002\n .half 1")
    T(t5, "csrr t1,0x7ff") T(t6, ".word 0") T(t7, ".word 0\n .word 0\n .word 0\n .word 0")
        T(t8, ".word 0xffffffff\n .word 0xffffffff\n .word 0xffffffff\n .word 0xffffffff")
            T(t9, "ecall\n ecall\n ecall\n ecall") T(t10, "csrw 0xc00,t0")
                T(t11, "nop\n nop\n .word 0") T(t12, ".half 1\n .half 0\n .half 1\n .half 1")
                    T(t13, "add t0,t0,t0\n add t1,t1,t1\n .word 0xffffffff\n nop")
                        T(t14, "mul t0,t0,t0\n ecall") T(t15, "ld t0,0(%2)\n ecall")
                            T(t16, "sd t0,0(%2)\n ecall") T(t17, "wfi")
                                T(t18, "div t0,t0,t1\n ecall") static long (*const fs[])(u64*) = {
                                    t0, t1,  t2,  t3,  t4,  t5,  t6,  t7,  t8,
                                    t9, t10, t11, t12, t13, t14, t15, t16, t18};
int main(void) {
    u64 k = 1;
    for (int o = 0; o < 18; o++) {
        fs[o](buf);
        fs[o](buf);
        results[k++] = fs[o](buf);
    }
    results[0] = k - 1;
    return 0;
}

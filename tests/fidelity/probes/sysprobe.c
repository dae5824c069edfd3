// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 buf[512] __attribute__((aligned(4096)));
#define T(name, pre, body)                                                                         \
    __attribute__((noinline, aligned(64))) static long name(u64* p) {                              \
        long a, b;                                                                                 \
        __asm__ volatile(".option push\n.option norvc\n li t5,0x2000000\n li t6,0x0c002000\n" pre  \
                         "\n fence\n nop\n nop\n nop\n csrr %0,mcycle\n " body                     \
                         "\n csrr %1,mcycle\n.option pop"                                          \
                         : "=&r"(a), "=&r"(b)                                                      \
                         : "r"(p)                                                                  \
                         : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "memory");                    \
        return b - a;                                                                              \
    }
#define MR "la t0,91f\n csrw mepc,t0\n li t0,0x1800\n csrs mstatus,t0\n"
T(t0, "", MR "mret\n .balign 4\n 91:")
T(t1, "", MR "csrw mscratch,x0\n mret\n 91:") T(t2, "", MR "csrrw t1,mscratch,t1\n mret\n 91:") T(
    t3, "", MR "csrr t1,mscratch\n mret\n 91:") T(t4, "", MR "nop\n nop\n nop\n mret\n 91:")
    T(t5, "", MR "csrr t1,mscratch\n nop\n mret\n 91:") T(t6, "", MR "ld t1,0(%2)\n mret\n 91:") T(
        t7, "", MR "sd x0,0(%2)\n mret\n 91:") T(t8, "", "sw x0,0(t5)\n lw t1,0(t5)\n mv t2,t1")
        T(t9, "", "sd x0,8(t6)\n ld t1,8(t6)\n mv t2,t1") T(t10, "", "lw t1,0(t5)\n mv t2,t1")
            T(t11, "", "lw t1,0(t6)\n mv t2,t1") T(t12, "", "sw x0,0(t6)\n lw t1,0(t6)\n mv t2,t1")
                T(t13, "", "sw x0,0(t5)\n sw x0,4(t6)\n lw t1,0(t5)\n mv t2,t1")
                    T(t14, "", "sd x0,64(%2)\n fence\n nop")
                        T(t15, "", "sd x0,64(%2)\n sd x0,128(%2)\n nop\n nop\n fence\n nop")
                            T(t16, "", "lw t1,0(t5)\n lw t2,0(t5)\n mv t3,t2\n mv t4,t1") T(
                                t17, "",
                                "csrw mscratch,x0\n csrw sscratch,x0\n csrr t1,mscratch\n mv t2,t1")
                                T(t18, "", "sfence.vma\n nop") T(t19, "", "csrw satp,x0\n nop")
                                    T(t21, "", "fence.i\n nop")
#undef T
                                        static long (*const fs[])(u64*) = {
                                            t0,  t1,  t2,  t3,  t4,  t5,  t6,  t7,  t8,  t9, t10,
                                            t11, t12, t13, t14, t15, t16, t17, t18, t19, t21};
int main(void) {
    u64 k = 1;
    __asm__ volatile("csrw mie,x0");
    for (int o = 0; o < 21; o++) {
        fs[o](buf);
        fs[o](buf);
        results[k++] = fs[o](buf);
    }
    results[0] = k - 1;
    return 0;
}

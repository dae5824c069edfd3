// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
#define T(name, body)                                                                              \
    __attribute__((noinline, aligned(64))) static long name(void) {                                \
        long a, b;                                                                                 \
        __asm__ volatile(                                                                          \
            ".option push\n.option norvc\n li t0,3\n fcvt.d.l ft0,t0\n fcvt.s.l ft1,t0\n "         \
            "fcvt.d.l ft2,x0\n li t1,1\n fmv.d.x ft3,t1\n fdiv.d ft4,ft0,ft2\n fsub.d "            \
            "ft5,ft4,ft4\n li t1,1\n fmv.w.x ft6,t1\n nop\n nop\n nop\n csrr %0,mcycle\n " body    \
            "\n csrr %1,mcycle\n.option pop"                                                       \
            : "=&r"(a), "=&r"(b)                                                                   \
            :                                                                                      \
            : "t0", "t1", "t2", "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fa0",     \
              "fa1", "fa2", "memory");                                                             \
        return b - a;                                                                              \
    }
#define X(n) t##n
T(t0, "fdiv.d fa0,ft0,ft0\n fmv.x.d t1,fa0")
T(t1, "fdiv.d fa0,ft0,ft2\n fmv.x.d t1,fa0") T(t2, "fdiv.d fa0,ft2,ft0\n fmv.x.d t1,fa0") T(
    t3, "fdiv.d fa0,ft4,ft0\n fmv.x.d t1,fa0") T(t4, "fdiv.d fa0,ft5,ft0\n fmv.x.d t1,fa0")
    T(t5, "fdiv.d fa0,ft3,ft0\n fmv.x.d t1,fa0") T(t6, "fdiv.s fa0,ft1,ft1\n fmv.x.d t1,fa0") T(
        t7, "fdiv.s fa0,ft1,ft6\n fmv.x.d t1,fa0") T(t8, "fsqrt.d fa0,ft0\n fmv.x.d t1,fa0")
        T(t9, "fsqrt.d fa0,ft2\n fmv.x.d t1,fa0") T(t10, "fsqrt.d fa0,ft4\n fmv.x.d t1,fa0") T(
            t11, "fneg.d fa1,ft0\n fsqrt.d fa0,fa1\n fmv.x.d t1,fa0")
            T(t12, "fsqrt.s fa0,ft1\n fmv.x.d t1,fa0") T(t13, "fsqrt.d fa0,ft3\n fmv.x.d t1,fa0") T(
                t14, "fcvt.d.s fa0,ft1\n fmv.x.d t1,fa0") T(t15,
                                                            "fcvt.s.d fa0,ft0\n fmv.x.d t1,fa0")
                T(t16, "fcvt.l.d t1,ft0\n mv t2,t1") T(t17, "fcvt.w.s t1,ft1\n mv t2,t1") T(
                    t18, "fclass.d t1,ft0\n mv t2,t1") T(t19, "feq.d t1,ft0,ft0\n mv t2,t1")
                    T(t20, "fmin.d fa0,ft0,ft0\n fmv.x.d t1,fa0") T(
                        t21, "fmv.d.x fa0,t0\n fmv.x.d t1,fa0") T(t22, "fmv.x.w t1,ft1\n mv t2,t1")
                        T(t23, "fdiv.d fa0,ft0,ft0\n fadd.d fa1,ft0,ft0\n fmv.x.d t1,fa1") T(
                            t24, "fdiv.d fa0,ft0,ft0\n fdiv.d fa1,ft0,ft0\n fmv.x.d t1,fa1")
                            T(t25, "fdiv.d fa0,ft0,ft0\n fsqrt.d fa1,ft0\n fmv.x.d t1,fa1") T(
                                t26, "fdiv.s fa0,ft1,ft1\n fdiv.d fa1,ft0,ft0\n fmv.x.d t1,fa1")
                                T(t27, "fadd.d fa0,ft0,ft0\n fdiv.d fa1,fa0,ft0\n fmv.x.d t1,fa1")
                                    T(t28, "fmul.d fa0,ft0,ft0\n fadd.s fa1,ft1,ft1\n fcvt.l.d "
                                           "t1,ft0\n fmv.x.d t2,ft0\n add t1,t1,t2")
                                        T(t29, "fmadd.d fa0,ft0,ft0,ft0\n fsgnj.d fa1,ft0,ft0\n "
                                               "fsgnj.d fa2,ft0,ft0\n fmv.x.d t1,fa2")
                                            T(t30, "fdiv.d fa0,ft0,ft0\n div t1,t0,t0\n add "
                                                   "t1,t1,t1\n fmv.x.d t2,fa0")
                                                T(t31, "fadd.s fa0,ft1,ft1\n fmv.x.d "
                                                       "t1,fa0") static long (*const fs[])(void) = {
                                                    t0,  t1,  t2,  t3,  t4,  t5,  t6,  t7,
                                                    t8,  t9,  t10, t11, t12, t13, t14, t15,
                                                    t16, t17, t18, t19, t20, t21, t22, t23,
                                                    t24, t25, t26, t27, t28, t29, t30, t31};
int main(void) {
    u64 k = 1;
    for (int o = 0; o < 32; o++) {
        fs[o]();
        fs[o]();
        results[k++] = fs[o]();
    }
    results[0] = k - 1;
    return 0;
}

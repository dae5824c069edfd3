// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 buf[512] __attribute__((aligned(4096)));
#define T(name, body)                                                                              \
    __attribute__((noinline, aligned(64))) static long name(u64* p) {                              \
        long a, b;                                                                                 \
        __asm__ volatile(".option push\n.option norvc\n ld t1,0(%2)\n ld t1,64(%2)\n fence\n "     \
                         "nop\n nop\n csrr %0,mcycle\n " body "\n csrr %1,mcycle\n.option pop"     \
                         : "=&r"(a), "=&r"(b)                                                      \
                         : "r"(p)                                                                  \
                         : "t0", "t1", "t2", "t3", "t4", "memory");                                \
        return b - a;                                                                              \
    }
T(t_ld, "ld t0,0(%2)\n mv t1,t0")
T(t_amo, "amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t_amo_ld, "amoadd.d t0,x0,(%2)\n ld t1,0(%2)\n mv t2,t1")
T(t_amo_ldl, "amoadd.d t0,x0,(%2)\n ld t1,8(%2)\n mv t2,t1")
T(t_amo_ld2, "amoadd.d t0,x0,(%2)\n ld t1,64(%2)\n mv t2,t1")
T(t_lr, "lr.d t0,(%2)\n mv t1,t0")
T(t_lr_ld, "lr.d t0,(%2)\n ld t1,8(%2)\n mv t2,t1")
T(t_lrsc, "lr.d t0,(%2)\n sc.d t1,t0,(%2)\n mv t2,t1")
T(t_lrsc_ld, "lr.d t0,(%2)\n sc.d t1,t0,(%2)\n ld t2,8(%2)\n mv t3,t2")
T(t_scfail, "sc.d t1,t0,(%2)\n mv t2,t1")
T(t_scfail_ld, "sc.d t1,t0,(%2)\n ld t2,8(%2)\n mv t3,t2")
T(t_st_amo, "sd x0,128(%2)\n amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t_st4_amo,
  "sd x0,128(%2)\n sd x0,192(%2)\n sd x0,256(%2)\n sd x0,320(%2)\n amoadd.d t0,x0,(%2)\n mv t1,t0")
T(t_amow, "amoadd.w t0,x0,(%2)\n mv t1,t0")
T(t_amo_amo2, "amoadd.d t0,x0,(%2)\n amoor.w t1,x0,(%2)\n mv t3,t1")
T(t_amo_st, "amoadd.d t0,x0,(%2)\n sd x0,0(%2)\n fence")
static long (*const fs[])(u64*) = {t_ld,      t_amo,  t_amo_ld,   t_amo_ldl, t_amo_ld2,   t_lr,
                                   t_lr_ld,   t_lrsc, t_lrsc_ld,  t_scfail,  t_scfail_ld, t_st_amo,
                                   t_st4_amo, t_amow, t_amo_amo2, t_amo_st};
int main(void) {
    u64 k = 1;
    for (int o = 0; o < 16; o++) {
        fs[o](buf);
        fs[o](buf);
        results[k++] = fs[o](buf);
    }
    results[0] = k - 1;
    return 0;
}

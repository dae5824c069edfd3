// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// PMP: TOR and NA4 entries that forbid S-mode loads, stores and fetches; faults delegated to an S
// handler that skips or returns; PMP written from M between rounds
static volatile u64 guard[64] __attribute__((aligned(64)));
volatile u64 pmp_faults;
__attribute__((naked, aligned(64))) static void s_vec(void) {
    __asm__ volatile(
        "csrw sscratch,t0\n csrr t0,scause\n addi t0,t0,-1\n beqz t0,1f\n csrr t0,sepc\n addi "
        "t0,t0,4\n csrw sepc,t0\n 2: la t0,pmp_faults\n addi sp,sp,-16\n sd t1,0(sp)\n ld "
        "t1,0(t0)\n addi t1,t1,1\n sd t1,0(t0)\n ld t1,0(sp)\n addi sp,sp,16\n csrr t0,sscratch\n "
        "sret\n 1: csrw sepc,ra\n j 2b\n");
}
static long work(void) {
    long s = 0;
    for (int i = 0; i < 20; i++) {
        __asm__ volatile(".option push\n.option norvc\n ld t1,0(%1)\n sd %0,8(%1)\n ld t1,64(%1)\n "
                         "add %0,%0,t1\n sd %0,72(%1)\n lw t1,32(%1)\n jalr ra,%1\n addi %0,%0,1\n "
                         "amoadd.d t1,%0,(%1)\n.option pop"
                         : "+r"(s)
                         : "r"(guard)
                         : "t1", "ra", "memory");
        s = s * 3 + i;
    }
    return s;
}
static u64 o0, oc;
void setup(void) {
    pmp_faults = 0;
    for (int i = 0; i < 64; i++)
        guard[i] = i;
    CSRW("medeleg", 0xb1a2ul);
    CSRW("stvec", s_vec);
    CSRW("satp", 0ul);
    SFENCE();
    o0 = CSRR("pmpaddr0");
    oc = CSRR("pmpcfg0");
}
long run(void) {
    long s = 0;
    for (int r = 0; r < 4; r++) {
        u64 g = (u64)guard;
        CSRW("pmpaddr0", g >> 2);
        CSRW("pmpaddr1", (g + 16 + 8 * r) >> 2);
        CSRW("pmpaddr2", (g + 32) >> 2);
        CSRW("pmpaddr3", -1ul);
        CSRW("pmpcfg0",
             0x1f100800ul |
                 (r == 3 ? 0x0100 : 0)); // 0 off, 1 TOR none/read, 2 NA4 none, 3 NAPOT all
        SFENCE();
        s += run_s(work);
    }
    CSRW("pmpcfg0", oc);
    CSRW("pmpaddr0", o0);
    SFENCE();
    return s * 0 + pmp_faults;
}

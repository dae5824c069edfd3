// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// S-mode with page faults delegated to an S handler that maps the page (no fence) and counts; half
// the pages are unmapped again with sfence by address
static u64 backing[32][512] __attribute__((aligned(4096)));
volatile u64 faults;
__attribute__((naked, aligned(64))) static void s_trap(void) {
    __asm__ volatile(
        "csrw sscratch,t0\n addi sp,sp,-32\n sd t1,0(sp)\n sd t2,8(sp)\n sd t3,16(sp)\n"
        "csrr t0,stval\n srli t0,t0,12\n andi t0,t0,511\n la t1,pt_leaf2_p\n ld t1,0(t1)\n slli "
        "t2,t0,3\n add t1,t1,t2\n"
        "la t2,backing_p\n ld t2,0(t2)\n slli t0,t0,12\n add t2,t2,t0\n srli t2,t2,2\n ori "
        "t2,t2,0xc7\n sd t2,0(t1)\n"
        "la t1,faults\n ld t2,0(t1)\n addi t2,t2,1\n sd t2,0(t1)\n"
        "ld t1,0(sp)\n ld t2,8(sp)\n ld t3,16(sp)\n addi sp,sp,32\n csrr t0,sscratch\n sret\n");
}
u64* pt_leaf2_p = pt_leaf2;
u64* backing_p = (u64*)backing;
static long work(void) {
    u64 s = 0;
    volatile u64* va = (volatile u64*)0x40000000ul;
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 32; i++) {
            va[((i * 11) & 31) * 512 + i] = i + round;
            s += va[((i * 7) & 31) * 512 + 3];
        }
        for (int i = 0; i < 32; i += 2) {
            pt_leaf2[i] = 0;
            __asm__ volatile("sfence.vma %0,x0" ::"r"(0x40000000ul + i * 4096) : "memory");
        }
    }
    return s + faults;
}
void setup(void) {
    map_identity_4k();
    for (int i = 0; i < 512; i++)
        pt_leaf2[i] = 0;
    CSRW("medeleg", 0xb000ul);
    CSRW("stvec", s_trap);
    CSRW("satp", SATP(pt_root));
    SFENCE();
}
long run(void) {
    return run_s(work);
}

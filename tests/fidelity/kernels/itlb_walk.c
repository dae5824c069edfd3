// SPDX-License-Identifier: Apache-2.0
#include "common.h"

static u64 pt0[512] __attribute__((aligned(4096))), pt1[512] __attribute__((aligned(4096))),
    pt2[512] __attribute__((aligned(4096)));
static void map(void) { /* identity: 0x80000000..0x801fffff by 4 KB pages, devices by 1 GB page */
    for (int i = 0; i < 512; i++)
        pt2[i] = ((0x80000000UL + i * 4096UL) >> 12 << 10) | 0xcf;
    pt1[0] = ((u64)pt2 >> 12 << 10) | 1;
    for (int i = 1; i < 512; i++)
        pt1[i] = ((0x80000000UL + i * 0x200000UL) >> 12 << 10) | 0xcf;
    pt0[0] = (0UL) | 0xcf;
    pt0[2] = ((u64)pt1 >> 12 << 10) | 1;
    __asm__ volatile("csrw satp,%0\nsfence.vma" ::"r"((8UL << 60) | ((u64)pt0 >> 12)) : "memory");
}

long run_s(long (*)(void));
static int done;
void setup(void) {
    if (!done) {
        map();
        done = 1;
    }
}
static long work(void) {
    __asm__ volatile(".option push\n.option norvc\n li t6,8\n j 2f\n.balign 4096\n1: addi "
                     "t6,t6,-1\n beqz t6,9f\n2:\n.rept 24\n la t0,3f\n jr t0\n.balign 4096\n.skip "
                     "64\n3:\n.endr\n la t0,1b\n jr t0\n9:\n.option pop" ::
                         : "t0", "t6");
    return 0;
}
long run(void) {
    return run_s(work);
}

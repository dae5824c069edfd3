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

static u8 buf[64 * 4096] __attribute__((aligned(4096)));
static int done;
void setup(void) {
    if (!done) {
        map();
        done = 1;
    }
}
long run(void) { /* MPRV: loads translated with S-mode rights */
    __asm__ volatile("csrs mstatus,%0" ::"r"(0x20000L | 0x800L));
    u8* p = buf;
    long s = 0;
    for (int r = 0; r < 16; r++)
        for (int i = 0; i < 32; i++)
            s += *(volatile u64*)(p + i * 4096UL + i * 16);
    __asm__ volatile("csrc mstatus,%0" ::"r"(0x20000L | 0x800L));
    return s;
}

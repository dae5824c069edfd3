// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// ITLB misses (event 3, hpmcounter5) and cycles of each of 6 rounds over n code pages, in each of
// which a branch is predicted wrongly in most rounds. Kind 0: its target is in the page behind its
// own, and jumps back; 1: the same, and the jump behind the branch is the last word of the page.
volatile u64 results[256] __attribute__((aligned(64)));
static u32 area[40 * 1024] __attribute__((aligned(4096)));
static u64 k = 1, entry;
static int n, kind;
static u32 jal(long d) {
    return 0x6f | ((d >> 20 & 1) << 31) | ((d >> 1 & 0x3ff) << 21) | ((d >> 11 & 1) << 20) |
           ((d >> 12 & 0xff) << 12);
}
static u32 bnez_a1(long d) {
    return 0x00059063 | ((d >> 12 & 1) << 31) | ((d >> 5 & 0x3f) << 25) | ((d >> 1 & 0xf) << 8) |
           ((d >> 11 & 1) << 7);
}
static void build(void) {
    const u64 base = (u64)area;
    const int step = n % 11 == 0 ? 13 : 11;
    for (int i = 0; i < n; i++) {
        const int p = (i * step) % n, q = ((i + 1) * step) % n;
        // andi a1,a0,1; addi a0,a0,1; bnez a1,far; behind: addi; jal next hop
        u32* c = area + p * 1024 + (kind ? 1019 : 64);
        const u64 hop = base + q * 4096ul + (kind ? 4076 : 256);
        u32* far = area + ((p + 1) % n) * 1024 + 32 + p;
        c[0] = 0x00157593;
        c[1] = 0x00150513;
        c[2] = bnez_a1((long)far - (long)(c + 2));
        if (far < c)
            c[2] = 0x00000013; // out of reach: nop
        c[3] = 0x00350513;
        c[4] = i < n - 1 ? jal((long)hop - (long)(c + 4)) : 0x00008067;
        far[0] = jal((long)(c + 3) - (long)far);
    }
    entry = base + (kind ? 4076 : 256);
    __asm__ volatile("fence.i" ::: "memory");
}
static long work(void) {
    for (int r = 0; r < 6; r++) {
        u64 c0, i0, c1, i1;
        register long a0 __asm__("a0") = r;
        __asm__ volatile("csrr %0,cycle\n csrr %1,hpmcounter5" : "=r"(c0), "=r"(i0));
        __asm__ volatile("jalr ra,%1" : "+r"(a0) : "r"(entry) : "ra", "a1", "memory");
        __asm__ volatile("csrr %0,cycle\n csrr %1,hpmcounter5" : "=r"(c1), "=r"(i1));
        results[k++] = (c1 - c0) * 1000 + (i1 - i0);
    }
    return 0;
}
int main(void) {
    CSRW("mhpmevent5", 3ul);
    map_identity_4k();
    CSRW("satp", SATP(pt_root));
    static const int nn[] = {8, 13, 15, 16, 17, 20, 26};
    for (kind = 0; kind < 2; kind++)
        for (int j = 0; j < 7; j++) {
            n = nn[j];
            build();
            SFENCE();
            run_s(work);
        }
    results[0] = k - 1;
    return 0;
}

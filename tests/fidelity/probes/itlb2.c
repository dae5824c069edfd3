// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// cycles*1000 + ITLB misses of 6 rounds of n calls to functions on n pages: kind 0 = one indirect
// call site, targets from a table; 1 = n call sites (jal), 2 = n call sites with li/jalr through a
// register loaded before (BTB can learn), 3 = as 1, two functions a page pair nested
volatile u64 results[256] __attribute__((aligned(64)));
static u32 area[40 * 1024] __attribute__((aligned(4096)));
static u32 code[512] __attribute__((aligned(4096)));
static u64 tab[40];
static int n, kind;
static u64 k = 1;
static u32 jal1(long d) {
    return 0xef | ((d >> 20 & 1) << 31) | ((d >> 1 & 0x3ff) << 21) | ((d >> 11 & 1) << 20) |
           ((d >> 12 & 0xff) << 12);
}
static void build(void) {
    for (int i = 0; i < n; i++) {
        u32* f = area + i * 1024 + 16 * (i + 1);
        tab[i] = (u64)f;
        f[0] = 0x00150513;
        f[1] = 0x00250513;
        f[2] = 0x00008067;
    }
    u32* c = code;
    *c++ = 0x00008293; // mv t0,ra
    for (int i = 0; i < n; i++) {
        if (kind == 1) {
            *c = jal1((long)tab[i] - (long)c);
            c++;
        } else if (kind == 2) {
            *c++ = 0x0005b303 | (u32)(i * 8) << 20;
            *c++ = 0x000300e7;
        } // ld t1,8i(a1); jalr ra,t1
        *c++ = 0x00350513;
    }
    *c++ = 0x00028067; // jr t0
    __asm__ volatile("fence.i" ::: "memory");
}
static long work(void) {
    for (int r = 0; r < 6; r++) {
        u64 c0, i0, c1, i1;
        register long a0 __asm__("a0") = r;
        register u64* a1 __asm__("a1") = tab;
        __asm__ volatile("csrr %0,cycle\n csrr %1,hpmcounter5" : "=r"(c0), "=r"(i0));
        if (kind == 0) {
            register u64* e __asm__("a2") = tab + n;
            __asm__ volatile(".option push\n.option norvc\n .balign 16\n 1: ld t1,0(a1)\n addi "
                             "a1,a1,8\n jalr ra,t1\n bne a1,a2,1b\n.option pop"
                             : "+r"(a0), "+r"(a1)
                             : "r"(e)
                             : "ra", "t1", "memory");
        } else
            __asm__ volatile("jalr ra,%2"
                             : "+r"(a0)
                             : "r"(a1), "r"(code)
                             : "ra", "t0", "t1", "memory");
        __asm__ volatile("csrr %0,cycle\n csrr %1,hpmcounter5" : "=r"(c1), "=r"(i1));
        results[k++] = (c1 - c0) * 1000 + (i1 - i0);
    }
    return 0;
}
int main(void) {
    CSRW("mhpmevent5", 3ul);
    map_identity_4k();
    CSRW("satp", SATP(pt_root));
    static const int nn[] = {8, 13, 20, 28};
    for (kind = 0; kind < 3; kind++)
        for (int j = 0; j < 4; j++) {
            n = nn[j];
            build();
            SFENCE();
            run_s(work);
        }
    results[0] = k - 1;
    return 0;
}

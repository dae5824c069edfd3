// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// ITLB misses (event 3, hpmcounter5) and cycles of each of 6 rounds over n code pages: kind 0 = one
// page a hop (nop, jal), 1 = the hop's instruction crosses into the next page (as u_pagecross), 2 =
// as 0 but jal is the last word of the page, 3 = as 0, jump order stride 1
volatile u64 results[256] __attribute__((aligned(64)));
static u32 area[40 * 1024] __attribute__((aligned(4096)));
static void put16(u64 a, u32 v) {
    *(volatile unsigned short*)a = v;
}
static void put32(u64 a, u32 v) {
    put16(a, v & 0xffff);
    put16(a + 2, v >> 16);
}
static u32 jal(long d) {
    return 0x6f | ((d >> 20 & 1) << 31) | ((d >> 1 & 0x3ff) << 21) | ((d >> 11 & 1) << 20) |
           ((d >> 12 & 0xff) << 12);
}
static int n, kind;
static u64 k = 1, entry;
static void build(void) {
    u64 b = (u64)area;
    int st = kind == 3 ? 1 : 11;
    u64 off = kind == 1 ? 0xff6 : kind == 2 ? 0xff8 : 0x100;
    while (st > 1 && n % st == 0)
        st += 2;
    for (int i = 0; i < n; i++) {
        int p = (i * st) % n, q = ((i + 1) * st) % n;
        u64 a = b + p * 4096ul + off;
        if (kind == 1) {
            put16(a, 0x0505);
            put16(a + 2, 0x952e);
            put32(a + 4, 0x00150513);
            put32(a + 8, 0x00350513);
            put16(a + 12, 0x0509);
            a += 14;
        } else {
            put32(a, 0x00350513);
            a += 4;
        }
        if (i < n - 1)
            put32(a, jal((long)(b + q * 4096ul + off) - (long)a));
        else
            put16(a, 0x8082);
    }
    entry = b + off;
    __asm__ volatile("fence.i" ::: "memory");
}
static long work(void) {
    for (int r = 0; r < 6; r++) {
        u64 c0, i0, c1, i1;
        register long a0 __asm__("a0") = r;
        __asm__ volatile("csrr %0,cycle\n csrr %1,hpmcounter5" : "=r"(c0), "=r"(i0));
        __asm__ volatile("jalr ra,%1" : "+r"(a0) : "r"(entry) : "ra", "memory");
        __asm__ volatile("csrr %0,cycle\n csrr %1,hpmcounter5" : "=r"(c1), "=r"(i1));
        results[k++] = (c1 - c0) * 1000 + (i1 - i0);
    }
    return 0;
}
int main(void) {
    CSRW("mhpmevent5", 3ul);
    map_identity_4k();
    CSRW("satp", SATP(pt_root));
    static const int nn[] = {8, 14, 15, 16, 17, 20, 26};
    for (kind = 0; kind < 4; kind++)
        for (int j = 0; j < 7; j++) {
            n = nn[j];
            build();
            SFENCE();
            run_s(work);
        }
    results[0] = k - 1;
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// S-mode, 4 KiB pages, 26 code pages (more than the ITLB): jumps to the end of a page, a 32-bit
// instruction that crosses into the next one, from there (address 2 mod 4) a jal to another page;
// then branches whose second half is in the next fetch word or line
#define N 26
static u32 area[(N + 1) * 1024] __attribute__((aligned(4096)));
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
static u32 beq(int rs1, int rs2, long d) {
    return 0x63 | rs1 << 15 | rs2 << 20 | ((d >> 12 & 1) << 31) | ((d >> 5 & 0x3f) << 25) |
           ((d >> 1 & 0xf) << 8) | ((d >> 11 & 1) << 7);
}
void setup(void) {
    u64 b = (u64)area;
    for (int i = 0; i < N; i++) {
        int p = (i * 11) % N, q = ((i + 1) * 11) % N;
        u64 a = b + p * 4096ul + 0xff6;
        put16(a, 0x0505);            // c.addi a0,1
        put16(a + 2, 0x952e);        // c.add a0,a1
        put32(a + 4, beq(10, 0, 8)); // at ffa..ffd: not taken (a0 != 0)
        put32(a + 8, 0x00350513);    // at ffe: addi a0,a0,3 crosses the page
        put16(a + 12, 0x0509);       // 0x002 of the next page: c.addi a0,2
        if (i < N - 1)
            put32(a + 14, jal((long)(b + q * 4096ul + 0xff6) - (long)(a + 14)));
        else
            put16(a + 14, 0x8082);
    }
    __asm__ volatile("fence.i" ::: "memory");
    map_identity_4k();
    CSRW("satp", SATP(pt_root));
    SFENCE();
}
static long work(void) {
    register long a0 __asm__("a0");
    long s = 0;
    for (int k = 0; k < 12; k++) {
        a0 = k + 1;
        register long a1 __asm__("a1") = k;
        __asm__ volatile("jalr ra,%2"
                         : "+r"(a0)
                         : "r"(a1), "r"((u64)area + 0xff6)
                         : "ra", "memory");
        s += a0;
        if (k % 4 == 3)
            __asm__ volatile("sfence.vma" ::: "memory");
    }
    // misaligned (2 mod 4) targets and words that straddle 16-byte lines
    __asm__ volatile(
        "li t0,200\n .balign 16\n .option push\n.option rvc\n c.nop\n 1: .option norvc\n addi "
        "%0,%0,1\n xori %0,%0,5\n beq t0,x0,2f\n addi t0,t0,-1\n andi t1,t0,3\n bnez t1,3f\n addi "
        "%0,%0,7\n .option rvc\n c.nop\n .option norvc\n 3: j 4f\n .word 0\n .option rvc\n c.nop\n "
        ".option norvc\n 4: j 1b\n .option rvc\n 2: c.nop\n .option pop\n"
        : "+r"(s)::"t0", "t1");
    return s;
}
long run(void) {
    return run_s(work);
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
// g() calls f() and returns; f ends with a not-taken branch and ret: in one fetch word (a), in two
// (b), no branch (c); call behind a branch in one word (d: c.jalr)
__asm__(".text\n.balign 64\nfa: li a5,1\n nop\n .balign 4\n c.beqz a5,1f\n ret\n1: ret\n.balign "
        "64\nfb: li a5,1\n nop\n .balign 4\n c.nop\n c.beqz a5,1f\n ret\n1: ret\n.balign 64\nfc: "
        "li a5,1\n nop\n .balign 4\n c.nop\n ret\n"
        ".balign 64\nga: addi sp,sp,-16\n sd ra,8(sp)\n call fa\n ld ra,8(sp)\n addi sp,sp,16\n "
        "nop\n nop\n ret\n.balign 64\ngb: addi sp,sp,-16\n sd ra,8(sp)\n call fb\n ld ra,8(sp)\n "
        "addi sp,sp,16\n nop\n nop\n ret\n.balign 64\ngc: addi sp,sp,-16\n sd ra,8(sp)\n call fc\n "
        "ld ra,8(sp)\n addi sp,sp,16\n nop\n nop\n ret\n"
        ".balign 64\ngd: addi sp,sp,-16\n sd ra,8(sp)\n la a4,fc\n li a5,1\n .balign 4\n c.beqz "
        "a5,1f\n c.jalr a4\n1: ld ra,8(sp)\n addi sp,sp,16\n nop\n nop\n ret\n");
void ga(void);
void gb(void);
void gc(void);
void gd(void);
#define RD(c)                                                                                      \
    ({                                                                                             \
        u64 v;                                                                                     \
        __asm__ volatile("csrr %0," c : "=r"(v));                                                  \
        v;                                                                                         \
    })
int main(void) {
    u64 k = 1;
    void (*const g[])(void) = {ga, gb, gc, gd};
    __asm__ volatile("csrw mhpmevent3,%0" ::"r"(10));
    for (int i = 0; i < 4; i++)
        for (int r = 0; r < 2; r++) {
            u64 m = RD("mhpmcounter3"), c = RD("mcycle");
            for (int n = 0; n < 20; n++)
                g[i]();
            results[k++] = RD("mcycle") - c;
            results[k++] = RD("mhpmcounter3") - m;
        }
    results[0] = k - 1;
    return 0;
}

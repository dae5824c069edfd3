// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// WFI wakeups: by timer (60 of them, different distances), handler taken or wake without taking
// (MIE=0)
volatile u64 n_irq;
static u64 old;
__attribute__((naked, aligned(64))) static void m_trap(void) {
    __asm__ volatile(
        "addi sp,sp,-16\n sd t0,0(sp)\n sd t1,8(sp)\n li t0,0x2004000\n li t1,-1\n sd t1,0(t0)\n "
        "la t0,n_irq\n ld t1,0(t0)\n addi t1,t1,1\n sd t1,0(t0)\n li t0,0x2004000\n ld t1,0(t0)\n "
        "ld t0,0(sp)\n ld t1,8(sp)\n addi sp,sp,16\n mret\n");
}
void setup(void) {
    n_irq = 0;
    old = CSRR("mtvec");
}
long run(void) {
    u64 s = 0;
    CSRW("mtvec", m_trap);
    CSRW("mie", 0x80ul);
    u64 t = MTIME;
    while (MTIME == t)
        ;
    for (int i = 0; i < 60; i++) {
        MTIMECMP = MTIME + 20 + i;
        if (i & 1)
            CSRS("mstatus", 8ul);
        __asm__ volatile("wfi\n nop\n nop" ::: "memory");
        if (i & 1)
            CSRC("mstatus", 8ul);
        else {
            MTIMECMP = -1ul;
            (void)MTIMECMP;
        }
        for (int k = 0; k < i; k++)
            s += k * i;
    }
    CSRW("mie", 0ul);
    CSRW("mtvec", old);
    return s + n_irq;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
void setup(void) {
    __asm__ volatile("csrs mie,%0" ::"r"(8L));
    __asm__ volatile("csrs mstatus,%0" ::"r"(8L));
}
long run(void) {
    LOOP(40, 1, "li t0,0x2000000\n li t1,1", "sw t1,0(t0)\n .rept 60\n nop\n .endr", "t0", "t1");
    return 0;
}

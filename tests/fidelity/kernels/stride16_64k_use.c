// SPDX-License-Identifier: Apache-2.0
#include "common.h"
static u8 buf[65536] __attribute__((aligned(4096)));
long run(void) {
    long s = 0;
    const u8* p = buf;
    const u8* e = buf + sizeof buf;
    __asm__ volatile(".option push\n.option norvc\n.balign 64\n1:\n ld t0,0(%1)\n addi %1,%1,16\n "
                     "add %0,%0,t0\n bne %1,%2,1b\n.option pop"
                     : "+r"(s), "+r"(p)
                     : "r"(e)
                     : "t0", "memory");
    return s;
}

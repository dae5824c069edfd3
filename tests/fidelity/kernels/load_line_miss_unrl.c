// SPDX-License-Identifier: Apache-2.0
#include "common.h"
static u64 buf[16384] __attribute__((aligned(4096)));
long run(void) {
    register u64* p __asm__("a5") = buf;
    __asm__ volatile(".option push\n.option norvc\n li t6,32\n li t5,2032\n.balign 64\n1:\n.set "
                     "i,0\n.rept 127\n ld x0,i(%0)\n.set i,i+16\n.endr\n add %0,%0,t5\n addi "
                     "t6,t6,-1\n bnez t6,1b\n.option pop"
                     : "+r"(p)::"t5", "t6", "memory");
    return 0;
}

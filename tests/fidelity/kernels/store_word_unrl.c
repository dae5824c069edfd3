// SPDX-License-Identifier: Apache-2.0
#include "common.h"
static u64 buf[8192] __attribute__((aligned(4096)));
long run(void) {
    register u64* p __asm__("a5") = buf;
    __asm__ volatile(
        ".option push\n.option norvc\n li t6,8\n.balign 64\n1:\n.set i,0\n.rept 255\n sd "
        "x0,i(%0)\n.set i,i+8\n.endr\n addi t6,t6,-1\n bnez t6,1b\n.option pop" ::"r"(p)
        : "t6", "memory");
    return 0;
}

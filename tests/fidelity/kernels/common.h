// SPDX-License-Identifier: Apache-2.0
#pragma once
typedef unsigned long u64;
typedef unsigned int u32;
typedef unsigned char u8;
long run(void);
void setup(void);
#define STR2(x) #x
#define STR(x) STR2(x)
/* a counted loop around an unrolled body; body is REPT copies; 4-byte encodings only */
#define LOOP(n, rept, pre, body, clob...)                                                          \
    __asm__ volatile(                                                                              \
        ".option push\n.option norvc\n li t6," STR(n) "\n" pre "\n.balign 64\n1:\n.rept " STR(     \
            rept) "\n" body "\n.endr\n addi t6,t6,-1\n bnez t6,1b\n.option pop\n" ::               \
            : "t6", "memory", ##clob)

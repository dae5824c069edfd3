// SPDX-License-Identifier: Apache-2.0
// UNITS different functions of 14 instructions, called in turn PASSES times. A call, the jump over
// the function and the function itself are 64 bytes.
#if !defined(UNITS) || !defined(PASSES)
#error "the build gives UNITS and PASSES"
#endif

    .option norvc
    .option norelax

    .text
    .globl main
main:
    mv s0, ra
    la s1, words
    li s2, PASSES
    .balign 4096
.Lpass:
    .set unit, 0
    .rept UNITS
    jal ra, 1f
    j 3f
1:  addi a0, a0, unit & 1023
    xor a1, a1, a0
    slli a2, a1, 1 + unit % 31
    add a3, a3, a2
    ld a4, 8 * (unit & 127)(s1)
    add a4, a4, a3
    sd a4, 8 * (unit & 127)(s1)
    andi a5, a3, 7
    beqz a5, 2f
    addi a1, a1, 3
2:  sub a0, a0, a5
    ori a2, a2, unit >> 10
    add a3, a3, a2
    ret
3:
    .set unit, unit + 1
    .endr
    addi s2, s2, -1
    beqz s2, 4f
    la t0, .Lpass                   // further than a branch reaches
    jr t0
4:  li a0, 0
    jr s0

    .bss
    .balign 64
words:
    .space 1024

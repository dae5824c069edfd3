// SPDX-License-Identifier: Apache-2.0
// Loops with known counts. Nothing of one class stands beside its like, so that CVA6, which counts
// two instructions of a class that retire together once, counts each.

// void mixed_loop(iterations): each has 1 load, 1 store, 2 integer instructions, 1 branch.
    .text
    .balign 64
    .globl mixed_loop
    .type mixed_loop, @function
mixed_loop:
    la t0, word
    .globl mixed_loop_load
mixed_loop_load:
1:  ld t1, 0(t0)
    addi t2, a0, 1
    sd t2, 0(t0)
    addi a0, a0, -1
    bnez a0, 1b
    ret
    .globl mixed_loop_end
mixed_loop_end:
    .size mixed_loop, . - mixed_loop

// void float_loop(iterations): each has 1 floating-point and 1 integer instruction, 1 branch.
    .balign 64
    .globl float_loop
    .type float_loop, @function
float_loop:
    li t0, 0x2000                   // FS = initial
    csrs sstatus, t0
1:  fadd.d fa0, fa0, fa0
    addi a0, a0, -1
    bnez a0, 1b
    ret
    .globl float_loop_end
float_loop_end:
    .size float_loop, . - float_loop

    .bss
    .balign 64
word:
    .skip 64

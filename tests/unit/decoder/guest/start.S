# SPDX-License-Identifier: Apache-2.0
# Labels as hand-written start-up code has them: without a type or a size.
    .section .text.start, "ax"
    .globl _start
_start:
    la sp, stack_top
    jal main
park:
    wfi
1:  j 1b

# A function with a size that has a label inside.
    .globl copy_words
    .type copy_words, @function
copy_words:
    beqz a2, copy_done
copy_loop:
    ld t0, 0(a1)
    sd t0, 0(a0)
    addi a0, a0, 8
    addi a1, a1, 8
    addi a2, a2, -1
    bnez a2, copy_loop
copy_done:
    ret
    .size copy_words, . - copy_words

# Padding that no symbol owns.
    .balign 64
    .bss
    .space 256
stack_top:

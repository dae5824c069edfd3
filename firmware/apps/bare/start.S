// SPDX-License-Identifier: Apache-2.0
// Start of a bare-metal machine-mode program. A trap is a failure: exit code 128 + cause.
#include "firmware/boot/startup.inc"

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    csrr t0, mhartid
1:  bnez t0, 1b
    la t0, unexpected_trap
    csrw mtvec, t0
    li t0, 0x6000                   // mstatus.FS = dirty
    csrs mstatus, t0
    load_global_pointer
    la sp, __stack_top
    clear_bss
    call main
    call finisher_exit              // a0 = main's value
    .size _start, . - _start

    .balign 4
    .type unexpected_trap, @function
unexpected_trap:
    csrr a0, mcause
    andi a0, a0, 0x3f
    addi a0, a0, 128
    call finisher_exit
    .size unexpected_trap, . - unexpected_trap

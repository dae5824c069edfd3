// SPDX-License-Identifier: Apache-2.0
// Start of a bare-metal machine-mode program that wants every hart: each calls main(hart) on a stack
// of its own once hart 0 has cleared bss. What hart 0 returns is the exit code; the others sleep
// when they return. A trap is a failure: exit code 128 + cause.
#include "firmware/boot/startup.inc"
#include "platform.h"

#define STACK_SHIFT 13              // of the 64 KiB below __stack_top, for 8 harts
#if PES_MAX_HARTS << STACK_SHIFT > 0x10000
#error "the linker script reserves too little for the stacks"
#endif

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    csrw mie, zero
    la t0, unexpected_trap
    csrw mtvec, t0
    li t0, 0x6000                   // mstatus.FS = dirty
    csrs mstatus, t0
    load_global_pointer
    csrr s0, mhartid
    la sp, __stack_top
    slli t0, s0, STACK_SHIFT
    sub sp, sp, t0
    la s1, harts_may_run
    bnez s0, 1f
    clear_bss
    fence rw, w
    sw sp, 0(s1)                    // anything but zero
1:  lw t0, 0(s1)
    beqz t0, 1b
    fence r, rw
    mv a0, s0
    call main
    bnez s0, 2f
    call finisher_exit              // a0 = main's value
2:  csrw mie, zero
3:  wfi
    j 3b
    .size _start, . - _start

    .balign 4
    .type unexpected_trap, @function
unexpected_trap:
    csrr a0, mcause
    andi a0, a0, 0x3f
    addi a0, a0, 128
    call finisher_exit
    .size unexpected_trap, . - unexpected_trap

    .data                           // not bss: it must be zero before bss is
    .balign 4
    .type harts_may_run, @object
harts_may_run:
    .word 0
    .size harts_may_run, . - harts_may_run

// SPDX-License-Identifier: Apache-2.0
// run_at(mode, function, argument, taken): see modes.h.
#include "firmware/boot/startup.inc"

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    csrr t0, mhartid
1:  bnez t0, 1b
    la t0, unexpected_trap
    csrw mtvec, t0
    load_global_pointer
    la sp, __stack_top
    clear_bss
    call main
    call finisher_exit
    .size _start, . - _start

    .balign 4
unexpected_trap:
    csrr a0, mcause
    andi a0, a0, 0x3f
    addi a0, a0, 128
    call finisher_exit

    .text
    .globl run_at
    .type run_at, @function
run_at:
    addi sp, sp, -256
    .irp n, 1, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    sd x\n, \n*8(sp)
    .endr
    sd a3, 240(sp)
    csrw mscratch, sp
    la t0, machine_trap
    csrw mtvec, t0
    la t0, supervisor_trap
    csrw stvec, t0
    sd zero, 0(a3)
    sd zero, 8(a3)
    sd zero, 16(a3)
    la t0, saved_taken
    sd a3, 0(t0)
    li t0, 0x1888                   // MPP, MPIE, MIE
    csrc mstatus, t0
    slli a0, a0, 11
    csrs mstatus, a0
    csrw mepc, a1
    la sp, lower_stack_top          // also of M: its own is what run_at() goes back to
    mv a0, a2
    la ra, leave
    mret
    .size run_at, . - run_at

leave:
    ecall

// Of an interrupt or exception in S: what it was, and on to M.
    .balign 4
supervisor_trap:
    la t0, saved_taken
    ld t0, 0(t0)
    csrr t1, scause
    sd t1, 8(t0)
    li t1, 1
    sd t1, 16(t0)
    ecall

    .balign 4
machine_trap:
    csrrw sp, mscratch, sp
    ld a3, 240(sp)
    ld t0, 16(a3)
    bnez t0, 1f                     // S had it
    csrr t0, mcause
    sd t0, 0(a3)
1:  li t0, 8                        // MIE
    csrc mstatus, t0
    la t0, unexpected_trap
    csrw mtvec, t0
    .irp n, 1, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    ld x\n, \n*8(sp)
    .endr
    addi sp, sp, 256
    ret

    .bss
    .balign 16
    .skip 8192
lower_stack_top:
saved_taken:
    .skip 8

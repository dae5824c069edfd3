// SPDX-License-Identifier: Apache-2.0
// Supervisor start, trap entry and the way into a user program. sscratch holds the top of the
// supervisor stack while the user runs and zero while the supervisor runs.
#include "firmware/boot/frame_macros.inc"

#define SUPERVISOR_STACK_SIZE 16384

    .section .text.start, "ax"
    .globl supervisor_start
    .type supervisor_start, @function
supervisor_start:
    la sp, supervisor_stack_top
    csrw sscratch, zero
    la t0, supervisor_trap_entry
    csrw stvec, t0
    call supervisor_main            // does not return
    .size supervisor_start, . - supervisor_start

    .text
    .balign 4
    .type supervisor_trap_entry, @function
supervisor_trap_entry:
    csrrw sp, sscratch, sp
    bnez sp, 1f
    csrr sp, sscratch               // a trap of the supervisor itself
1:  addi sp, sp, -PES_FRAME_SIZE
    save_integer_registers
    csrrw t0, sscratch, zero
    sd t0, 16(sp)
    csrr t0, sepc
    sd t0, PES_FRAME_PC(sp)
    csrr t0, sstatus
    sd t0, PES_FRAME_STATUS(sp)
    mv a0, sp
    call supervisor_trap            // returns only to the user
    ld t0, PES_FRAME_PC(sp)
    csrw sepc, t0
    ld t0, PES_FRAME_STATUS(sp)
    csrw sstatus, t0
    addi t0, sp, PES_FRAME_SIZE
    csrw sscratch, t0
    restore_integer_registers
    sret
    .size supervisor_trap_entry, . - supervisor_trap_entry

// enter_user(entry, stack): sstatus has been prepared.
    .globl enter_user
    .type enter_user, @function
enter_user:
    csrw sepc, a0
    la t0, supervisor_stack_top
    csrw sscratch, t0
    mv sp, a1
    .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    mv x\n, zero
    .endr
    sret
    .size enter_user, . - enter_user

    .bss
    .balign 16
    .skip SUPERVISOR_STACK_SIZE
supervisor_stack_top:

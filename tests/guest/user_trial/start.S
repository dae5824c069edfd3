// SPDX-License-Identifier: Apache-2.0
// Supervisor start, user mode and traps of the tests that include trial.h. In user mode sscratch is the
// supervisor's stack; a trap from supervisor mode is a failure.
#include "firmware/boot/frame_macros.inc"
#include "firmware/boot/startup.inc"

    .section .text.start, "ax"
    .globl supervisor_start
    .type supervisor_start, @function
supervisor_start:
    la sp, __stack_top
    clear_bss
    la t0, unexpected_trap
    csrw stvec, t0
    call run_tests                  // does not return
    .size supervisor_start, . - supervisor_start

    .text
// run_user(entry, argument): user mode until its ecall, whose a0 is returned.
    .globl run_user
    .type run_user, @function
run_user:
    addi sp, sp, -112
    sd ra, 0(sp)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sd s\n, 8 + 8 * \n(sp)
    .endr
    csrw sscratch, sp
    csrw sepc, a0
    li t0, 0x100                    // SPP: back to user mode
    csrc sstatus, t0
    la t0, user_trap
    csrw stvec, t0
    mv a0, a1
    sret
    .size run_user, . - run_user

    .balign 4
    .type user_trap, @function
user_trap:
    csrrw sp, sscratch, sp
    addi sp, sp, -PES_FRAME_SIZE
    save_integer_registers
    csrr t0, scause
    bgez t0, 1f
    call overflow_interrupt
    csrr t0, sscratch               // the user's sp
    sd t0, 16(sp)
    addi t0, sp, PES_FRAME_SIZE
    csrw sscratch, t0
    restore_integer_registers
    sret
1:  addi t0, t0, -8                 // a call from user mode: a0 stays
    bnez t0, unexpected_trap
    addi sp, sp, PES_FRAME_SIZE
    la t0, unexpected_trap
    csrw stvec, t0
    ld ra, 0(sp)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    ld s\n, 8 + 8 * \n(sp)
    .endr
    addi sp, sp, 112
    ret
    .size user_trap, . - user_trap

    .balign 4
    .type unexpected_trap, @function
unexpected_trap:
    csrr a0, scause
    csrr a1, sepc
    csrr a2, stval
    call report_trap                // does not return
    .size unexpected_trap, . - unexpected_trap

// User code. Each turn of a loop has exactly one branch; nothing else here is one.
    .globl user_turns
    .type user_turns, @function
user_turns:                         // argument: turns
    nop
1:  addi a0, a0, -1
    nop
    bnez a0, 1b
    ecall
    .globl user_turns_end
user_turns_end:
    .size user_turns, . - user_turns

    .globl user_count
    .type user_count, @function
user_count:                         // argument: turns; what hpmcounter3 counts of them
    csrr t0, hpmcounter3
1:  addi a0, a0, -1
    nop
    bnez a0, 1b
    csrr t1, hpmcounter3
    sub a0, t1, t0
    ecall
    .size user_count, . - user_count

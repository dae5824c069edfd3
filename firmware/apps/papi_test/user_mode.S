// SPDX-License-Identifier: Apache-2.0
// A function in user mode, called from supervisor mode without address translation.

// void in_user_mode(void (*function)(long), long argument)
    .text
    .globl in_user_mode
    .type in_user_mode, @function
in_user_mode:
    addi sp, sp, -16
    sd ra, 8(sp)
    li t0, 1 << 8                   // SPP
    csrc sstatus, t0
    csrw sepc, a0
    mv a0, a1
    la ra, leave_user_mode
    sret
leave_user_mode:
    ecall
    .size in_user_mode, . - in_user_mode

// The program's trap vector: nothing but that ecall, whose stack is in_user_mode's.
    .balign 4
    .globl test_trap_entry
    .type test_trap_entry, @function
test_trap_entry:
    li t0, 1 << 8
    csrs sstatus, t0                // the next sret, in a handler of the library, stays here
    ld ra, 8(sp)
    addi sp, sp, 16
    csrr t0, sstatus
    srli t1, t0, 4                  // SPIE to SIE, as sret would
    andi t1, t1, 2
    csrs sstatus, t1
    ret
    .size test_trap_entry, . - test_trap_entry

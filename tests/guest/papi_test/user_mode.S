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

// A vectored table: exceptions as above; interrupt 1, the supervisor software interrupt, is counted.
    .balign 256
    .globl test_vectors
test_vectors:
    .option push
    .option norvc
    j test_trap_entry
    j software_entry
    .option pop

    .type software_entry, @function
software_entry:
    addi sp, sp, -16
    sd t0, 0(sp)
    sd t1, 8(sp)
    csrci sip, 1 << 1
    la t0, software_interrupts
    ld t1, 0(t0)
    addi t1, t1, 1
    sd t1, 0(t0)
    ld t0, 0(sp)
    ld t1, 8(sp)
    addi sp, sp, 16
    sret
    .size software_entry, . - software_entry

    .bss
    .balign 8
    .globl software_interrupts
software_interrupts:
    .skip 8

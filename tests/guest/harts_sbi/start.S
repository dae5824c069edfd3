// SPDX-License-Identifier: Apache-2.0
// Supervisor entries of the two harts of the hart-state test. The second one comes with the top of
// its stack in a1. Software interrupts are polled, so every trap is a failure.
    .section .text.start, "ax"
    .globl supervisor_start
    .type supervisor_start, @function
supervisor_start:
    la sp, first_stack_top
    la t0, unexpected_trap
    csrw stvec, t0
    call run_tests                  // does not return
    .size supervisor_start, . - supervisor_start

    .text
    .globl second_start
    .type second_start, @function
second_start:
    mv sp, a1
    la t0, unexpected_trap
    csrw stvec, t0
    csrr a1, satp
    csrr a2, sstatus
    call second_hart                // (hart, satp, sstatus); does not return
    .size second_start, . - second_start

    .globl second_resume
    .type second_resume, @function
second_resume:
    mv sp, a1
    la t0, unexpected_trap
    csrw stvec, t0
    call second_hart_resumed        // (hart); does not return
    .size second_resume, . - second_resume

    .balign 4
    .type unexpected_trap, @function
unexpected_trap:
    csrr a0, scause
    csrr a1, sepc
    csrr a2, stval
    call report_trap                // does not return
    .size unexpected_trap, . - unexpected_trap

    .bss
    .balign 16
    .skip 16384
first_stack_top:
    .skip 16384
    .globl second_stack_top
second_stack_top:

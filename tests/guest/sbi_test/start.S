// SPDX-License-Identifier: Apache-2.0
// Supervisor entry of the SBI test. A trap is noted and its instruction (4 bytes) stepped over.
    .section .text.start, "ax"
    .globl supervisor_start
    .type supervisor_start, @function
supervisor_start:
    la sp, stack_top
    la t0, trap_entry
    csrw stvec, t0
    call run_tests                  // does not return
    .size supervisor_start, . - supervisor_start

    .text
    .balign 4
    .type trap_entry, @function
trap_entry:
    addi sp, sp, -16
    sd t0, 0(sp)
    sd t1, 8(sp)
    csrr t0, scause
    la t1, last_trap
    sd t0, 0(t1)
    csrr t0, stval
    sd t0, 8(t1)
    csrr t0, sepc
    addi t0, t0, 4
    csrw sepc, t0
    ld t0, 0(sp)
    ld t1, 8(sp)
    addi sp, sp, 16
    sret
    .size trap_entry, . - trap_entry

    .bss
    .balign 16
    .skip 16384
stack_top:
    .globl last_trap
last_trap:
    .skip 8
    .globl last_trap_value
last_trap_value:
    .skip 8

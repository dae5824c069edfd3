// SPDX-License-Identifier: Apache-2.0
// Start of the PMU test under any SBI firmware. A trap is noted and its instruction (4 bytes) stepped
// over.
#include "firmware/boot/startup.inc"

    .section .text.start, "ax"
    .globl supervisor_start
    .type supervisor_start, @function
supervisor_start:
    la sp, __stack_top
    clear_bss
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
    csrr t0, sepc
    addi t0, t0, 4
    csrw sepc, t0
    ld t0, 0(sp)
    ld t1, 8(sp)
    addi sp, sp, 16
    sret
    .size trap_entry, . - trap_entry

    .bss
    .balign 8
    .globl last_trap
last_trap:
    .skip 8

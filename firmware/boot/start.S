// SPDX-License-Identifier: Apache-2.0
// Machine-mode reset: hart 0 gets a stack, a global pointer, a clean bss and the trap vectors;
// every other hart parks.
#include "firmware/boot/frame.h"
#include "firmware/boot/startup.inc"

#define MACHINE_STACK_SIZE 16384

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    csrw mie, zero
    csrr a0, mhartid
    bnez a0, park
    load_global_pointer
    la t0, machine_vectors
    ori t0, t0, 1                   // vectored: an external interrupt has an entry of its own
    csrw mtvec, t0
    csrw mscratch, zero             // zero = in machine mode, see trap_entry.S
    clear_bss
    la sp, machine_local            // the stack grows down from the hart's local block
    call machine_main               // does not return
    .size _start, . - _start

    .type park, @function
park:
    wfi
    j park
    .size park, . - park

// enter_supervisor(hart, entry): drop to supervisor mode with a0 = hart id, a1 = 0 (no device tree).
    .text
    .globl enter_supervisor
    .type enter_supervisor, @function
enter_supervisor:
    csrw mepc, a1
    la t0, machine_local
    csrw mscratch, t0
    mv a1, zero
    mv sp, zero
    mv gp, zero
    mv ra, zero
    mret
    .size enter_supervisor, . - enter_supervisor

    .bss
    .balign 16
machine_stack:
    .skip MACHINE_STACK_SIZE
    .globl machine_local
machine_local:
    .skip PES_LOCAL_SIZE

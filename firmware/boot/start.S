// SPDX-License-Identifier: Apache-2.0
// Machine-mode reset: every hart gets a stack, a global pointer and the trap vectors. Hart 0 cleans
// bss and boots; the others wait for their first message, by which time there is something to wake
// up to. Harts that the firmware has no room for sleep for ever.
#include "firmware/boot/frame.h"
#include "firmware/boot/startup.inc"
#include "platform.h"

#define MACHINE_SOFTWARE 8          // bit of mie and mip

// The hart's MachineLocal, from which its stack grows down. Changes t1.
.macro load_machine_local register, hart
    addi \register, \hart, 1
    li t1, PES_MACHINE_STACK_SPAN
    mul \register, \register, t1
    la t1, machine_stacks - PES_LOCAL_SIZE
    add \register, \register, t1
.endm

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    csrw mie, zero
    csrr a0, mhartid
    li t0, PES_MAX_HARTS
    bgeu a0, t0, park
    load_global_pointer
    la t0, machine_vectors
    ori t0, t0, 1                   // vectored: an external interrupt has an entry of its own
    csrw mtvec, t0
    csrw mscratch, zero             // zero = in machine mode, see trap_entry.S
    load_machine_local sp, a0
    .irp offset, 0, 8, 16, 24, 32, 40, 48, 56
    sd zero, \offset(sp)
    .endr
    bnez a0, wait_for_message
    clear_bss
    call machine_main               // does not return
    .size _start, . - _start

    .type wait_for_message, @function
wait_for_message:
    la t0, harts_present
    add t0, t0, a0
    li t1, 1
    sb t1, 0(t0)
    csrw mie, MACHINE_SOFTWARE
1:  wfi
    csrr t0, mip
    andi t0, t0, MACHINE_SOFTWARE
    beqz t0, 1b
    fence rw, rw
    call wait_for_start             // does not return
    .size wait_for_message, . - wait_for_message

    .type park, @function
park:
    wfi
    j park
    .size park, . - park

// enter_supervisor(hart, entry, a1): drop to supervisor mode with a0 = hart id and this a1.
    .text
    .globl enter_supervisor
    .type enter_supervisor, @function
enter_supervisor:
    csrw mepc, a1
    load_machine_local t0, a0
    csrw mscratch, t0
    mv a1, a2
    mv sp, zero
    mv gp, zero
    mv ra, zero
    mret
    .size enter_supervisor, . - enter_supervisor

    .section .stacks, "aw", @nobits // not cleared: the harts that wait stand on theirs
    .balign 64
    .globl machine_stacks
machine_stacks:
    .skip PES_MAX_HARTS * PES_MACHINE_STACK_SPAN

    .data                           // not bss: hart 0 may clear that later than others write here
    .globl harts_present
harts_present:                      // one byte a hart
    .byte 1                         // the boot hart
    .skip PES_MAX_HARTS - 1
    .size harts_present, . - harts_present

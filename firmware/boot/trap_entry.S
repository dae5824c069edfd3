// SPDX-License-Identifier: Apache-2.0
// Machine-mode trap entries.
//
// mscratch holds the top of the machine stack (= the hart's MachineLocal) while a lower mode runs
// and zero while machine mode runs, so a trap inside the firmware (a guarded probe, or a bug) keeps
// the stack it is on. Machine mode runs with interrupts off; only exceptions can nest.
//
// A machine external interrupt comes in through its own vector because sampled counters must stop
// as soon as possible: they are inhibited by the fifth instruction, and their old inhibition comes
// back with the last CSR write before mret. That path saves the caller-saved registers only.
#include "firmware/boot/frame_macros.inc"

    .text
    .macro vectors name, external
    .balign 256                     // CVA6: a vectored mtvec is aligned to 256 bytes
    .globl \name
    .type \name, @function
\name:
    .option push
    .option norvc
    .rept 11
    j trap_entry
    .endr
    j \external                     // cause 11
    .rept 4
    j trap_entry
    .endr
    .option pop
    .size \name, . - \name
    .endm

    vectors machine_vectors, external_entry
    vectors machine_vectors_with_registers, external_entry_with_registers

    .type trap_entry, @function
trap_entry:
    csrrw sp, mscratch, sp
    bnez sp, 1f
    csrr sp, mscratch               // nested: stay on this stack
1:  addi sp, sp, -PES_FRAME_SIZE
    save_integer_registers
    csrrw t0, mscratch, zero
    sd t0, 16(sp)
    csrr t0, mepc
    sd t0, PES_FRAME_PC(sp)
    csrr t0, mstatus
    sd t0, PES_FRAME_STATUS(sp)
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    mv a0, sp
    call machine_trap
    ld t0, PES_FRAME_PC(sp)
    csrw mepc, t0
    ld t0, PES_FRAME_STATUS(sp)
    csrw mstatus, t0
    srli t0, t0, 11
    andi t0, t0, 3                  // MPP: 3 = back to machine mode, mscratch stays zero
    addi t0, t0, -3
    beqz t0, 2f
    addi t0, sp, PES_FRAME_SIZE
    csrw mscratch, t0
2:  restore_integer_registers
    mret
    .size trap_entry, . - trap_entry

#define CALLER_FRAME 144

    .type external_entry, @function
external_entry:
    csrrw sp, mscratch, sp
    beqz sp, nested_external
    sd t0, PES_LOCAL_SCRATCH(sp)
    ld t0, PES_LOCAL_SAMPLED(sp)
    csrrs t0, mcountinhibit, t0     // t0 = inhibition before the interrupt
    addi sp, sp, -CALLER_FRAME
    sd t1, 0(sp)
    csrr t1, mcycle                 // cycle of entry
    sd ra, 8(sp)
    sd t2, 16(sp)
    sd a0, 24(sp)
    sd a1, 32(sp)
    sd a2, 40(sp)
    sd a3, 48(sp)
    sd a4, 56(sp)
    sd a5, 64(sp)
    sd a6, 72(sp)
    sd a7, 80(sp)
    sd t3, 88(sp)
    sd t4, 96(sp)
    sd t5, 104(sp)
    sd t6, 112(sp)
    sd gp, 120(sp)
    csrrw a2, mscratch, zero
    sd a2, 128(sp)                  // interrupted sp
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    sd t0, 136(sp)
    mv a0, t1
    call external_interrupt
    ld t0, 136(sp)
    ld ra, 8(sp)
    ld t1, 0(sp)
    ld t2, 16(sp)
    ld a0, 24(sp)
    ld a1, 32(sp)
    ld a2, 40(sp)
    ld a3, 48(sp)
    ld a4, 56(sp)
    ld a5, 64(sp)
    ld a6, 72(sp)
    ld a7, 80(sp)
    ld t3, 88(sp)
    ld t4, 96(sp)
    ld t5, 104(sp)
    ld t6, 112(sp)
    ld gp, 120(sp)
    addi sp, sp, CALLER_FRAME
    csrw mscratch, sp
    csrw mcountinhibit, t0
    ld t0, PES_LOCAL_SCRATCH(sp)
    ld sp, (128 - CALLER_FRAME)(sp)
    mret
    .size external_entry, . - external_entry

// The same with all registers in a frame, for records that hold them; the inhibition before the
// interrupt is where the general entry keeps mstatus.
    .type external_entry_with_registers, @function
external_entry_with_registers:
    csrrw sp, mscratch, sp
    beqz sp, nested_external
    sd t0, PES_LOCAL_SCRATCH(sp)
    ld t0, PES_LOCAL_SAMPLED(sp)
    csrrs t0, mcountinhibit, t0
    addi sp, sp, -PES_FRAME_SIZE
    save_integer_registers
    csrr a0, mcycle                 // cycle of entry
    sd t0, PES_FRAME_STATUS(sp)
    ld t0, (PES_FRAME_SIZE + PES_LOCAL_SCRATCH)(sp)
    sd t0, 40(sp)                   // x5
    csrrw t0, mscratch, zero
    sd t0, 16(sp)                   // interrupted sp
    csrr t0, mepc
    sd t0, PES_FRAME_PC(sp)
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    mv a1, sp
    call external_interrupt_with_registers
    addi t0, sp, PES_FRAME_SIZE
    csrw mscratch, t0
    restore_other_registers
    ld t0, PES_FRAME_STATUS(sp)
    csrw mcountinhibit, t0
    ld t0, 40(sp)
    ld sp, 16(sp)
    mret
    .size external_entry_with_registers, . - external_entry_with_registers

// Machine mode never enables interrupts, so this is a broken invariant. Undo the swap and let the
// general entry report it.
    .type nested_external, @function
nested_external:
    csrrw sp, mscratch, sp
    j trap_entry
    .size nested_external, . - nested_external

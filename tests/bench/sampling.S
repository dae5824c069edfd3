// SPDX-License-Identifier: Apache-2.0
// Sampling around a benchmark's main: of the six counters that its start-up code has set up,
// mhpmcounter5 (loads) interrupts every SAMPLING_PERIOD events, and the handler keeps pc and cycle
// of the last 4096 samples. With a period of 0 it only counts. The benchmark is bench_main
// (wrapped.c).
#include "platform.h"

#ifndef SAMPLING_PERIOD
#error "the build gives SAMPLING_PERIOD"
#endif

#define MHPMTHRESHOLD5 0xB25        /* docs/pes.md */
#define THRESHOLD_INTERRUPT 8       /* source 7 */
#define EXTERNAL_INTERRUPT (1 << 11)
#define MACHINE_INTERRUPTS 8        /* mstatus.MIE */
#define PLIC_ENABLE 0x2000
#define PLIC_CONTEXT 0x200000
#define PLIC_CLAIM 4
#define RECORDS 4096
#define RECORD_SHIFT 4

    .text
    .globl main
main:
    addi sp, sp, -32
    sd ra, 0(sp)
    la t0, handler
    csrrw t0, mtvec, t0
    sd t0, 8(sp)
    li t0, PES_PLIC_BASE
    li t1, 1
    sw t1, (4 * THRESHOLD_INTERRUPT)(t0)
    li t0, PES_PLIC_BASE + PLIC_ENABLE
    li t1, 1 << THRESHOLD_INTERRUPT
    sw t1, 0(t0)
    li t0, PES_PLIC_BASE + PLIC_CONTEXT
    sw zero, 0(t0)
    csrw mhpmcounter5, zero
    li t0, SAMPLING_PERIOD
    csrw MHPMTHRESHOLD5, t0
    li t0, EXTERNAL_INTERRUPT
    csrw mie, t0
    csrsi mstatus, MACHINE_INTERRUPTS
    call bench_main
    csrci mstatus, MACHINE_INTERRUPTS
    csrw mie, zero
    csrw MHPMTHRESHOLD5, zero
    ld t0, 8(sp)
    csrw mtvec, t0
    ld ra, 0(sp)
    addi sp, sp, 32
    ret

    .balign 4
handler:
    addi sp, sp, -32
    sd t0, 0(sp)
    sd t1, 8(sp)
    sd t2, 16(sp)
    la t0, samples
    ld t1, 0(t0)
    addi t2, t1, 1
    sd t2, 0(t0)
    slli t1, t1, 64 - 12            // modulo RECORDS
    srli t1, t1, 64 - 12 - RECORD_SHIFT
    la t0, records
    add t0, t0, t1
    csrr t1, mepc
    sd t1, 0(t0)
    csrr t1, mcycle
    sd t1, 8(t0)
    li t0, PES_PLIC_BASE + PLIC_CONTEXT
    lw t1, PLIC_CLAIM(t0)
    csrw mhpmcounter5, zero         // the line falls before the completion
    sw t1, PLIC_CLAIM(t0)
    ld t0, 0(sp)
    ld t1, 8(sp)
    ld t2, 16(sp)
    addi sp, sp, 32
    mret

    .bss
    .balign 64
    .globl samples
    .type samples, @object
    .size samples, 8
samples:
    .space 64
records:
    .space RECORDS << RECORD_SHIFT

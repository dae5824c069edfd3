// SPDX-License-Identifier: Apache-2.0
// The sampling experiment on CVA6 RTL as a program: a loop of 14 instructions in machine mode whose
// events count in mhpmcounter3, and a handler with a body of 13 instructions. One file, assembled
// for several events (SAMPLED_EVENT, SAMPLED_THRESHOLD; HANDLER_INHIBITS is what the handler writes
// to mcountinhibit):
//
//   21 floating point   one event an iteration
//   20 integer          most instructions of the loop are events
//    6 store            with nothing inhibited the handler's own stores are events too
//
// CVA6 v5.3.0 has no `time` CSR: the handler reads the time where it is, in the CLINT.
//
// Registers that belong to the handler: s0 = PLIC machine context, s1 = record, s2 =
// HANDLER_INHIBITS, t0..t3. The record is four words: time, counter, mepc, claimed id; each sample
// overwrites the one before. The program ends after LOOP_ITERATIONS through the finisher: 0 if there
// were samples and the last claim returned the right id.
#include "platform.h"

#if !defined(SAMPLED_EVENT) || !defined(SAMPLED_THRESHOLD) || !defined(HANDLER_INHIBITS)
#error "the build gives SAMPLED_EVENT, SAMPLED_THRESHOLD and HANDLER_INHIBITS"
#endif

#define MHPMTHRESHOLD3 0xB23        /* docs/pes.md */
#define LOOP_ITERATIONS 40
#define THRESHOLD_INTERRUPT 8       /* source 7 */
#define COUNTER3 (1 << 3)
#define EXTERNAL_INTERRUPT (1 << 11)
#define PLIC_ENABLE 0x2000
#define PLIC_CONTEXT 0x200000
#define PLIC_CLAIM 4
#define MTIME (PES_CLINT_BASE + 0xBFF8)
#define FINISHER_PASS 0x5555
#define FINISHER_FAIL 0x13333

    .option norelax                 // gp is not set
    .section .text.start, "ax"
    .globl _start
_start:
    la t0, handler
    csrw mtvec, t0                  // direct
    li t0, 1 << 13
    csrs mstatus, t0                // FS = initial
    li s0, PES_PLIC_BASE + PLIC_CONTEXT
    la s1, record
    li s2, HANDLER_INHIBITS
    csrwi mcountinhibit, COUNTER3

    li t0, PES_PLIC_BASE
    li t1, 1
    sw t1, 4 * THRESHOLD_INTERRUPT(t0)
    li t1, 1 << THRESHOLD_INTERRUPT
    li t2, PES_PLIC_BASE + PLIC_ENABLE
    sw t1, 0(t2)
    sw zero, 0(s0)                  // accept every priority
    fence
    li t0, EXTERNAL_INTERRUPT
    csrs mie, t0

    csrw mhpmcounter3, zero
    li t0, SAMPLED_EVENT
    csrw mhpmevent3, t0
    li t0, SAMPLED_THRESHOLD
    csrw MHPMTHRESHOLD3, t0

    li a0, LOOP_ITERATIONS
    la a1, operand
    fld fa0, 0(a1)
    fmv.d fa1, fa0
    csrw mcountinhibit, zero
    csrsi mstatus, 8                // MIE
    .balign 16
loop:                               // 14 instructions
    fadd.d fa1, fa1, fa0
    addi a2, a2, 1
    addi a3, a3, 1
    addi a4, a4, 1
    addi a5, a5, 1
    addi a6, a6, 1
    addi a7, a7, 1
    addi t4, t4, 1
    addi t5, t5, 1
    addi t6, t6, 1
    addi s4, s4, 1
    sd s4, 0(a1)
    addi a0, a0, -1
    bnez a0, loop

    csrci mstatus, 8
    li t0, PES_FINISHER_BASE
    li t1, FINISHER_FAIL
    lw t2, 24(s1)
    addi t2, t2, -THRESHOLD_INTERRUPT
    bnez t2, end                    // no sample, or the claim returned something else
    li t1, FINISHER_PASS
end:
    sw t1, 0(t0)
1:  j 1b

    .balign 16
    .option push
    .option norvc
    .globl handler
handler:
    lui t3, %hi(MTIME)
    ld t0, %lo(MTIME)(t3)
    csrr t1, mhpmcounter3
    csrr t2, mepc
    csrs mcountinhibit, s2
    lw t3, PLIC_CLAIM(s0)
    sd t0, 0(s1)
    sd t1, 8(s1)
    sd t2, 16(s1)
    sd t3, 24(s1)
    csrw mhpmcounter3, zero
    sw t3, PLIC_CLAIM(s0)
    csrw mcountinhibit, zero        // 13th
    mret
    .option pop

    .data
    .balign 64
operand:
    .dword 0x3FF8000000000000       // 1.5

    .bss
    .balign 64
    .globl record
record:
    .space 32

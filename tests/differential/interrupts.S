# SPDX-License-Identifier: Apache-2.0
# The handler of interrupted programs: timer, software and sampling interrupts of M mode, each at
# random distances. Every interrupt is folded into the trap history, and so into the checksum of the
# block, with the cycle and the instruction count at which it came; the last 2048 stand in
# interrupt_log, four words each: mcause, mepc, mcycle, minstret. Exceptions go on to runtime.S.
#
# Offsets and addresses are those of layout.h; gp is the context block, as in runtime.S.

#include "fold.inc"

.equ CTX_TRAP_HASH,   520
.equ CTX_SAVE,        1024
.equ CTX_SEED,        1088
.equ CTX_TIMER_MASK,  1096
.equ CTX_SAMPLE_MASK, 1104
.equ CTX_COUNT,       1112

.equ CLINT,        0x2000000
.equ MTIMECMP,     0x4000
.equ MTIME,        0xBFF8
.equ PLIC,         0xC000000
.equ PLIC_ENABLE,  0x2000
.equ PLIC_CONTEXT, 0x200000
.equ SAMPLE_ID,    8

.equ LOG_RECORDS,  2048

# t3 = next random distance under `mask` (an offset in the context block), odd.
.macro distance mask
  ld t3, CTX_SEED(gp)
  li t4, MULTIPLIER
  mul t3, t3, t4
  addi t3, t3, 1
  sd t3, CTX_SEED(gp)
  srli t3, t3, 33
  ld t4, \mask(gp)
  and t3, t3, t4
  ori t3, t3, 1
.endm

# After a sample: counters that belong to everybody, and every second other one, get a later
# threshold; the rest start again from 0.
.macro later threshold, counter
  csrr t1, \threshold
  beqz t1, 9f
  csrr t2, \counter
  bltu t2, t1, 9f
  distance CTX_SAMPLE_MASK
  add t2, t2, t3
  csrw \threshold, t2
9:
.endm
.macro restart threshold, counter
  csrr t1, \threshold
  beqz t1, 9f
  csrr t2, \counter
  bltu t2, t1, 9f
  csrw \counter, zero
9:
.endm

.text
.globl begin_interrupts
begin_interrupts:
  la t0, entry
  csrw mtvec, t0
  li t0, PLIC
  li t1, 1
  sw t1, (4 * SAMPLE_ID)(t0)
  li t2, PLIC + PLIC_ENABLE
  li t1, 1 << SAMPLE_ID
  sw t1, 0(t2)
  li t2, PLIC + PLIC_CONTEXT
  sw zero, 0(t2)
  li t2, CLINT + MTIMECMP
  sd zero, 0(t2)
  li t0, 0x888
  csrw mie, t0
  ret

.balign 4
entry:
  sd t0, (CTX_SAVE + 0)(gp)
  csrr t0, mcause
  bltz t0, interrupt
  ld t0, (CTX_SAVE + 0)(gp)
  j m_trap

interrupt:
  sd t1, (CTX_SAVE + 8)(gp)
  sd t2, (CTX_SAVE + 16)(gp)
  sd t3, (CTX_SAVE + 24)(gp)
  sd t4, (CTX_SAVE + 32)(gp)
  sd t5, (CTX_SAVE + 40)(gp)
  sd t6, (CTX_SAVE + 48)(gp)
  csrr t1, mepc
  csrr t2, mcycle
  csrr t3, minstret
  ld t4, CTX_COUNT(gp)
  addi t5, t4, 1
  sd t5, CTX_COUNT(gp)
  andi t4, t4, LOG_RECORDS - 1
  slli t4, t4, 5
  la t5, interrupt_log
  add t5, t5, t4
  sd t0, 0(t5)
  sd t1, 8(t5)
  sd t2, 16(t5)
  sd t3, 24(t5)
  ld t6, CTX_TRAP_HASH(gp)
  li t4, MULTIPLIER
  fold t6, t0, t4, t5
  fold t6, t1, t4, t5
  fold t6, t2, t4, t5
  fold t6, t3, t4, t5
  sd t6, CTX_TRAP_HASH(gp)
  andi t0, t0, 15
  addi t0, t0, -3
  beqz t0, software
  addi t0, t0, -4
  beqz t0, timer
  j external

software:
  li t0, CLINT
  sw zero, 0(t0)
  j leave

timer: # the next one, and now and then a software interrupt
  distance CTX_TIMER_MASK
  li t0, CLINT + MTIME
  ld t1, 0(t0)
  add t1, t1, t3
  li t0, CLINT + MTIMECMP
  sd t1, 0(t0)
  andi t3, t3, 0x18
  bnez t3, leave
  li t0, CLINT
  li t1, 1
  sw t1, 0(t0)
  j leave

external:
  li t6, PLIC + PLIC_CONTEXT
  lw t5, 4(t6)
  .set counter, 3
  .rept 14
  later 0xB20+counter, 0xB00+counter
  restart 0xB21+counter, 0xB01+counter
  .set counter, counter + 2
  .endr
  later 0xB3F, 0xB1F
  later 0xB21, 0xB00
  later 0xB22, 0xB02
  sw t5, 4(t6)

leave:
  ld t0, (CTX_SAVE + 0)(gp)
  ld t1, (CTX_SAVE + 8)(gp)
  ld t2, (CTX_SAVE + 16)(gp)
  ld t3, (CTX_SAVE + 24)(gp)
  ld t4, (CTX_SAVE + 32)(gp)
  ld t5, (CTX_SAVE + 40)(gp)
  ld t6, (CTX_SAVE + 48)(gp)
  mret

.section .interrupts, "aw"
.globl interrupt_log
.type interrupt_log, @object
interrupt_log:
  .zero 32 * LOG_RECORDS
.size interrupt_log, . - interrupt_log

# SPDX-License-Identifier: Apache-2.0
# The handlers of programs in which interrupts are pending before something else traps. An interrupt
# is folded into the trap history as a trap is: cause, epc, status. Then its source is taken away:
# the bit of xip, or where that is not writable, its enable. Exceptions go on to runtime.S.
#
# Offsets and addresses are those of layout.h; gp is the context block, as in runtime.S.

#include "fold.inc"

.equ CTX_TRAP_HASH, 520
.equ CTX_M_SAVE,    1280
.equ CTX_S_SAVE,    1344
.equ CLINT,         0x2000000
.equ STATUS_MASK,   0x7e19aa

.text
.globl begin_pending
begin_pending:
  la t0, m_entry
  csrw mtvec, t0
  la t0, s_entry
  csrw stvec, t0
  ret

# `x` is m or s, `save` its register save area; software and timer of M mode are told apart first.
.macro interrupt_handler x, save
  sd t0, (\save + 0)(gp)
  csrr t0, \x\()cause
  bltz t0, 1f
  ld t0, (\save + 0)(gp)
  j \x\()_trap
1:
  sd t1, (\save + 8)(gp)
  sd t2, (\save + 16)(gp)
  sd t3, (\save + 24)(gp)
  sd t4, (\save + 32)(gp)
  sd t5, (\save + 40)(gp)
  csrr t1, \x\()epc
  ld t3, CTX_TRAP_HASH(gp)
  li t4, MULTIPLIER
  fold t3, t0, t4, t5
  fold t3, t1, t4, t5
  csrr t2, \x\()status
  li t5, STATUS_MASK
  and t2, t2, t5
  fold t3, t2, t4, t5
  sd t3, CTX_TRAP_HASH(gp)
  andi t1, t0, 63
  li t2, 1
  sll t2, t2, t1
  csrc \x\()ip, t2
  csrr t3, \x\()ip
  and t3, t3, t2
  beqz t3, 2f
  csrc \x\()ie, t2
2:
  ld t0, (\save + 0)(gp)
  ld t1, (\save + 8)(gp)
  ld t2, (\save + 16)(gp)
  ld t3, (\save + 24)(gp)
  ld t4, (\save + 32)(gp)
  ld t5, (\save + 40)(gp)
  \x\()ret
.endm

.balign 4
m_entry:
  interrupt_handler m, CTX_M_SAVE

.balign 4
s_entry:
  interrupt_handler s, CTX_S_SAVE

# Makes the software interrupt of M mode pending, or no more. Changes t0, t1.
.globl raise_software, clear_software
raise_software:
  li t0, CLINT
  li t1, 1
  sw t1, 0(t0)
1:
  csrr t1, mip
  andi t1, t1, 8
  beqz t1, 1b
  ret
clear_software:
  li t0, CLINT
  sw zero, 0(t0)
1:
  csrr t1, mip
  andi t1, t1, 8
  bnez t1, 1b
  ret

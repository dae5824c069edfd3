# SPDX-License-Identifier: Apache-2.0
# What every program of the cycle fuzzer shares: start-up, trap handlers, the measured passes. Both
# the core's RTL and the model run it, so nothing here may need a device that only one of them has.
#
# Registers with a fixed meaning, never the destination of a random instruction (as in
# tests/differential/runtime.S, whose units this runs):
#   gp  context block
#   sp  scratch memory (plus the alias offset in U mode under paging)
#   tp  where to go after a faulting fetch; bit 0 set: an ecall means "back to M mode"

.equ SCRATCH,    0x80110000
.equ USER_ALIAS, 0x40000000
.equ CLINT,      0x02000000

.equ CTX_M_SAVE, 552
.equ CTX_S_SAVE, 616
.equ CTX_PASS,   680 # passes done
.equ CTX_RECORD, 688 # where the next record of `results` goes

.section .text.start, "ax"
.option norvc
.globl start
start:
  la t0, m_trap
  csrw mtvec, t0
  la t0, s_trap
  csrw stvec, t0
  csrw medeleg, zero
  csrw mideleg, zero
  csrw mie, zero
  csrw satp, zero
  csrwi mcounteren, 7
  csrwi scounteren, 7
  # Entry 7 opens all memory to S and U mode; entries 0..3 belong to the random program.
  li t0, -1
  srli t0, t0, 10
  csrw pmpaddr7, t0
  li t0, 0x1f
  slli t0, t0, 56
  csrw pmpcfg0, t0
  li t0, 0x6000
  csrw mstatus, t0
  csrw fcsr, zero
  csrw mscratch, zero
  csrw sscratch, zero
  .set event, 1
  .rept 22
  li t0, event
  csrw (0x322 + event), t0
  .set event, event + 1
  .endr
  li gp, 0x80100000
  la t0, results + 8
  sd t0, CTX_RECORD(gp)

# One pass: the same registers each time, no interrupt enabled or to come; memory is as the pass
# before left it.
next_pass:
  csrw mie, zero
  li t0, CLINT
  sw zero, 0(t0)
  li t0, CLINT + 0x4000
  li t1, -1
  sd t1, 0(t0)
  li x31, -1
  csrw mcountinhibit, x31
  csrw mcycle, x0
  csrw minstret, x0
  .set counter, 0
  .rept 22
  csrw (0xb03 + counter), x0
  .set counter, counter + 1
  .endr
  csrw fcsr, x0
  li sp, SCRATCH
  la tp, finish
  .irp r, 1,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  ld x\r, (-2048 + 8 * \r)(gp)
  .endr
  .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  fld f\r, (-1024 + 8 * \r)(gp)
  .endr
  fence
.globl measured # the comparison begins here: what went before depends on how a side starts
measured:
  csrw mcountinhibit, x0
  j first_unit

.globl pass_end
pass_end:
  sd t0, 8(gp)
  li t0, -1
  csrw mcountinhibit, t0
  csrci mstatus, 8
  ld t1, CTX_RECORD(gp)
  csrr t0, mcycle
  sd t0, 0(t1)
  csrr t0, minstret
  sd t0, 8(t1)
  .set counter, 0
  .rept 22
  csrr t0, (0xb03 + counter)
  sd t0, (16 + 8 * counter)(t1)
  .set counter, counter + 1
  .endr
  addi t1, t1, 8 * 24
  sd t1, CTX_RECORD(gp)
  ld t0, results
  addi t0, t0, 24
  la t1, results
  sd t0, 0(t1)
  ld t0, CTX_PASS(gp)
  addi t0, t0, 1
  sd t0, CTX_PASS(gp)
  ld t1, passes
  bne t0, t1, next_pass
.globl finish
finish:
  fence
  la t0, tohost
  li t1, 1
  sd t1, 0(t0)
  fence
1:
  j 1b

# One handler text for both modes; `x` is m or s, `save` its register save area. It steps over the
# instruction that trapped, without looking further: what it traps on is the program's affair.
.macro trap_handler x, save
  sd t0, (\save + 0)(gp)
  sd t1, (\save + 8)(gp)
  sd t2, (\save + 16)(gp)
  csrr t0, \x\()cause
  bltz t0, 8f
  # A faulting fetch resumes at tp: there is no instruction to skip.
  li t1, (1 << 0) | (1 << 1) | (1 << 12)
  srl t1, t1, t0
  andi t1, t1, 1
  bnez t1, 3f
  # U-mode code runs in an alias of the physical addresses, one gibibyte up.
  csrr t1, \x\()epc
  li t2, 0xC0000000
  bltu t1, t2, 1f
  li t2, USER_ALIAS
  sub t1, t1, t2
1:
  lbu t1, 0(t1)
  andi t1, t1, 3
  addi t1, t1, -3
  csrr t2, \x\()epc
  addi t2, t2, 2
  bnez t1, 2f
  addi t2, t2, 2
2:
  csrw \x\()epc, t2
  j 6f
3:
  csrw \x\()epc, tp
6: # ecall with bit 0 of tp set asks for the way back to M mode
  andi t1, t0, -4
  addi t1, t1, -8
  bnez t1, 7f
  andi t1, tp, 1
  bnez t1, leave_\x
7:
  ld t0, (\save + 0)(gp)
  ld t1, (\save + 8)(gp)
  ld t2, (\save + 16)(gp)
  \x\()ret
8: # an interrupt: take away both causes
  li t1, CLINT
  sw x0, 0(t1)
  li t2, -1
  li t0, CLINT + 0x4000
  sd t2, 0(t0)
  lw t2, 0(t1)
  ld t2, 0(t0)
  j 7b
.endm

.text
.option norvc
.balign 4
.globl m_trap
m_trap:
  trap_handler m, CTX_M_SAVE
leave_m:
  li sp, SCRATCH
  andi tp, tp, -2
  li t1, 0xC0000000
  bltu tp, t1, 1f
  li t1, USER_ALIAS
  sub tp, tp, t1
1:
  csrw mepc, tp
  li t1, 0x1800
  csrs mstatus, t1
  j 7b

.balign 4
s_trap:
  trap_handler s, CTX_S_SAVE
leave_s: # the U-mode ecall was delegated: pass it on. Never returns here.
  ld t0, (CTX_S_SAVE + 0)(gp)
  ld t1, (CTX_S_SAVE + 8)(gp)
  ld t2, (CTX_S_SAVE + 16)(gp)
  ecall

.section .context, "aw"
  .zero 4096
.section .trail, "aw"
.balign 64
.globl results
results:
  .zero 8192
.section .tohost, "aw"
.balign 64
.globl tohost
tohost:
  .dword 0

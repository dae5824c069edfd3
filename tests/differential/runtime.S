# SPDX-License-Identifier: Apache-2.0
# What every random program shares: start-up, the trap handlers of M and S mode, the checksum of a
# block and the report over the UART. Addresses are those of layout.h and link.ld.
#
# Registers with a fixed meaning, never the destination of a random instruction:
#   gp  context block (physical address; also its S-mode virtual address)
#   sp  scratch memory (plus the alias offset in U mode under paging)
#   tp  where to go after a faulting fetch; bit 0 set: an ecall means "back to M mode"

#include "fold.inc"

.equ FINISHER,      0x100000
.equ UART,          0x10000000
.equ SCRATCH,       0x80110000
.equ SCRATCH_PAGES, 8
.equ TRAIL,         0x80130000
.equ USER_ALIAS,    0x40000000

# Offsets in the context block.
.equ CTX_F,          256
.equ CTX_FCSR,       512
.equ CTX_TRAP_HASH,  520
.equ CTX_TRAP_COUNT, 528
.equ CTX_HASHED_END, 536
.equ CTX_INDEX,      536
.equ CTX_HASH,       544
.equ CTX_M_SAVE,     552
.equ CTX_S_SAVE,     616

# mstatus bits that both sides must agree on: everything but FS, SD, XS, VS, SXL, UXL and above.
# FS may be set to dirty by more instructions than strictly necessary.
.equ STATUS_MASK, 0x7e19aa

# A program that traps this often has lost its way.
.equ TRAP_LIMIT, 200000

.section .text.start, "ax"
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
  li gp, 0x80100000
  li sp, SCRATCH
  la tp, finish
  .irp r, 1,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  ld x\r, (-2048 + 8 * \r)(gp)
  .endr
  .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  fld f\r, (-1024 + 8 * \r)(gp)
  .endr
  j first_block

# One handler text for both modes; `x` is m or s, `save` its register save area.
.macro trap_handler x, save
  sd t0, (\save + 0)(gp)
  sd t1, (\save + 8)(gp)
  sd t2, (\save + 16)(gp)
  sd t3, (\save + 24)(gp)
  sd t4, (\save + 32)(gp)
  sd t5, (\save + 40)(gp)
  sd t6, (\save + 48)(gp)
  csrr t0, \x\()cause
  csrr t1, \x\()epc
  ld t3, CTX_TRAP_HASH(gp)
  li t4, MULTIPLIER
  ld t5, CTX_TRAP_COUNT(gp)
  addi t5, t5, 1
  sd t5, CTX_TRAP_COUNT(gp)
  li t6, TRAP_LIMIT
  bgeu t5, t6, lost
  fold t3, t0, t4, t5
  fold t3, t1, t4, t5
  csrr t6, \x\()status
  li t5, STATUS_MASK
  and t2, t6, t5
  fold t3, t2, t4, t5
  # fcsr is readable only with FS on; the status register is put back afterwards.
  li t5, 0x6000
  csrs \x\()status, t5
  csrr t2, fcsr
  fold t3, t2, t4, t5
  csrw \x\()status, t6

  # A faulting fetch resumes at tp: there is no instruction to skip.
  li t5, (1 << 0) | (1 << 1) | (1 << 12)
  srl t5, t5, t0
  andi t5, t5, 1
  bnez t5, 3f

  # The instruction's bits, by half-words because it may lie on any. U-mode code runs in an alias
  # of the physical addresses, one gibibyte up.
  mv t5, t1
  li t6, 0xC0000000
  bltu t5, t6, 1f
  li t6, USER_ALIAS
  sub t5, t5, t6
1:
  lhu t2, 0(t5)
  andi t6, t2, 3
  addi t1, t1, 2
  addi t6, t6, -3
  bnez t6, 2f
  addi t1, t1, 2
  lhu t5, 2(t5)
  slli t5, t5, 16
  or t2, t2, t5
2:
  # t2 = instruction bits, t1 = address of the next instruction.
  csrr t5, \x\()tval
  addi t6, t0, -2
  beqz t6, 4f
  addi t6, t0, -3
  beqz t6, 5f
  j 6f
3: # faulting fetch
  mv t1, tp
  csrr t5, \x\()tval
  j 6f
4: # illegal instruction: xtval is zero or the instruction, at the implementation's choice
  beqz t5, 6f
  bne t5, t2, 6f
  li t5, 0
  j 6f
5: # breakpoint: xtval is zero or the address, at the implementation's choice
  csrr t2, \x\()epc
  bne t5, t2, 6f
  li t5, 0
6:
  fold t3, t5, t4, t6
  sd t3, CTX_TRAP_HASH(gp)
  csrw \x\()epc, t1
  # ecall with bit 0 of tp set asks for the way back to M mode.
  andi t5, t0, -4
  addi t5, t5, -8
  bnez t5, 7f
  andi t5, tp, 1
  bnez t5, leave_\x
7:
  ld t0, (\save + 0)(gp)
  ld t1, (\save + 8)(gp)
  ld t2, (\save + 16)(gp)
  ld t3, (\save + 24)(gp)
  ld t4, (\save + 32)(gp)
  ld t5, (\save + 40)(gp)
  ld t6, (\save + 48)(gp)
  \x\()ret
.endm

.text
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
.globl s_trap
s_trap:
  trap_handler s, CTX_S_SAVE
leave_s: # the U-mode ecall was delegated: pass it on. Never returns here.
  ld t0, (CTX_S_SAVE + 0)(gp)
  ld t1, (CTX_S_SAVE + 8)(gp)
  ld t2, (CTX_S_SAVE + 16)(gp)
  ld t3, (CTX_S_SAVE + 24)(gp)
  ld t4, (CTX_S_SAVE + 32)(gp)
  ld t5, (CTX_S_SAVE + 40)(gp)
  ld t6, (CTX_S_SAVE + 48)(gp)
  ecall

# End of a block: `sd x1, 8(gp); jal x1, fold_block; ld x1, 8(gp)`. Appends one checksum of all
# registers, fcsr, the trap history and the scratch memory to the trail; changes nothing but x1 and
# mstatus.FS.
.globl fold_block
fold_block:
  sd x0, 0(gp)
  .irp r, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  sd x\r, (8 * \r)(gp)
  .endr
  li t0, 0x6000
  csrs mstatus, t0
  .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  fsd f\r, (CTX_F + 8 * \r)(gp)
  .endr
  csrr t0, fcsr
  sd t0, CTX_FCSR(gp)

  ld t3, CTX_HASH(gp)
  li t4, MULTIPLIER
  mv t0, gp
  addi t1, gp, CTX_HASHED_END
1:
  ld t2, 0(t0)
  fold t3, t2, t4, t5
  addi t0, t0, 8
  bne t0, t1, 1b
  li a0, SCRATCH
  li a1, SCRATCH_PAGES
2: # the first 512 bytes of every scratch page; the rest is never written
  mv t0, a0
  addi t1, a0, 512
3:
  ld t2, 0(t0)
  fold t3, t2, t4, t5
  addi t0, t0, 8
  bne t0, t1, 3b
  li t5, 4096
  add a0, a0, t5
  addi a1, a1, -1
  bnez a1, 2b
  sd t3, CTX_HASH(gp)

  ld t0, CTX_INDEX(gp)
  slli t1, t0, 3
  li t2, TRAIL
  add t1, t1, t2
  sd t3, 0(t1)
  addi t1, t0, 1
  sd t1, CTX_INDEX(gp)
  ld t1, dump_block
  beq t0, t1, dump
  .irp r, 5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  ld x\r, (8 * \r)(gp)
  .endr
  jr ra

# The whole trail, one "#hash" a line, then exit code 0.
.globl finish
finish:
  li s0, TRAIL
  ld s1, CTX_INDEX(gp)
1:
  beqz s1, pass
  ld a0, 0(s0)
  li a1, '#'
  jal print
  addi s0, s0, 8
  addi s1, s1, -1
  j 1b

# Registers after one block, one "=value" a line: x0..x31, f0..f31, fcsr, trap hash, trap count,
# then the hashed part of every scratch page.
dump:
  mv s0, gp
  addi s1, gp, CTX_HASHED_END
  jal print_range
  li s2, SCRATCH
  li s3, SCRATCH_PAGES
1:
  mv s0, s2
  addi s1, s0, 512
  jal print_range
  li t0, 4096
  add s2, s2, t0
  addi s3, s3, -1
  bnez s3, 1b
pass:
  li a0, 0x5555
  j exit
lost:
  li a0, 0x13333
exit:
#ifdef EXIT_THROUGH_TOHOST // Spike has no test finisher
  srli a0, a0, 16
  slli a0, a0, 1
  ori a0, a0, 1
  la a1, tohost
  sd a0, 0(a1)
  j .
.section .tohost, "aw", @progbits
.balign 64
.globl tohost
tohost:
  .dword 0
.globl fromhost
fromhost:
  .dword 0
.size tohost, 8
.size fromhost, 8
.text
#else
  li a1, FINISHER
  sw a0, 0(a1)
  j .
#endif

print_range: # [s0, s1); clobbers s4
  mv s4, ra
1:
  ld a0, 0(s0)
  li a1, '='
  jal print
  addi s0, s0, 8
  bne s0, s1, 1b
  jr s4

print: # mark in a1, value in a0 as 16 hexadecimal digits, newline
  mv a5, ra
  jal put
  li a2, 60
1:
  srl a1, a0, a2
  andi a1, a1, 15
  addi a1, a1, '0'
  li a3, '9'
  bleu a1, a3, 2f
  addi a1, a1, 'a' - '0' - 10
2:
  jal put
  addi a2, a2, -4
  bgez a2, 1b
  li a1, '\n'
  jal put
  jr a5

put: # waits for the transmit holding register
  li a3, UART
1:
  lbu a4, 5(a3)
  andi a4, a4, 0x20
  beqz a4, 1b
  sb a1, 0(a3)
  ret

.section .context, "aw"
  .zero 4096
.section .trail, "aw"
  .zero 8192

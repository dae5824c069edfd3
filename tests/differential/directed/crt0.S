# SPDX-License-Identifier: Apache-2.0
# Start-up and trap entries of the directed programs. A trap is recorded in last_trap and the
# program goes on behind the instruction (or at resume_at, if that is set): the tests look at the
# record afterwards. An interrupt is recorded, its enable bit is cleared, and the program goes on.

.equ LEAVE, 0x600D # a7 of the ecall that ends run_at()

.section .text.start, "ax"
.globl start
start:
  la sp, stack_top
  la t0, machine_entry
  csrw mtvec, t0
  la t0, supervisor_entry
  csrw stvec, t0
  csrw mie, zero
  csrw medeleg, zero
  csrw mideleg, zero
  csrw satp, zero
  # PMP entry 7 opens all memory to S and U mode.
  li t0, -1
  srli t0, t0, 10
  csrw pmpaddr7, t0
  li t0, 0x1f
  slli t0, t0, 56
  csrw pmpcfg0, t0
  li t0, 0x6000
  csrw mstatus, t0
  call main
  j finish

# void run_at(privilege, entry): calls entry in a lower mode on the same stack.
.text
.globl run_at
run_at:
  addi sp, sp, -112
  sd ra, 0(sp)
  sd s0, 8(sp)
  sd s1, 16(sp)
  sd s2, 24(sp)
  sd s3, 32(sp)
  sd s4, 40(sp)
  sd s5, 48(sp)
  sd s6, 56(sp)
  sd s7, 64(sp)
  sd s8, 72(sp)
  sd s9, 80(sp)
  sd s10, 88(sp)
  sd s11, 96(sp)
  la t0, saved_sp
  sd sp, 0(t0)
  li t0, 3 << 11
  csrc mstatus, t0
  slli a0, a0, 11
  csrs mstatus, a0
  csrw mepc, a1
  la ra, leave_mode
  mret
leave_mode:
  li a7, LEAVE
  ecall
.globl back_in_machine_mode
back_in_machine_mode: # in M mode, at the end of run_at()
  la t0, saved_sp
  ld sp, 0(t0)
  ld ra, 0(sp)
  ld s0, 8(sp)
  ld s1, 16(sp)
  ld s2, 24(sp)
  ld s3, 32(sp)
  ld s4, 40(sp)
  ld s5, 48(sp)
  ld s6, 56(sp)
  ld s7, 64(sp)
  ld s8, 72(sp)
  ld s9, 80(sp)
  ld s10, 88(sp)
  ld s11, 96(sp)
  addi sp, sp, 112
  ret

# One entry text for both modes. `x` is m or s, `mode` what last_trap.mode holds.
.macro entry x, mode, frame
  csrw \x\()scratch, t0
  la t0, \frame
  sd t1, 0(t0)
  sd t2, 8(t0)
  sd t3, 16(t0)
  sd t4, 24(t0)
  la t0, last_trap
  li t1, \mode
  sd t1, 0(t0)
  csrr t1, \x\()cause
  sd t1, 8(t0)
  csrr t2, \x\()epc
  sd t2, 16(t0)
  csrr t3, \x\()tval
  sd t3, 24(t0)
  csrr t3, \x\()status
  sd t3, 32(t0)
  ld t3, 40(t0)
  andi t4, t3, 7
  slli t4, t4, 3
  add t4, t4, t0
  sd t1, 56(t4) # history[count % 8]
  addi t3, t3, 1
  sd t3, 40(t0)
  bltz t1, 3f

  ld t3, 48(t0) # resume_at, used once
  beqz t3, 1f
  sd zero, 48(t0)
  mv t2, t3
  j 2f
1:
  lhu t3, 0(t2)
  not t3, t3
  andi t3, t3, 3
  addi t2, t2, 2
  bnez t3, 2f
  addi t2, t2, 2
2:
  csrw \x\()epc, t2
  j 4f
3:
  # Interrupts: cause n is bit n of the enables.
  li t3, 1
  sll t3, t3, t1
  csrc \x\()ie, t3
4:
  la t0, \frame
  ld t1, 0(t0)
  ld t2, 8(t0)
  ld t3, 16(t0)
  ld t4, 24(t0)
  csrr t0, \x\()scratch
  \x\()ret
.endm

.balign 4
.globl machine_entry
machine_entry:
  # The ecall that leaves a lower mode is not a trap of the test.
  csrw mscratch, t0
  csrr t0, mcause
  addi t0, t0, -8
  sltiu t0, t0, 2
  beqz t0, 1f
  li t0, LEAVE
  bne a7, t0, 1f
  li a7, 0
  la t0, back_in_machine_mode
  csrw mepc, t0
  li t0, 3 << 11
  csrs mstatus, t0
  mret
1:
  csrr t0, mscratch
  entry m, 3, machine_frame

.balign 4
.globl supervisor_entry
supervisor_entry:
  # The ecall that leaves U mode may be delegated: pass it on.
  csrw sscratch, t0
  csrr t0, scause
  addi t0, t0, -8
  bnez t0, 1f
  li t0, LEAVE
  bne a7, t0, 1f
  ecall
1:
  csrr t0, sscratch
  entry s, 1, supervisor_frame

.globl finish
finish: # a0 = exit code
  li t0, 0x100000
  li t1, 0x5555
  beqz a0, 1f
  slli a0, a0, 16
  li t1, 0x3333
  or t1, t1, a0
1:
  sw t1, 0(t0)
  j .

.bss
.balign 16
.zero 8192
.globl stack_top
stack_top:
saved_sp: .zero 8
machine_frame: .zero 32
supervisor_frame: .zero 32
.globl last_trap
last_trap: .zero 56 + 64

# SPDX-License-Identifier: Apache-2.0
# Start of a C program in machine mode, or with PES_SUPERVISOR in supervisor mode behind an SBI firmware: floating
# point on, stack, .bss, pes_start(). A trap that the program has no handler for ends the run with 128 + its cause.
# Other harts wait for pes_hart_start() (harts.c).
#ifdef PES_SUPERVISOR
#define STATUS sstatus
#define TVEC stvec
#define CAUSE scause
#define EPC sepc
#define TVAL stval
#else
#define STATUS mstatus
#define TVEC mtvec
#define CAUSE mcause
#define EPC mepc
#define TVAL mtval
#endif

.macro prepare_hart
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      t0, unexpected_trap
    csrw    TVEC, t0
#ifdef __riscv_flen
    li      t0, 0x6000              # FS: registers f0..f31 and fcsr are in use
    csrs    STATUS, t0
    csrw    fcsr, zero
#endif
.endm

    .section .text.start, "ax"
    .globl _start
_start:                             # a0: number of the hart, a1: device tree, a2: see pes_start()
    prepare_hart
#ifndef PES_SUPERVISOR
    bnez    a0, pes_hart_arrives    # all harts start here at once
#else
    li      a2, 0                   # a firmware leaves there what it likes
#endif
    la      sp, __stack_top
    la      t0, __bss_start
    la      t1, __bss_end
    andi    t2, t1, -8              # of another linker script: the last bytes may be less than a word
clear_bss:
    bgeu    t0, t2, .Lclear_rest
    sd      zero, 0(t0)
    addi    t0, t0, 8
    j       clear_bss
.Lclear_rest:
    bgeu    t0, t1, call_start
    sb      zero, 0(t0)
    addi    t0, t0, 1
    j       .Lclear_rest
call_start:
    tail    pes_start

# Another hart, its number in a0.
    .globl pes_hart_arrives
pes_hart_arrives:
#ifdef PES_SUPERVISOR
    prepare_hart
#else
    li      t0, 1                   # tells of itself, and sleeps until there is work: a software interrupt
    sll     t0, t0, a0
    la      t1, pes_harts_there
    amoor.w zero, t0, (t1)
wait_for_work:
    csrw    mie, 8                  # MSIE
    wfi
    csrr    t0, mip
    andi    t0, t0, 8
    beqz    t0, wait_for_work
#endif
    la      t1, pes_hart_stacks
    slli    t0, a0, 3
    add     t1, t1, t0
    ld      sp, 0(t1)
    call    pes_hart_works
#ifdef PES_SUPERVISOR
    li      a7, 0x48534D            # "HSM", hart_stop
    li      a6, 1
    ecall
sleep:
    wfi
    j       sleep
#else
    j       wait_for_work           # a0: its number
#endif

    .balign 4
unexpected_trap:
    la      sp, __stack_top         # what was there is of no use any more
    csrr    a0, CAUSE
    csrr    a1, EPC
    csrr    a2, TVAL
    tail    pes_unexpected_trap

    .section .data.harts, "aw"      # not .bss: the other harts arrive while that is cleared
    .balign 4
    .globl  pes_harts_there
pes_harts_there:
    .word   0

# SPDX-License-Identifier: Apache-2.0
# Start of a C program in machine mode: floating point on, stack, .bss, thread-local storage, constructors, main().
# Harts other than 0 sleep. A trap that the program has no handler for ends the run with 128 + its cause.

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      t0, unexpected_trap
    csrw    mtvec, t0
    bnez    a0, sleep               # a0: number of the hart
#ifdef __riscv_flen
    li      t0, 0x6000              # mstatus.FS: registers f0..f31 and fcsr are in use
    csrs    mstatus, t0
    csrw    fcsr, zero
#endif
    la      sp, __stack_top
    la      t0, __bss_start
    la      t1, __bss_end
clear_bss:
    bgeu    t0, t1, call_main
    sb      zero, 0(t0)
    addi    t0, t0, 1
    j       clear_bss
call_main:
    la      a0, __tls_base
    call    _set_tls
    call    __libc_init_array
    la      a1, arguments
    li      a0, 1
    call    main
    call    exit
sleep:
    wfi
    j       sleep

    .balign 4
unexpected_trap:
    la      sp, __stack_top         # what was there is of no use any more
    csrr    a0, mcause
    csrr    a1, mepc
    csrr    a2, mtval
    call    pes_unexpected_trap
    j       sleep

    .section .data.arguments, "aw"
    .balign 8
arguments:
    .dword  name, 0
    .globl  __dso_handle            # whose destructors these are: of the one program
__dso_handle:
    .dword  0
    .section .rodata.name, "a"
name:
    .asciz  "program"

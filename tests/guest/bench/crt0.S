// SPDX-License-Identifier: Apache-2.0
// Minimal RV64GC bare-metal start-up shared by the three workloads.
// Hart 0 runs main(); every other hart parks. Exit is tried in three ways, in
// order, so that one ELF ends on every simulator: HTIF (Spike), the SiFive test
// finisher (QEMU virt, RISC-V VP++ qemu_virt), and the proxy-kernel exit call
// (RISC-V VP++ tiny64 --intercept-syscalls).
#include "firmware/boot/startup.inc"

    .section .text.start, "ax"
    .globl _start
_start:
    csrr  t0, mhartid
park:
    bnez  t0, park
    la    t0, trap
    csrw  mtvec, t0
    li    t0, 0x6000            // mstatus.FS = dirty
    csrs  mstatus, t0
    csrw  fcsr, zero
    // Six live counters, so that what is measured includes them (CVA6 events: L1I and L1D misses,
    // loads, stores, branches, mispredicts).
    csrwi mhpmevent3, 1
    csrwi mhpmevent4, 2
    csrwi mhpmevent5, 5
    csrwi mhpmevent6, 6
    csrwi mhpmevent7, 9
    csrwi mhpmevent8, 10
    csrw  mcountinhibit, zero
    load_global_pointer
    la    sp, __stack_top
    clear_bss
    call  main
    // fall through with the exit status in a0

    .globl sim_exit
sim_exit:
    mv    s0, a0
    slli  a0, a0, 1
    ori   a0, a0, 1
    la    t0, tohost
    sd    a0, 0(t0)
    li    t2, 20000             // let Spike notice tohost before trying others
1:  addi  t2, t2, -1
    bnez  t2, 1b
    li    t0, 0x5555            // SiFive test finisher: pass
    beqz  s0, 2f
    slli  t1, s0, 16
    li    t0, 0x3333            // ... or fail, with the status above bit 16
    or    t0, t0, t1
2:  li    t1, 0x100000
    sw    t0, 0(t1)
next_exit:
    mv    a0, s0
    li    a7, 93
    ecall
3:  j     3b

    .balign 4
trap:                           // a store to a missing device lands here
    la    t0, next_exit
    csrw  mepc, t0
    csrr  t1, mcause
    li    t2, 11                // ecall nobody intercepted: stop for good
    beq   t1, t2, 3b
    mret

    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost:   .dword 0
    .balign 64
    .globl fromhost
fromhost: .dword 0

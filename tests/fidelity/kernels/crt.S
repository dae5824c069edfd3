# SPDX-License-Identifier: Apache-2.0
# start-up, trap handler and the measuring bracket for the micro-benchmarks
    .option push
    .option norvc
    .section .text.start,"ax",@progbits
    .globl _start
_start:
    la   sp, __stack_top
    la   t0, trap_entry
    csrw mtvec, t0
    li   t0, 0x6000          # FS = dirty
    csrs mstatus, t0
    csrw fcsr, x0
    li   t0, -1
    csrw mcounteren, t0
    csrw scounteren, t0
    # one PMP entry opens all memory to S/U
    csrw pmpaddr0, t0
    li   t0, 0x1f
    csrw pmpcfg0, t0
    call main
    fence
    la   t0, tohost
    li   t1, 1
    sd   t1, 0(t0)
    fence
1:  j    1b

# ---- trap handler -------------------------------------------------
# mode kept in mscratch-independent global 'trap_mode':
#   interrupt            -> clear CLINT msip, count, mret
#   ecall from S         -> return to the address in smode_ret (M-mode)
#   other exception      -> mepc += 4 (all trapping insns here are 32 bit), mret
    .balign 64
    .globl trap_entry
trap_entry:
    csrw mscratch, t0
    csrr t0, mcause
    bltz t0, 2f
    addi t0, t0, -9
    beqz t0, 3f
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    csrr t0, mscratch
    mret
2:  li   t0, 0x2000000
    sw   x0, 0(t0)
    lw   t0, 0(t0)           # order the clear before mret
    csrr t0, mscratch
    mret
3:  la   t0, smode_ret
    ld   t0, 0(t0)
    jr   t0

# ---- long measure(long (*fn)(void)) --------------------------------
# counters are zeroed while inhibited, released by one csrw, stopped by one csrw
    .text
    .balign 64
    .globl measure
measure:
    addi sp, sp, -16
    sd   ra, 8(sp)
    sd   s0, 0(sp)
    mv   t1, a0
    li   s0, -1
    csrw mcountinhibit, s0
    csrw mcycle, x0
    csrw minstret, x0
    .set i, 0
    .rept 24
    csrw (0xb03 + i), x0
    .set i, i + 1
    .endr
    fence
    nop
    nop
    nop
    nop
    .balign 64
    csrw mcountinhibit, x0   # start (not itself counted)
    jalr ra, t1, 0
    csrw mcountinhibit, s0   # stop (itself counted in instret)
    ld   ra, 8(sp)
    ld   s0, 0(sp)
    addi sp, sp, 16
    ret

# ---- long run_s(long (*fn)(void)) : call fn in S-mode, come back by ecall ----
    .balign 64
    .globl run_s
run_s:
    addi sp, sp, -16
    sd   ra, 8(sp)
    la   t0, smode_ret
    la   t1, 9f
    sd   t1, 0(t0)
    li   t0, 0x1800
    csrc mstatus, t0
    li   t0, 0x0800
    csrs mstatus, t0
    la   t0, 8f
    csrw mepc, t0
    mv   t1, a0
    mret
    .balign 64
8:  jalr ra, t1, 0
    ecall
9:  ld   ra, 8(sp)
    addi sp, sp, 16
    ret
    .option pop

    .section .data
    .balign 64
    .globl tohost
tohost: .dword 0
    .globl group
group:  .dword 0
    .globl smode_ret
smode_ret: .dword 0
    .balign 64

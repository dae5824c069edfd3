// SPDX-License-Identifier: Apache-2.0
// mtvec while records are taken from the timer. The frame goes onto the stack of what was
// interrupted: 128 bytes, and less than 500 for perfTimerInterrupt.
//
// Any other trap is taken a second time by the handler that was there before, with every register
// and CSR as it would have found them: mtvec is given back, and mret repeats the instruction, or
// lets the interrupt come again. With that, records from the timer end.

    .section .text
    .globl perf_timer_entry
    .type perf_timer_entry, @function
    .balign 4
perf_timer_entry:
    addi sp, sp, -128
    sd t0, 8(sp)
    sd t1, 16(sp)
    csrr t0, mcause
    li t1, 0x8000000000000007       // machine timer interrupt
    bne t0, t1, other_trap
    sd ra, 0(sp)
    sd t2, 24(sp)
    sd t3, 32(sp)
    sd t4, 40(sp)
    sd t5, 48(sp)
    sd t6, 56(sp)
    sd a0, 64(sp)
    sd a1, 72(sp)
    sd a2, 80(sp)
    sd a3, 88(sp)
    sd a4, 96(sp)
    sd a5, 104(sp)
    sd a6, 112(sp)
    sd a7, 120(sp)
    csrr a0, mepc
    call perfTimerInterrupt
    ld ra, 0(sp)
    ld t2, 24(sp)
    ld t3, 32(sp)
    ld t4, 40(sp)
    ld t5, 48(sp)
    ld t6, 56(sp)
    ld a0, 64(sp)
    ld a1, 72(sp)
    ld a2, 80(sp)
    ld a3, 88(sp)
    ld a4, 96(sp)
    ld a5, 104(sp)
    ld a6, 112(sp)
    ld a7, 120(sp)
    j leave

other_trap:
    csrr t0, mhartid
    slli t0, t0, 3
    la t1, perf_previous_vector
    add t0, t0, t1
    ld t0, 0(t0)
    csrw mtvec, t0
    li t0, 0x80                     // mie.MTIE: that handler does not expect the timer
    csrc mie, t0
leave:
    ld t0, 8(sp)
    ld t1, 16(sp)
    addi sp, sp, 128
    mret
    .size perf_timer_entry, . - perf_timer_entry

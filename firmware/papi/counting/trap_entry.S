// SPDX-License-Identifier: Apache-2.0
// Supervisor entry of the library's interrupts, on the interrupted stack.
#include "firmware/papi/counting/interrupt_frame.h"

    .macro each_integer operation
    .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    \operation x\n, 8 * \n(sp)
    .endr
    .endm

    .macro each_float operation
    .set at, PES_PAPI_FRAME_FLOAT
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
    \operation f\n, at(sp)
    .set at, at + 8
    .endr
    .endm

    .text
    .balign 4
    .globl papi_trap_entry
    .type papi_trap_entry, @function
papi_trap_entry:
    addi sp, sp, -PES_PAPI_FRAME_SIZE
    each_integer sd
    addi t0, sp, PES_PAPI_FRAME_SIZE
    sd t0, 16(sp)
    csrr t0, sepc
    sd t0, 0(sp)
    csrr t0, sstatus
    sd t0, PES_PAPI_FRAME_STATUS(sp)
    srli t0, t0, 13
    andi t0, t0, 3                  // FS: 0 = the program has no floating point
    beqz t0, 1f
    frcsr t0
    sd t0, PES_PAPI_FRAME_FCSR(sp)
float_registers_begin:              // these are the program's; the library itself uses none
    each_float fsd
1:  csrr a0, scause
    mv a1, sp
    call papi_interrupt
    ld t0, PES_PAPI_FRAME_STATUS(sp)
    srli t1, t0, 13
    andi t1, t1, 3
    beqz t1, 2f
    each_float fld
    ld t1, PES_PAPI_FRAME_FCSR(sp)
    fscsr t1
float_registers_end:
2:  csrw sstatus, t0
    ld t0, 0(sp)
    csrw sepc, t0
    each_integer ld
    addi sp, sp, PES_PAPI_FRAME_SIZE
    sret
    .size papi_trap_entry, . - papi_trap_entry

// bool NAME(uint64_t* bits). A machine without the CSR traps: to the label behind.
    .macro guarded_read name, number
    .globl \name
    .type \name, @function
\name:
    csrr t0, stvec
    csrrci t1, sstatus, 2           // SIE
    la t2, 1f
    csrw stvec, t2
    mv t3, a0
    li a0, 0
    csrr t2, \number
    sd t2, 0(t3)
    li a0, 1
    .balign 4
1:  csrw stvec, t0
    andi t1, t1, 2
    csrs sstatus, t1
    ret
    .size \name, . - \name
    .endm

    guarded_read papi_read_scountovf, 0xDA0
    guarded_read papi_read_shpmspc, 0x5C0   // Sspesa, if the counters are delegated

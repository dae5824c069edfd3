// SPDX-License-Identifier: Apache-2.0
// A benchmark's main with COUNTERS programmable counters live, beside mcycle and minstret: the six
// events of the start-up code first, then the others of profile cva6, then some of them again. The
// benchmark is bench_main (wrapped.c).
#ifndef COUNTERS
#error "the build gives COUNTERS"
#endif

#define MHPMEVENT3 0x323

    .text
    .globl main
main:
    .set counter, 0
    .irp event, 1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 1, 2, 5, 6, 9
    .if counter < COUNTERS
    li t0, \event
    .else
    li t0, 0
    .endif
    csrw MHPMEVENT3 + counter, t0
    .set counter, counter + 1
    .endr
    tail bench_main

// SPDX-License-Identifier: Apache-2.0
// void perf_counter_reads(uint64_t* values): the programmable counters, from 31 down to 3, each to
// its place in `values`, as user mode reads them. Whoever wants those up to n only enters kRead
// bytes further for each counter above n; n = 2 is the return. A counter costs two instructions
// then, and the counters of a record are read close together.

    .equ kHpmcounter0, 0xC00
    .equ kRead, 8                   // kReadBytes in machine.cpp

    .section .text
    .globl perf_counter_reads
    .type perf_counter_reads, @function
    .balign 4
perf_counter_reads:
    .option push
    .option norvc                   // each instruction has 4 bytes
    .set counter, 31
    .rept 29
    csrr t0, kHpmcounter0 + counter
    sd t0, 8 * counter(a0)
    .set counter, counter - 1
    .endr
    .option pop
    ret
    .size perf_counter_reads, . - perf_counter_reads
    .if (. - perf_counter_reads) / kRead != 29
    .error "a read has another size than those who enter expect"
    .endif

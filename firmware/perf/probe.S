// SPDX-License-Identifier: Apache-2.0
// Touching what may not be there. Both functions return 1, or 0 if the access trapped; machine-mode
// state is as before. mtvec points behind the access meanwhile, with interrupts masked.

    .macro begin_probe
    csrr t2, mstatus
    csrci mstatus, 8                // MIE
    csrr t3, mepc
    csrr t4, mcause
    csrr t5, mtval
    mv t6, a0
    li a0, 0
    la t0, 9f
    csrrw t1, mtvec, t0
    .endm

    .macro end_probe
    li a0, 1
    .balign 4
9:  csrw mtvec, t1
    csrw mepc, t3
    csrw mcause, t4
    csrw mtval, t5
    csrw mstatus, t2
    ret
    .endm

    .section .text

// int perf_probe_word(uint64_t address): a load of 32 bits.
    .globl perf_probe_word
    .type perf_probe_word, @function
    .balign 4
perf_probe_word:
    begin_probe
    lw t6, 0(t6)
    end_probe
    .size perf_probe_word, . - perf_probe_word

// int perf_probe_counters(void): the counter registers that the library uses.
    .globl perf_probe_counters
    .type perf_probe_counters, @function
    .balign 4
perf_probe_counters:
    begin_probe
    csrr t6, 0xB00                  // mcycle
    csrr t6, 0xB03                  // mhpmcounter3
    csrr t6, 0x306                  // mcounteren
    csrr t6, 0x320                  // mcountinhibit
    csrr t6, 0x323                  // mhpmevent3
    end_probe
    .size perf_probe_counters, . - perf_probe_counters

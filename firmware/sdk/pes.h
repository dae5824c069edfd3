/* SPDX-License-Identifier: Apache-2.0 */
/* For C and C++ programs on pes-vp: the counters of the hart, and how a run ends. docs/sdk.md */
#ifndef PES_H
#define PES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A control and status register by its name, in the mode that may access it. */
#define PES_READ_CSR(name)                                                                         \
    __extension__({                                                                                \
        uint64_t pes_value;                                                                        \
        __asm__ volatile("csrr %0, " #name : "=r"(pes_value)::"memory");                           \
        pes_value;                                                                                 \
    })
#define PES_WRITE_CSR(name, value)                                                                 \
    __asm__ volatile("csrw " #name ", %0" ::"r"((uint64_t)(value)) : "memory")
#define PES_SET_CSR(name, bits)                                                                    \
    __asm__ volatile("csrs " #name ", %0" ::"r"((uint64_t)(bits)) : "memory")
#define PES_CLEAR_CSR(name, bits)                                                                  \
    __asm__ volatile("csrc " #name ", %0" ::"r"((uint64_t)(bits)) : "memory")

static inline uint64_t pes_cycles(void) {
    return PES_READ_CSR(mcycle);
}
static inline uint64_t pes_instructions(void) {
    return PES_READ_CSR(minstret);
}

/* Called with mcause, mepc and mtval for a trap while mtvec is the start-up's: says so, and ends
   the run with 128 + cause. */
__attribute__((noreturn)) void pes_unexpected_trap(uint64_t cause, uint64_t pc, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* For C and C++ programs on pes-vp: the counters of the hart, the other harts, and how a run ends.
 * docs/sdk.md */
#ifndef PES_H
#define PES_H

#include <stdbool.h>
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
#ifdef PES_SUPERVISOR
    return PES_READ_CSR(cycle);
#else
    return PES_READ_CSR(mcycle);
#endif
}
static inline uint64_t pes_instructions(void) {
#ifdef PES_SUPERVISOR
    return PES_READ_CSR(instret);
#else
    return PES_READ_CSR(minstret);
#endif
}

/* The flattened device tree that the program was started with, or NULL. */
extern const void* pes_device_tree;

/* The number of the hart that calls. */
unsigned pes_hart_id(void);
/* Runs function(argument) on another hart, which has a stack of its own (64 KiB) and thread-local
   storage anew. When the function returns the hart sleeps, and can be started again. 0, or -1 with
   errno: ENODEV there is no such hart, EBUSY it runs, ENOMEM. */
int pes_hart_start(unsigned hart, void (*function)(void* argument), void* argument);
/* False when what it was started for has returned; what that has written is seen then. */
bool pes_hart_runs(unsigned hart);

/* A lock between harts: 0 is open. */
typedef volatile int pes_lock;
static inline void pes_acquire(pes_lock* lock) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) {
    }
}
static inline void pes_release(pes_lock* lock) {
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* Called with cause, pc and value of a trap (mcause, mepc, mtval, or the supervisor's) while the
   vector is the start-up's: says so, and ends the run with 128 + cause. */
__attribute__((noreturn)) void pes_unexpected_trap(uint64_t cause, uint64_t pc, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif

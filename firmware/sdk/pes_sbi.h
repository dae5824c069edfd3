/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the supervisor binary interface, for programs in supervisor mode: numbers by the names
   that Linux has for them, and those of this project's firmware (docs/sbi.md). */
#ifndef PES_SBI_H
#define PES_SBI_H

#include <pes_sbi_numbers.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sbiret {
    long error; /* SBI_SUCCESS or one of SBI_ERR_... */
    long value;
};

static inline struct sbiret pes_sbi_call(uint64_t extension, uint64_t function, uint64_t arg0,
                                         uint64_t arg1, uint64_t arg2, uint64_t arg3,
                                         uint64_t arg4) {
    register uint64_t a0 __asm__("a0") = arg0;
    register uint64_t a1 __asm__("a1") = arg1;
    register uint64_t a2 __asm__("a2") = arg2;
    register uint64_t a3 __asm__("a3") = arg3;
    register uint64_t a4 __asm__("a4") = arg4;
    register uint64_t a6 __asm__("a6") = function;
    register uint64_t a7 __asm__("a7") = extension;
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1)
                     : "r"(a2), "r"(a3), "r"(a4), "r"(a6), "r"(a7)
                     : "memory");
    const struct sbiret result = {(long)a0, (long)a1};
    return result;
}

#ifdef __cplusplus
}
#endif

#endif

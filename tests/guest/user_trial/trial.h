// SPDX-License-Identifier: Apache-2.0
// What small supervisor tests share: they run code in user mode, check what came of it, and power
// off. start.S has start-up, traps and run_user().
#pragma once

#include "firmware/boot/csr.h"
#include "firmware/lib/text.h"
#include "firmware/supervisor/sbi_call.h"

#include <stdint.h>

/// Calls entry(argument) in user mode and returns at its ecall.
extern "C" uint64_t run_user(void (*entry)(), uint64_t argument);

namespace pes {

inline uint64_t failures = 0;

inline void put_byte(char byte) {
    sbi_call(sbi::kLegacyPutchar, 0, static_cast<uint64_t>(byte));
}

/// Powers off; the firmware is told whether a check has failed.
[[noreturn]] inline void end() {
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown,
             failures == 0 ? sbi::reset::kNoReason : sbi::reset::kSystemFailure);
    for (;;) {
        asm volatile("wfi");
    }
}

inline void expect(const char* what, uint64_t value, uint64_t expected) {
    if (value != expected) {
        ++failures;
        print(put_byte, "FAIL ", what, ": ", value, ", expected ", expected, "\n");
    }
}

inline void expect(const char* what, bool right) {
    if (!right) {
        ++failures;
        print(put_byte, "FAIL ", what, "\n");
    }
}

/// False if an access of the register traps: the trap skips the line behind it.
template <uint16_t Number>
bool has_csr() {
    uint64_t found;
    asm volatile("la t0, 1f\n"
                 "csrrw t0, stvec, t0\n"
                 "li %0, 0\n"
                 "csrr t1, %1\n"
                 "li %0, 1\n"
                 ".balign 4\n"
                 "1: csrw stvec, t0"
                 : "=&r"(found)
                 : "i"(Number)
                 : "t0", "t1", "memory");
    return found != 0;
}

} // namespace pes

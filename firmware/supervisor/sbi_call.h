// SPDX-License-Identifier: Apache-2.0
// Calls into the machine layer, and the few that every supervisor program wants.
#pragma once

#include "firmware/sbi/sbi.h"

namespace pes {

inline sbi::Result sbi_call(uint64_t extension, uint64_t function, uint64_t first = 0,
                            uint64_t second = 0, uint64_t third = 0, uint64_t fourth = 0,
                            uint64_t fifth = 0) {
    register uint64_t a0 asm("a0") = first;
    register uint64_t a1 asm("a1") = second;
    register uint64_t a2 asm("a2") = third;
    register uint64_t a3 asm("a3") = fourth;
    register uint64_t a4 asm("a4") = fifth;
    register uint64_t a6 asm("a6") = function;
    register uint64_t a7 asm("a7") = extension;
    asm volatile("ecall"
                 : "+r"(a0), "+r"(a1)
                 : "r"(a2), "r"(a3), "r"(a4), "r"(a6), "r"(a7)
                 : "memory");
    return {static_cast<int64_t>(a0), a1};
}

inline void supervisor_put(char byte) {
    sbi_call(sbi::kConsole, sbi::console::kWriteByte, static_cast<uint64_t>(byte));
}

/// Ends the run; the exit code becomes the simulator's.
[[noreturn]] inline void shut_down(uint64_t exit_code) {
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown,
             sbi::reset::kExitCodeReason | (exit_code & sbi::reset::kExitCodeMask));
    for (;;) {
        asm volatile("wfi");
    }
}

} // namespace pes

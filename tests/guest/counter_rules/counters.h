// SPDX-License-Identifier: Apache-2.0
// The counter that the rules are tried on, and what makes it count.
#pragma once

#include "firmware/boot/csr.h"
#include "firmware/boot/indexed_csr.h"
#include "tests/guest/counter_rules/modes.h"

#include <stdint.h>

namespace pes::rules {

#ifndef COUNTER_RULES_EVENT
#define COUNTER_RULES_EVENT 5 // loads, of CVA6
#endif

inline constexpr unsigned kCounter = 3;
inline constexpr uint16_t kEventCsr = csr::kMhpmevent3;
inline constexpr uint16_t kCounterCsr = csr::kMhpmcounter3;
inline constexpr uint64_t kEvent = COUNTER_RULES_EVENT;

// Sscofpmf, chapter 2; Smcntrpmf has the same bits but OF.
inline constexpr uint64_t kOf = uint64_t{1} << 63;
inline constexpr uint64_t kMinh = uint64_t{1} << 62;
inline constexpr uint64_t kSinh = uint64_t{1} << 61;
inline constexpr uint64_t kUinh = uint64_t{1} << 60;
inline constexpr uint64_t kVsinh = uint64_t{1} << 59;
inline constexpr uint64_t kVuinh = uint64_t{1} << 58;

constexpr uint64_t inhibit_of(Mode mode) {
    return mode == Mode::Machine ? kMinh : mode == Mode::Supervisor ? kSinh : kUinh;
}

/// Eight loads, in any mode.
[[gnu::always_inline]] inline void count() {
    static volatile uint64_t word;
    for (unsigned i = 0; i < 8; ++i) {
        (void)word;
    }
}

/// What is written is there for the next instruction, and what counts has counted.
[[gnu::always_inline]] inline void settle() {
    asm volatile(".rept 32\n nop\n .endr" ::: "memory");
}

/// The counter stands and nothing is pending.
inline void reset_counter() {
    write_csr<kEventCsr>(0);
    write_csr<kCounterCsr>(0);
    write_csr<csr::kMie>(0);
    settle();
    write_csr<csr::kMip>(0);
}

inline bool pending() {
    return (read_csr<csr::kMip>() & kInterruptLcofi) != 0;
}

/// The loads of `mode`; what happens in M between is not counted if it is another one.
inline Taken count_in(Mode mode) {
    return run(mode, [] { count(); });
}

} // namespace pes::rules

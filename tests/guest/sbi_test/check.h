// SPDX-License-Identifier: Apache-2.0
// The smallest test frame: a failed expectation prints a line and makes the exit code 1.
#pragma once

#include "firmware/lib/text.h"
#include "firmware/supervisor/sbi_call.h"

#include <stdint.h>

namespace pes::test {

extern unsigned checks;
extern unsigned failures;

inline void expect_error(const char* what, sbi::Result result, int64_t error) {
    ++checks;
    if (result.error != error) {
        ++failures;
        print(supervisor_put, "FAIL ", what, ": error -", static_cast<uint64_t>(-result.error),
              ", expected -", static_cast<uint64_t>(-error), "\n");
    }
}

inline void expect_value(const char* what, uint64_t value, uint64_t expected) {
    ++checks;
    if (value != expected) {
        ++failures;
        print(supervisor_put, "FAIL ", what, ": ", Hex{value}, ", expected ", Hex{expected}, "\n");
    }
}

inline void expect_success(const char* what, sbi::Result result, uint64_t value) {
    expect_error(what, result, sbi::kSuccess);
    expect_value(what, result.value, value);
}

void check_base();
void check_pmu();
void check_misaligned();
void check_sampling();

} // namespace pes::test

/// scause and stval of the last trap the test took.
extern "C" volatile uint64_t last_trap;
extern "C" volatile uint64_t last_trap_value;

// SPDX-License-Identifier: Apache-2.0
// Broken invariants of a counter bank: the model is wrong. Prints the place and aborts.
#pragma once

#include "hw/interface/types.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace pes {

/// `where` is the cycle (or CSR number) the message is about.
[[noreturn]] inline void broken_invariant(const char* what, Cycle where) {
    std::fprintf(stderr, "%s (at %" PRIu64 ")\n", what, where);
    std::abort();
}

inline void require(bool condition, const char* what, Cycle where) {
    if (!condition) [[unlikely]] {
        broken_invariant(what, where);
    }
}

} // namespace pes

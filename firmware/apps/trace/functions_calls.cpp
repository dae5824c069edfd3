// SPDX-License-Identifier: Apache-2.0
// Compiled with -finstrument-functions. C linkage, so that the symbols are what one reads here.
#include "firmware/apps/trace/functions.h"

extern "C" {

// Each addition waits for the one before it, so that no two retire in the same cycle.
[[gnu::noinline]] void leaf(unsigned additions) {
    for (unsigned i = 0; i < additions; ++i) {
        asm volatile("fadd.d ft0, ft0, ft0" ::: "ft0");
    }
}

[[gnu::noinline]] void middle(unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
        leaf(5);
    }
}

[[gnu::noinline]] unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
}

unsigned pes::demo::call_tree() {
    leaf(2);
    middle(1);
    middle(2);
    return fibonacci(4);
}

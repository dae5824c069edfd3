// SPDX-License-Identifier: Apache-2.0
#include "common.h"
static u64 buf[8192] __attribute__((aligned(4096)));
long run(void) {
    register u64* p __asm__("a5") = buf;
    __asm__ volatile("" ::"r"(p));
    LOOP(20, 8, "", "ld t0,1(a5)", "t0", "t1", "t2", "t3", "t4", "t5", "a0", "a1", "a2", "a3",
         "a5");
    return 0;
}

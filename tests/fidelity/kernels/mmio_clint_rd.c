// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(20, 8, "li t0,0x200bff8", "ld t1,0(t0)", "t0", "t1", "t2", "t3", "t4", "t5", "a0", "a1",
         "a2", "a3");
    return 0;
}

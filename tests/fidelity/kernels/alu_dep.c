// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(50, 64, "li t0,0", "addi t0,t0,1", "t0", "t1", "t2", "t3", "t4", "t5", "a0", "a1", "a2",
         "a3");
    return 0;
}

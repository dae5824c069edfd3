// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(50, 16, "li t0,3\n li t1,5", "mul t2,t0,t1\n add t3,t2,t1\n mul t4,t0,t1\n add t5,t4,t1",
         "t0", "t1", "t2", "t3", "t4", "t5", "a0", "a1", "a2", "a3");
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(50, 16, "li t0,0", "addi t0,x0,1\n addi t1,x0,2\n addi t2,x0,3\n addi t3,x0,4", "t0", "t1",
         "t2", "t3", "t4", "t5", "a0", "a1", "a2", "a3");
    return 0;
}

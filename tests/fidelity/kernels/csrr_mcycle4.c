// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(50, 4, "", "csrr t0,mcycle\n csrr t1,mcycle\n csrr t2,mcycle\n csrr t3,mcycle", "t0", "t1",
         "t2", "t3", "t4", "t5", "a0", "a1", "a2", "a3");
    return 0;
}

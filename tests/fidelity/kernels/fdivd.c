// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(50, 8, "li t0,10\n fcvt.d.l ft0,t0\n li t0,3\n fcvt.d.l ft1,t0", "fdiv.d ft2,ft0,ft1",
         "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "t0");
    return 0;
}

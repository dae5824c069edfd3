// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(50, 4, "li t0,10", "fcvt.d.l ft0,t0\n fcvt.l.d t1,ft0\n fcvt.d.l ft1,t1\n fcvt.l.d t0,ft1",
         "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "t0", "t1");
    return 0;
}

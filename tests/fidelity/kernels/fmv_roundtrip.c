// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(50, 8, "li t0,10", "fmv.d.x ft0,t0\n fmv.x.d t0,ft0", "ft0", "ft1", "ft2", "ft3", "ft4",
         "ft5", "ft6", "ft7", "t0");
    return 0;
}

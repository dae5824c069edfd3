// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(50, 8, "fmv.d.x ft0,x0", "fsgnjn.d ft1,ft0,ft0\n fsgnjn.d ft0,ft1,ft1", "ft0", "ft1",
         "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "t0");
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    LOOP(8, 3072, "", "nop", "t0");
    return 0;
}

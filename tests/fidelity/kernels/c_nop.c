// SPDX-License-Identifier: Apache-2.0
#include "common.h"
long run(void) {
    __asm__ volatile("li t6,50\n.option push\n.option rvc\n.balign 64\n1:\n.rept 16\n c.addi "
                     "t0,1\n c.addi t1,1\n c.addi t2,1\n c.addi t3,1\n.endr\n.option norvc\n addi "
                     "t6,t6,-1\n bnez t6,1b\n.option pop" ::
                         : "t0", "t1", "t2", "t3", "t6");
    return 0;
}

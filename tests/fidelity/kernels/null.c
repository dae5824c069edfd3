// SPDX-License-Identifier: Apache-2.0
#include "common.h"
__attribute__((naked)) long run(void) {
    __asm__ volatile(".option push\n.option norvc\n.balign 64\n jalr x0,0(ra)\n.option pop");
}

// SPDX-License-Identifier: Apache-2.0
// Start of a supervisor payload under any SBI firmware: a0 = hart, a1 = device tree.
#include "firmware/boot/startup.inc"

    .section .text.start, "ax"
    .globl supervisor_start
    .type supervisor_start, @function
supervisor_start:
    la sp, __stack_top
    clear_bss
    call payload_main               // does not return
    .size supervisor_start, . - supervisor_start

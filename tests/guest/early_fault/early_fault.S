// SPDX-License-Identifier: Apache-2.0
// Supervisor software that traps before it has a trap handler: the machine layer must report it and
// end the run with exit code 128 + 2 (illegal instruction).
    .section .text.start, "ax"
    .globl supervisor_start
supervisor_start:
    unimp

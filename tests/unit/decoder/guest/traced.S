# SPDX-License-Identifier: Apache-2.0
# A program for tests of pes-decode trace --elf: every instruction has a line of its own.
        .ident  "3:step %d of %u"
        .option norvc
        .text
        .globl  _start
        .type   _start, @function
_start:
        nop
        jal     ra, leaf
        beq     zero, zero, _start
        .size   _start, . - _start
        .type   leaf, @function
leaf:
        .option rvc
        c.nop
        c.jr    ra
        .size   leaf, . - leaf

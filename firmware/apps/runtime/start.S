// SPDX-License-Identifier: Apache-2.0
// Start of a user program: the loader cleared bss, the supervisor set the stack.
    .text
    .globl user_start
user_start:
    call main
    li a7, 93                       // exit(main's value)
    ecall

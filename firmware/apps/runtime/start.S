// SPDX-License-Identifier: Apache-2.0
// Start of a user program: the loader cleared bss, the supervisor set the stack.
    .section .text.start, "ax"
    .globl user_start
    .type user_start, @function
user_start:
    call main
    li a7, 93                       // exit(main's value)
    ecall
    .size user_start, . - user_start

// SPDX-License-Identifier: Apache-2.0
// Floating-point registers of the interrupted program, by number. Machine mode neither saves nor
// uses them, so they still hold the program's values; the check of the object code for
// floating-point instructions leaves out what lies between the two symbols.
    .text
    .balign 8
    .option push
    .option norvc                   // table entries of 8 bytes
    .globl float_registers_begin
    .type float_registers_begin, @function
float_registers_begin:

// read_float_register(n): the bits of f[n].
    .globl read_float_register
    .type read_float_register, @function
read_float_register:
    slli a0, a0, 3
    la t0, 1f
    add t0, t0, a0
    jr t0
    .balign 8
1:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    fmv.x.d a0, f\n
    ret
    .endr

// write_float_register(n, bits)
    .globl write_float_register
    .type write_float_register, @function
write_float_register:
    slli a0, a0, 3
    la t0, 1f
    add t0, t0, a0
    jr t0
    .balign 8
1:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    fmv.d.x f\n, a1
    ret
    .endr

    .globl float_registers_end
    .type float_registers_end, @function
float_registers_end:
    .option pop
    nop

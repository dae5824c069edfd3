// SPDX-License-Identifier: Apache-2.0
// Save and restore of the integer registers around C++ at a trap entry. The floating-point
// registers stay where they are: neither the machine nor the supervisor layer uses them.
#pragma once

#include "firmware/boot/frame.h"

.macro save_integer_registers       // all but sp, which the caller stores
    sd x1, 8(sp)
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    sd x\n, 8 * \n(sp)
    .endr
.endm

.macro restore_integer_registers    // sp last
    ld x1, 8(sp)
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    ld x\n, 8 * \n(sp)
    .endr
    ld sp, 16(sp)
.endm

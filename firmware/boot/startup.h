// SPDX-License-Identifier: Apache-2.0
// What every start-up file does, as assembler macros.
#pragma once

// gp may not be relaxed against itself.
.macro load_global_pointer.option push.option norelax la gp,
    __global_pointer$.option
        pop.endm

            // Changes t0 and t1. The linker scripts align both symbols to 8 bytes.
            .macro clear_bss la t0,
    __bss_start la t1, __bss_end.Lclear_bss\@ : bgeu t0, t1, .Lbss_is_clear\@sd zero,
    0(t0)addi t0, t0, 8 j.Lclear_bss\@.Lbss_is_clear\@ :.endm

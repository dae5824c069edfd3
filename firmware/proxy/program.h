// SPDX-License-Identifier: Apache-2.0
// A program as Linux and the RISC-V proxy kernel start it: an ELF file, its arguments on the stack.
#pragma once

#include "firmware/proxy/user_memory.h"

#include <stdint.h>

namespace pes::proxy {

struct Program {
    uint64_t entry = 0;
    uint64_t stack = 0;   ///< where the arguments begin
    uint64_t heap = 0;    ///< behind its last segment, page aligned
    uint64_t headers = 0; ///< program headers in its memory; 0: they are not in a segment
    uint64_t header_count = 0;
};

/// Maps the segments of the file. Null, or what is wrong with it, as the end of a sentence.
const char* load_program(UserMemory& memory, const uint8_t* file, uint64_t size, Program& program);

/// Makes a stack of `stack_bytes` below `top` with the words of `arguments`, of which the first is
/// the program's name, and what a C library wants to know. False: it is too long.
bool make_stack(UserMemory& memory, uint64_t top, uint64_t stack_bytes, const char* arguments,
                Program& program);

} // namespace pes::proxy

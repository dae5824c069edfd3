// SPDX-License-Identifier: Apache-2.0
// What a user program can ask of the supervisor layer.
#pragma once

#include "firmware/lib/text.h"
#include "firmware/sbi/sbi.h"
#include "firmware/supervisor/system_calls.h"

#include <stddef.h>
#include <stdint.h>

namespace pes::user {

inline int64_t call(uint64_t number, uint64_t first = 0, uint64_t second = 0, uint64_t third = 0,
                    uint64_t fourth = 0) {
    register uint64_t a0 asm("a0") = first;
    register uint64_t a1 asm("a1") = second;
    register uint64_t a2 asm("a2") = third;
    register uint64_t a3 asm("a3") = fourth;
    register uint64_t a7 asm("a7") = number;
    asm volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
    return static_cast<int64_t>(a0);
}

inline int64_t write(uint64_t file, const void* bytes, size_t length) {
    return call(system_call::kWrite, file, reinterpret_cast<uint64_t>(bytes), length);
}

/// Null if there is no memory.
inline void* map_memory(size_t length) {
    const int64_t address = call(system_call::kMmap, 0, length,
                                 system_call::kProtectionRead | system_call::kProtectionWrite,
                                 system_call::kMapPrivate | system_call::kMapAnonymous);
    return address < 0 ? nullptr : reinterpret_cast<void*>(address);
}

/// A call of the sampling extension: its value, or a negative SBI error.
inline int64_t sampling(sbi::sampling::Function function, uint64_t first = 0, uint64_t second = 0,
                        uint64_t third = 0) {
    return call(system_call::kSampling + function, first, second, third);
}

/// Prints one line with a single system call.
template <typename... Parts>
void print_line(Parts... parts) {
    char line[160];
    size_t length = 0;
    const auto sink = [&line, &length](char byte) {
        if (length < sizeof(line)) {
            line[length++] = byte;
        }
    };
    print(sink, parts..., "\n");
    write(system_call::kFileConsole, line, length);
}

} // namespace pes::user

// SPDX-License-Identifier: Apache-2.0
// What the C library's calls (system.c) and the harts (harts.c) want of the mode that the program
// runs in: machine.c or supervisor.c.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define _Noreturn [[noreturn]]
#endif

/// Linux's numbers, which the host takes (docs/sbi.md, Host files).
enum HostCall {
    kOpenAt = 56,
    kClose = 57,
    kLseek = 62,
    kRead = 63,
    kWrite = 64,
};
enum { kFirstFile = 4 }; ///< of the host; those below are the console's

/// Arguments as of the system call; its result, or a negative errno of Linux.
long pes_host_call(enum HostCall number, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
long pes_console_write(const char* text, size_t size);
_Noreturn void pes_end_run(uint32_t code);
/// Of what C and C++ leave undefined: says `text`, and ends the run as a shell calls abort().
_Noreturn void pes_fail(const char* text);

/// "mcause %#lx, mepc %#lx, mtval %#lx", as the mode calls them.
extern const char pes_trap_format[];

/// False: there is no such hart.
bool pes_wake_hart(unsigned hart);
/// Of a hart that has been woken: it knows.
void pes_hart_woken(unsigned hart);
/// Whether the hart that calls is the one of main().
bool pes_is_main_hart(void);

/// Thread-local storage of a hart: so many bytes, in 64 byte steps, made at `block`.
size_t pes_tls_size(void);
void pes_make_tls(void* block);
/// Of C++ (language.cpp); a C program has none.
__attribute__((weak)) void pes_destroy_thread_locals(void);

#ifdef __cplusplus
}
#undef _Noreturn
#endif

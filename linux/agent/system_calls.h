// SPDX-License-Identifier: Apache-2.0
// System calls of Linux on riscv64, for a program without a C library. Results are those of the
// kernel: negative is -errno. [include/uapi/asm-generic/unistd.h]
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace agent {

inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
    register long a0 asm("a0") = a;
    register long a1 asm("a1") = b;
    register long a2 asm("a2") = c;
    register long a3 asm("a3") = d;
    register long a4 asm("a4") = e;
    register long a7 asm("a7") = number;
    asm volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7) : "memory");
    return a0;
}

inline long word(const void* pointer) {
    return reinterpret_cast<long>(pointer);
}

inline constexpr long kAtCwd = -100; ///< AT_FDCWD
inline constexpr long kReadOnly = 0, kWriteOnly = 1, kCloseOnExec = 02000000;
inline constexpr long kMountReadOnly = 1; ///< MS_RDONLY

inline long make_directory(const char* path) {
    return system_call(34, kAtCwd, word(path), 0755);
}
/// What is a directory stays. (unlinkat)
inline long unlink(const char* path) {
    return system_call(35, kAtCwd, word(path), 0);
}
inline long mount(const char* from, const char* to, const char* type, long flags,
                  const char* options) {
    return system_call(40, word(from), word(to), word(type), flags, word(options));
}
/// At once for names, and for what is open still there as long as it is. (MNT_DETACH)
inline long unmount(const char* place) {
    return system_call(39, word(place), 2);
}
/// From here on this process has mounts of its own. (unshare with CLONE_NEWNS)
inline long own_mounts() {
    return system_call(97, 0x20000);
}
inline long change_directory(const char* path) {
    return system_call(49, word(path));
}
inline long change_root(const char* path) {
    return system_call(51, word(path));
}
inline long open(const char* path, long flags) {
    return system_call(56, kAtCwd, word(path), flags, 0);
}
inline long close(long file) {
    return system_call(57, file);
}
inline long read(long file, void* to, size_t size) {
    return system_call(63, file, word(to), static_cast<long>(size));
}
inline long read_at(long file, void* to, size_t size, uint64_t offset) {
    return system_call(67, file, word(to), static_cast<long>(size), static_cast<long>(offset));
}
inline long write(long file, const void* from, size_t size) {
    return system_call(64, file, word(from), static_cast<long>(size));
}
inline long duplicate(long file, long as) {
    return system_call(24, file, as, 0);
}
[[noreturn]] inline void exit(long code) {
    for (;;) {
        system_call(94, code); // exit_group
    }
}
inline long load_module(long file) {
    return system_call(273, file, word(""), 0);
} // finit_module
inline long execute(const char* path, char* const* arguments, char* const* environment) {
    return system_call(221, word(path), word(arguments), word(environment));
}
/// Starts `run(argument)`, which does not return, in a process of its own that shares this one's
/// memory until it executes a program. `stack_end` is a multiple of 16. (clone with CLONE_VM)
inline long spawn(void (*run)(void*), void* argument, char* stack_end) {
    register long a0 asm("a0") = 0x100 | 17; // CLONE_VM, SIGCHLD
    register char* a1 asm("a1") = stack_end;
    register long a2 asm("a2") = 0;
    register long a3 asm("a3") = 0;
    register long a4 asm("a4") = 0;
    register void (*t0)(void*) asm("t0") = run;
    register void* t1 asm("t1") = argument;
    register long a7 asm("a7") = 220;
    asm volatile("ecall\n\t"
                 "bnez a0, 1f\n\t"
                 "mv a0, t1\n\t"
                 "jalr t0\n"
                 "1:"
                 : "+r"(a0)
                 : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(t0), "r"(t1), "r"(a7)
                 : "memory", "ra");
    return a0;
}
inline long new_session() {
    return system_call(157);
}
/// wait4 for any child, threads of other processes too (__WALL).
inline long wait_any(int* status) {
    return system_call(260, -1, word(status), 0x4000'0000, 0);
}
inline long make_pipe(int* ends) {
    return system_call(59, word(ends), kCloseOnExec);
}

/// An instruction of eBPF (include/uapi/linux/bpf.h).
struct BpfInstruction {
    uint8_t code;
    uint8_t registers; ///< 3:0 destination, 7:4 source
    int16_t offset;
    int32_t immediate;
};
/// A program for a raw tracepoint. Returns its file. (BPF_PROG_LOAD)
inline long load_bpf(const BpfInstruction* program, size_t count) {
    const struct {
        uint32_t type = 17; // BPF_PROG_TYPE_RAW_TRACEPOINT
        uint32_t count;
        uint64_t program;
        uint64_t license;
        uint64_t rest[4] = {};
    } load{.count = static_cast<uint32_t>(count),
           .program = reinterpret_cast<uint64_t>(program),
           .license = reinterpret_cast<uint64_t>("Apache-2.0")};
    return system_call(280, 5, word(&load), sizeof load);
}
/// Lets it run there as long as the file that this returns is open. (BPF_RAW_TRACEPOINT_OPEN)
inline long attach_bpf(long program, const char* tracepoint) {
    const struct {
        uint64_t tracepoint;
        uint32_t program;
        uint32_t rest = 0;
    } attach{.tracepoint = reinterpret_cast<uint64_t>(tracepoint),
             .program = static_cast<uint32_t>(program)};
    return system_call(280, 17, word(&attach), sizeof attach);
}

inline constexpr long kTraceContinue = 7, kTraceSeize = 0x4206, kTraceListen = 0x4208;
/// Of kTraceSeize: follow fork, vfork and clone; stop behind an exec and before an exit; end with
/// the tracer.
inline constexpr long kFollowAll = 0x2 | 0x4 | 0x8 | 0x10 | 0x40 | 0x10'0000;
inline constexpr int kEventExec = 4, kEventExit = 6, kEventStop = 128; ///< PTRACE_EVENT_
inline long trace(long request, long process, long data) {
    return system_call(117, request, process, 0, data);
}

} // namespace agent

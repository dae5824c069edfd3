// SPDX-License-Identifier: Apache-2.0
// What the directed programs share: CSR access, the last trap, checks that count failures and name
// the line on the console. Freestanding; main() returns the number of failed checks.
#pragma once

#include <stddef.h>
#include <stdint.h>

using u64 = uint64_t;
using u32 = uint32_t;

#define READ_CSR(name)                                                                             \
    ([] {                                                                                          \
        u64 value;                                                                                 \
        asm volatile("csrr %0, " #name : "=r"(value)::"memory");                                   \
        return value;                                                                              \
    }())
#define WRITE_CSR(name, value) asm volatile("csrw " #name ", %0" ::"r"(u64(value)) : "memory")
#define SET_CSR(name, value) asm volatile("csrs " #name ", %0" ::"r"(u64(value)) : "memory")
#define CLEAR_CSR(name, value) asm volatile("csrc " #name ", %0" ::"r"(u64(value)) : "memory")

enum Mode : u64 { User = 0, Supervisor = 1, Machine = 3 };

/// Exception causes, privileged specification, table of mcause.
enum Cause : u64 {
    FetchAccess = 1,
    Illegal = 2,
    Breakpoint = 3,
    LoadMisaligned = 4,
    LoadAccess = 5,
    StoreMisaligned = 6,
    StoreAccess = 7,
    UserCall = 8,
    SupervisorCall = 9,
    MachineCall = 11,
    FetchPage = 12,
    LoadPage = 13,
    StorePage = 15,
};
constexpr u64 kInterrupt = u64{1} << 63;

constexpr u64 kMie = 1 << 3, kMpie = 1 << 7, kSie = 1 << 1, kSpie = 1 << 5, kSpp = 1 << 8;
constexpr u64 kMpp = 3 << 11, kMprv = 1 << 17, kSum = 1 << 18, kMxr = 1 << 19;
constexpr u64 kTvm = 1 << 20, kTw = 1 << 21, kTsr = 1 << 22, kFs = 3 << 13;

/// Filled by crt0.S.
struct Trap {
    u64 mode, cause, epc, tval, status, count;
    u64 resume_at;  ///< where the next exception resumes; 0: behind the instruction
    u64 history[8]; ///< causes of the last traps, at count % 8
};
extern "C" volatile Trap last_trap;
extern "C" void run_at(Mode mode, void (*entry)());
extern "C" char machine_entry[], supervisor_entry[];

/// An address where nothing answers.
constexpr u64 kHole = 0x9000'0000;

inline volatile u32& word_at(u64 address) {
    return *reinterpret_cast<volatile u32*>(address);
}
inline volatile u64& double_at(u64 address) {
    return *reinterpret_cast<volatile u64*>(address);
}

inline void put(char letter) {
    constexpr u64 kUart = 0x1000'0000;
    while ((*reinterpret_cast<volatile uint8_t*>(kUart + 5) & 0x20) == 0) {
    }
    *reinterpret_cast<volatile uint8_t*>(kUart) = uint8_t(letter);
}
inline void print(const char* text) {
    while (*text != 0) {
        put(*text++);
    }
}
inline void print_hex(u64 value) {
    print(" 0x");
    for (int shift = 60; shift >= 0; shift -= 4) {
        put("0123456789abcdef"[value >> shift & 15]);
    }
}
inline void print_decimal(unsigned value) {
    if (value >= 10) {
        print_decimal(value / 10);
    }
    put(char('0' + value % 10));
}

inline int failures = 0;

inline void check_equal(unsigned line, const char* what, u64 actual, u64 expected) {
    if (actual == expected) {
        return;
    }
    ++failures;
    print("line ");
    print_decimal(line);
    print(": ");
    print(what);
    print(" is");
    print_hex(actual);
    print(", expected");
    print_hex(expected);
    put('\n');
}
#define CHECK_EQ(actual, expected) check_equal(__LINE__, #actual, u64(actual), u64(expected))

/// The last trap was this one, and it was one more than before.
inline u64 traps_seen = 0;
inline void check_trap(unsigned line, u64 mode, u64 cause, u64 epc, u64 tval) {
    check_equal(line, "trap count", last_trap.count, traps_seen + 1);
    traps_seen = last_trap.count;
    check_equal(line, "trap mode", last_trap.mode, mode);
    check_equal(line, "cause", last_trap.cause, cause);
    check_equal(line, "epc", last_trap.epc, epc);
    check_equal(line, "tval", last_trap.tval, tval);
}
#define CHECK_TRAP(mode, cause, epc, tval) check_trap(__LINE__, mode, cause, u64(epc), u64(tval))

/// The same where xtval is the implementation's choice.
inline void check_cause(unsigned line, u64 mode, u64 cause) {
    check_trap(line, mode, cause, last_trap.epc, last_trap.tval);
}
#define CHECK_CAUSE(mode, cause) check_cause(__LINE__, mode, cause)

inline void check_no_trap(unsigned line) {
    check_equal(line, "trap count", last_trap.count, traps_seen);
    traps_seen = last_trap.count;
}
#define CHECK_NO_TRAP() check_no_trap(__LINE__)

/// Runs one instruction statement and yields its address, for comparison with xepc.
#define PROBE(instruction, ...)                                                                    \
    ({                                                                                             \
        u64 probe_pc;                                                                              \
        asm volatile("lla %0, 1f\n.option push\n.option norvc\n1: " instruction "\n.option pop"    \
                     : "=&r"(probe_pc)                                                             \
                     : __VA_ARGS__                                                                 \
                     : "memory", "t0", "t1", "a7");                                                \
        probe_pc;                                                                                  \
    })

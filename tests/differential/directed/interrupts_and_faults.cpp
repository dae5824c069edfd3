// SPDX-License-Identifier: Apache-2.0
// An interrupt that is pending when a fetch fails comes first (privileged specification, 3.1.9).
// With Ssplcofi that is also the one of a counter that the last instruction before makes overflow.
// And a handler that cannot be fetched traps until an enabled interrupt ends it.
#include "directed.h"

namespace {

constexpr u64 kMtimecmp = 0x0200'4000;
constexpr u64 kMtime = 0x0200'BFF8;
constexpr u64 kSsip = 1 << 1, kOverflow = 1 << 13;
constexpr u64 kExceptions = 7, kReturns = 13; ///< selectors of events

/// The last two traps, the older one first.
void check_last_two(unsigned line, u64 first, u64 second) {
    check_equal(line, "trap count", last_trap.count, traps_seen + 2);
    traps_seen = last_trap.count;
    check_equal(line, "first trap", last_trap.history[(last_trap.count - 2) % 8], first);
    check_equal(line, "second trap", last_trap.history[(last_trap.count - 1) % 8], second);
}
#define CHECK_LAST_TWO(first, second) check_last_two(__LINE__, first, second)

/// Goes to where nothing can be fetched, by a return; the exception resumes behind it.
void return_to_hole() {
    asm volatile("lla t0, 1f\n"
                 "sd t0, %0\n"
                 "mv t1, ra\n"
                 "li ra, 0x90000000\n"
                 "ret\n"
                 "1: mv ra, t1\n"
                 : "=m"(last_trap.resume_at)::"t0", "t1", "memory");
}

void check_pending() {
    SET_CSR(mie, kSsip);
    asm volatile("lla t0, 1f\n"
                 "sd t0, %0\n"
                 "li t0, 0x1880\n" // MPP = M, MPIE
                 "csrs mstatus, t0\n"
                 "li t0, 0x90000000\n"
                 "csrw mepc, t0\n"
                 "csrsi mip, 2\n"
                 "mret\n"
                 "1:\n"
                 : "=m"(last_trap.resume_at)::"t0", "memory");
    CHECK_LAST_TWO(kInterrupt | 1, FetchAccess);
    CLEAR_CSR(mip, kSsip);
    CLEAR_CSR(mstatus, kMie);
}

void check_overflow() {
    WRITE_CSR(mhpmevent3, kReturns);
    WRITE_CSR(mhpmcounter3, ~u64{0});
    SET_CSR(mie, kOverflow);
    SET_CSR(mstatus, kMie);
    return_to_hole();
    CLEAR_CSR(mstatus, kMie);
    CHECK_LAST_TWO(kInterrupt | 13, FetchAccess);
    CHECK_EQ(last_trap.epc, kHole); // the fetch that fails was tried again behind the interrupt
    WRITE_CSR(mhpmevent3, 0);
    CLEAR_CSR(mip, kOverflow);
}

extern "C" void end_of_loop();
asm(".balign 4\n"
    "end_of_loop:\n"
    "csrw mie, zero\n"
    "lla t0, machine_entry\n"
    "csrw mtvec, t0\n"
    "j back_in_machine_mode\n");

/// The handler of S mode is where nothing can be fetched; an interrupt of M mode is a watchdog.
void check_trap_loop(u64 interrupt) {
    WRITE_CSR(mtvec, reinterpret_cast<u64>(&end_of_loop));
    WRITE_CSR(stvec, kHole);
    WRITE_CSR(medeleg, 1 << FetchAccess);
    SET_CSR(mie, u64{1} << interrupt);
    run_at(Supervisor, return_to_hole);
    CHECK_EQ(READ_CSR(mcause), kInterrupt | interrupt);
    CHECK_EQ(READ_CSR(mepc), kHole);
    CHECK_EQ(READ_CSR(scause), FetchAccess);
    WRITE_CSR(medeleg, 0);
    WRITE_CSR(stvec, reinterpret_cast<u64>(supervisor_entry));
}

void check_timer_ends_loop() {
    double_at(kMtimecmp) = double_at(kMtime) + 1000;
    check_trap_loop(7);
    double_at(kMtimecmp) = ~u64{0};
}

/// Of the loop's own traps, without any other event in the platform.
void check_counter_ends_loop() {
    WRITE_CSR(mhpmevent3, kExceptions);
    WRITE_CSR(mhpmcounter3, ~u64{0} - 100'000);
    check_trap_loop(13);
    WRITE_CSR(mhpmevent3, 0);
    CLEAR_CSR(mip, kOverflow);
}

} // namespace

int main() {
    check_pending();
    check_overflow();
    check_timer_ends_loop();
    check_counter_ends_loop();
    return failures;
}

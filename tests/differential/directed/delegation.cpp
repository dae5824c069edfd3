// SPDX-License-Identifier: Apache-2.0
// medeleg and mideleg: which mode takes a trap, and what it finds in its CSRs.
#include "directed.h"

namespace {

constexpr u64 kSsip = 1 << 1;
u64 probe;

void delegate(u64 cause) {
    WRITE_CSR(medeleg, u64{1} << cause);
}

void check_causes() {
    delegate(Breakpoint);
    run_at(User, [] { probe = PROBE("ebreak", "r"(0)); });
    CHECK_TRAP(Supervisor, Breakpoint, probe, last_trap.tval == 0 ? 0 : probe);
    CHECK_EQ(last_trap.status & kSpp, 0); // came from U
    run_at(Supervisor, [] { probe = PROBE("ebreak", "r"(0)); });
    CHECK_TRAP(Supervisor, Breakpoint, probe, last_trap.tval == 0 ? 0 : probe);
    CHECK_EQ(last_trap.status & kSpp, kSpp); // came from S

    delegate(UserCall);
    run_at(User, [] { probe = PROBE("li a7, 0\n1: ecall", "r"(0)); });
    CHECK_TRAP(Supervisor, UserCall, probe + 4, 0);
}

void check_faults() {
    delegate(LoadAccess);
    run_at(User, [] { probe = PROBE("lw t0, 4(%1)", "r"(kHole)); });
    if ((READ_CSR(medeleg) & u64{1} << LoadAccess) != 0) { // the bit may be hard-wired to zero
        CHECK_TRAP(Supervisor, LoadAccess, probe, kHole + 4);
    } else {
        CHECK_TRAP(Machine, LoadAccess, probe, kHole + 4);
    }
    delegate(Illegal);
    run_at(Supervisor, [] { probe = PROBE(".insn 4, 0x0b", "r"(0)); });
    CHECK_CAUSE((READ_CSR(medeleg) & u64{1} << Illegal) != 0 ? Supervisor : Machine, Illegal);
}

/// A trap never goes to a less privileged mode than the one it happened in.
void check_machine_keeps_its_own() {
    WRITE_CSR(medeleg, ~u64{0});
    probe = PROBE("ebreak", "r"(0));
    CHECK_TRAP(Machine, Breakpoint, probe, last_trap.tval == 0 ? 0 : probe);
    CHECK_EQ(READ_CSR(medeleg) & u64{1} << MachineCall, 0); // bit 11 is read-only zero
    WRITE_CSR(medeleg, 0);
}

/// Trap entry into S: SPIE = SIE, SIE = 0. sret: the other way, SPP = U, SPIE = 1.
void check_status_stack() {
    delegate(Breakpoint);
    SET_CSR(mstatus, kSie);
    run_at(Supervisor, [] { probe = PROBE("ebreak", "r"(0)); });
    CHECK_CAUSE(Supervisor, Breakpoint);
    CHECK_EQ(last_trap.status & (kSie | kSpie | kSpp), kSpie | kSpp);
    CHECK_EQ(READ_CSR(mstatus) & (kSie | kSpie | kSpp), kSie | kSpie);
    CLEAR_CSR(mstatus, kSie);
    run_at(Supervisor, [] { probe = PROBE("ebreak", "r"(0)); });
    CHECK_CAUSE(Supervisor, Breakpoint);
    CHECK_EQ(last_trap.status & (kSie | kSpie | kSpp), kSpp);
    CHECK_EQ(READ_CSR(mstatus) & (kSie | kSpie | kSpp), kSpie);
    WRITE_CSR(medeleg, 0);
}

/// The machine's record of a delegated trap stays untouched.
void check_machine_record() {
    WRITE_CSR(mcause, 24); // any value the register can hold; read back what it kept
    const u64 before = READ_CSR(mcause);
    const u64 value_before = READ_CSR(mtval);
    delegate(Breakpoint);
    static u64 cause;
    run_at(User, [] { probe = PROBE("ebreak", "r"(0)); });
    CHECK_CAUSE(Supervisor, Breakpoint);
    cause = READ_CSR(mcause);
    // The way back is an ecall to M mode, the only thing that may have changed it.
    CHECK_EQ(cause == before || cause == UserCall, 1);
    CHECK_EQ(READ_CSR(mtval) == value_before || READ_CSR(mtval) == 0, 1);
    WRITE_CSR(medeleg, 0);
}

void check_interrupts() {
    // A delegated interrupt is never taken in M mode, and always in U mode.
    WRITE_CSR(mideleg, kSsip);
    SET_CSR(mie, kSsip);
    SET_CSR(mip, kSsip);
    SET_CSR(mstatus, kMie | kSie);
    asm volatile("nop\nnop");
    CHECK_NO_TRAP();
    run_at(User, [] { asm volatile("nop\nnop"); });
    CHECK_CAUSE(Supervisor, kInterrupt | 1);
    CHECK_EQ(last_trap.status & kSpp, 0);
    // In S mode only with sstatus.SIE.
    SET_CSR(mie, kSsip);
    CLEAR_CSR(mstatus, kMpie | kSie);
    run_at(Supervisor, [] { asm volatile("nop\nnop"); });
    CHECK_NO_TRAP();
    run_at(Supervisor, [] {
        SET_CSR(sstatus, kSie);
        asm volatile("nop\nnop");
    });
    CHECK_CAUSE(Supervisor, kInterrupt | 1);
    CHECK_EQ(last_trap.status & kSpp, kSpp);
    // Not delegated, it goes to M mode whatever M's enable says, when in a lower mode.
    WRITE_CSR(mideleg, 0);
    SET_CSR(mie, kSsip);
    CLEAR_CSR(mstatus, kMie | kMpie);
    run_at(User, [] { asm volatile("nop\nnop"); });
    CHECK_CAUSE(Machine, kInterrupt | 1);
    // sip and sie show only delegated bits.
    CHECK_EQ(READ_CSR(sip) & kSsip, 0);
    WRITE_CSR(mideleg, kSsip);
    CHECK_EQ(READ_CSR(sip) & kSsip, kSsip);
    CLEAR_CSR(sip, kSsip); // SSIP is writable through sip
    CHECK_EQ(READ_CSR(mip) & kSsip, 0);
    WRITE_CSR(mideleg, 0);
}

} // namespace

int main() {
    check_causes();
    check_faults();
    check_machine_keeps_its_own();
    check_status_stack();
    check_machine_record();
    check_interrupts();
    return failures;
}

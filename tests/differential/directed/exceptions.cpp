// SPDX-License-Identifier: Apache-2.0
// Every exception cause that needs no translation: cause, epc, tval, and the state of mstatus.
#include "directed.h"

namespace {

u64 probe;
u64 data[2] = {1, 2};

void check_environment_calls() {
    probe = PROBE("ecall", "r"(0));
    CHECK_TRAP(Machine, MachineCall, probe, 0);
    run_at(Supervisor, [] { probe = PROBE("li a7, 0\n1: ecall", "r"(0)); });
    CHECK_TRAP(Machine, SupervisorCall, probe + 4, 0);
    run_at(User, [] { probe = PROBE("li a7, 0\n1: ecall", "r"(0)); });
    CHECK_TRAP(Machine, UserCall, probe + 4, 0);
}

void check_illegal() {
    // xtval of an illegal instruction is zero or the instruction's bits.
    probe = PROBE(".insn 4, 0x0000000b", "r"(0));
    CHECK_TRAP(Machine, Illegal, probe, last_trap.tval == 0 ? 0 : 0x0b);
    probe = PROBE(".insn 2, 0", "r"(0));
    CHECK_TRAP(Machine, Illegal, probe, 0);
    probe = PROBE("csrw cycle, zero", "r"(0)); // read-only
    CHECK_CAUSE(Machine, Illegal);
    run_at(User, [] { probe = PROBE("csrr t0, sstatus", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    run_at(Supervisor, [] { probe = PROBE("csrr t0, mstatus", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    run_at(Supervisor, [] { probe = PROBE("mret", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    run_at(User, [] { probe = PROBE("sret", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    run_at(User, [] { probe = PROBE("sfence.vma", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
}

void check_breakpoint() {
    probe = PROBE("ebreak", "r"(0));
    CHECK_TRAP(Machine, Breakpoint, probe, last_trap.tval == 0 ? 0 : probe);
}

void check_access_faults() {
    probe = PROBE("ld t0, 8(%1)", "r"(kHole));
    CHECK_TRAP(Machine, LoadAccess, probe, kHole + 8);
    probe = PROBE("sb t0, 3(%1)", "r"(kHole));
    CHECK_TRAP(Machine, StoreAccess, probe, kHole + 3);
    probe = PROBE("fld ft0, 0(%1)", "r"(kHole));
    CHECK_TRAP(Machine, LoadAccess, probe, kHole);
    probe = PROBE("lr.w t0, (%1)", "r"(kHole));
    CHECK_TRAP(Machine, LoadAccess, probe, kHole);
    last_trap.resume_at = u64(&&after_jump);
    asm goto("jr %0" ::"r"(kHole + 2)::after_jump);
after_jump:
    CHECK_TRAP(Machine, FetchAccess, kHole + 2, kHole + 2);
}

/// AMOs report store faults, whatever they found first (A extension; table of mcause).
void check_amo_faults() {
    probe = PROBE("amoadd.w t0, t0, (%1)", "r"(kHole));
    CHECK_TRAP(Machine, StoreAccess, probe, kHole);
    probe = PROBE("sc.d t0, t0, (%1)", "r"(u64(data) + 4));
    CHECK_CAUSE(Machine, StoreMisaligned);
    probe = PROBE("amoswap.d t0, t0, (%1)", "r"(u64(data) + 4));
    CHECK_TRAP(Machine, StoreMisaligned, probe, u64(data) + 4);
    probe = PROBE("lr.d t0, (%1)", "r"(u64(data) + 4));
    CHECK_TRAP(Machine, LoadMisaligned, probe, u64(data) + 4);
}

/// A load that traps does not write its destination; neither does an AMO.
void check_no_side_effects() {
    u64 value = 0x1234;
    asm volatile("ld %0, 0(%1)" : "+r"(value) : "r"(kHole));
    CHECK_EQ(value, 0x1234);
    CHECK_CAUSE(Machine, LoadAccess);
    asm volatile("amoadd.d %0, %0, (%1)" : "+r"(value) : "r"(u64(data) + 4) : "memory");
    CHECK_EQ(value, 0x1234);
    CHECK_EQ(data[0], 1);
    CHECK_CAUSE(Machine, StoreMisaligned);
}

/// Trap entry: MPIE = MIE, MIE = 0, MPP = mode before. mret: the other way, MPP = U, MPIE = 1.
void check_status_stack() {
    SET_CSR(mstatus, kMie);
    probe = PROBE("ecall", "r"(0));
    CHECK_TRAP(Machine, MachineCall, probe, 0);
    CHECK_EQ(last_trap.status & (kMie | kMpie | kMpp), kMpie | kMpp);
    CHECK_EQ(READ_CSR(mstatus) & (kMie | kMpie | kMpp), kMie | kMpie);
    CLEAR_CSR(mstatus, kMie);
    probe = PROBE("ecall", "r"(0));
    CHECK_TRAP(Machine, MachineCall, probe, 0);
    CHECK_EQ(last_trap.status & (kMie | kMpie | kMpp), kMpp);
    CHECK_EQ(READ_CSR(mstatus) & (kMie | kMpie | kMpp), kMpie);
}

void check_float_off() {
    CLEAR_CSR(mstatus, kFs);
    probe = PROBE("fadd.s ft0, ft0, ft0", "r"(0));
    CHECK_CAUSE(Machine, Illegal);
    probe = PROBE("fld ft0, 0(%1)", "r"(data));
    CHECK_CAUSE(Machine, Illegal);
    probe = PROBE("csrr t0, fflags", "r"(0));
    CHECK_CAUSE(Machine, Illegal);
    SET_CSR(mstatus, u64{1} << 13); // initial
    probe = PROBE("csrw fcsr, zero", "r"(0));
    CHECK_NO_TRAP();
    CHECK_EQ(READ_CSR(mstatus) & kFs, kFs);                         // dirty
    CHECK_EQ(READ_CSR(mstatus) >> 63, 1);                           // SD sums it up
    probe = PROBE("csrwi frm, 5\n1: fadd.s ft0, ft0, ft0", "r"(0)); // reserved dynamic rounding
    CHECK_CAUSE(Machine, Illegal);
    WRITE_CSR(fcsr, 0);
}

} // namespace

int main() {
    check_environment_calls();
    check_illegal();
    check_breakpoint();
    check_access_faults();
    check_amo_faults();
    check_no_side_effects();
    check_status_stack();
    check_float_off();
    return failures;
}

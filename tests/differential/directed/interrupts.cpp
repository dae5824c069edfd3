// SPDX-License-Identifier: Apache-2.0
// Interrupts of the CLINT and of mip: enables, order, state of the trap; WFI.
#include "directed.h"

namespace {

constexpr u64 kMsipRegister = 0x0200'0000;
constexpr u64 kMtimecmp = 0x0200'4000;
constexpr u64 kMtime = 0x0200'BFF8;
constexpr u64 kSoftware = 1 << 3, kTimer = 1 << 7;
constexpr u64 kSsip = 1 << 1, kStip = 1 << 5, kSeip = 1 << 9;
constexpr u64 kNever = ~u64{0};

/// Long enough for a level to travel from the CLINT to the hart.
void settle() {
    for (int n = 0; n < 20; ++n) {
        asm volatile("nop");
    }
}

/// Until all these are pending, but not for ever.
void wait_for(u64 pending) {
    for (int n = 0; n < 100'000 && (READ_CSR(mip) & pending) != pending; ++n) {
    }
}

void check_software() {
    word_at(kMsipRegister) = 1;
    settle();
    CHECK_EQ(READ_CSR(mip) & kSoftware, kSoftware);
    settle();
    CHECK_NO_TRAP(); // neither mie nor mstatus.MIE
    SET_CSR(mstatus, kMie);
    settle();
    CHECK_NO_TRAP(); // mie
    CLEAR_CSR(mstatus, kMie);
    SET_CSR(mie, kSoftware);
    settle();
    CHECK_NO_TRAP(); // mstatus.MIE
    SET_CSR(mstatus, kMie);
    settle();
    CHECK_CAUSE(Machine, kInterrupt | 3);
    CHECK_EQ(last_trap.tval, 0);
    CHECK_EQ(last_trap.status & (kMie | kMpie | kMpp), kMpie | kMpp);
    CLEAR_CSR(mip, kSoftware); // read-only in mip: the CLINT holds the level
    CHECK_EQ(READ_CSR(mip) & kSoftware, kSoftware);
    word_at(kMsipRegister) = 0;
    settle();
    CHECK_EQ(READ_CSR(mip) & kSoftware, 0);
    CLEAR_CSR(mstatus, kMie);
}

void check_timer() {
    double_at(kMtimecmp) = double_at(kMtime) + 100;
    CHECK_EQ(READ_CSR(mip) & kTimer, 0);
    while (double_at(kMtime) < double_at(kMtimecmp)) {
    }
    wait_for(kTimer);
    CHECK_EQ(READ_CSR(mip) & kTimer, kTimer);
    SET_CSR(mie, kTimer);
    SET_CSR(mstatus, kMie);
    settle();
    CHECK_CAUSE(Machine, kInterrupt | 7);
    CLEAR_CSR(mstatus, kMie);
    double_at(kMtimecmp) = kNever;
    settle();
    CHECK_EQ(READ_CSR(mip) & kTimer, 0);
}

/// Several at once: MSI before MTI before SEI before SSI before STI (privileged specification,
/// section 3.1.9). crt0 clears the enable of each one taken, so they come one after the other.
void check_order() {
    constexpr u64 kOrder[] = {3, 7, 9, 1, 5};
    const u64 first = last_trap.count;
    double_at(kMtimecmp) = 0;
    word_at(kMsipRegister) = 1;
    SET_CSR(mip, kSeip | kSsip | kStip);
    wait_for(kTimer | kSoftware);
    SET_CSR(mie, kSoftware | kTimer | kSeip | kSsip | kStip);
    SET_CSR(mstatus, kMie);
    settle();
    CLEAR_CSR(mstatus, kMie);
    CHECK_EQ(last_trap.count, first + 5);
    for (u64 n = 0; n < 5; ++n) {
        CHECK_EQ(last_trap.history[(first + n) % 8], kInterrupt | kOrder[n]);
    }
    traps_seen = last_trap.count;
    double_at(kMtimecmp) = kNever;
    word_at(kMsipRegister) = 0;
    CLEAR_CSR(mip, kSeip | kSsip | kStip);
    settle();
}

/// M-mode interrupts are always open in lower modes.
void check_lower_mode() {
    CLEAR_CSR(mstatus, kMie | kMpie);
    word_at(kMsipRegister) = 1;
    settle();
    SET_CSR(mie, kSoftware);
    run_at(User, [] { settle(); });
    CHECK_CAUSE(Machine, kInterrupt | 3);
    CHECK_EQ(last_trap.status & kMpp, 0);
    word_at(kMsipRegister) = 0;
    settle();
}

/// WFI ends when an enabled interrupt is pending, whatever mstatus.MIE says; with MIE clear the
/// program goes on behind it.
void check_wait_without_trap() {
    CLEAR_CSR(mstatus, kMie);
    WRITE_CSR(mie, kTimer);
    double_at(kMtimecmp) = double_at(kMtime) + 200;
    asm volatile("wfi");
    CHECK_NO_TRAP();
    CHECK_EQ(READ_CSR(mip) & kTimer, kTimer);
    CHECK_EQ(double_at(kMtime) >= double_at(kMtimecmp), 1);
    asm volatile("wfi"); // pending already: no wait
    double_at(kMtimecmp) = kNever;
    settle();
}

/// With MIE set the trap is taken, and mepc is behind the WFI.
void check_wait_with_trap() {
    u64 after = 0;
    WRITE_CSR(mie, kTimer);
    double_at(kMtimecmp) = double_at(kMtime) + 200;
    SET_CSR(mstatus, kMie);
    asm volatile("lla %0, 1f\n wfi\n1: nop" : "=r"(after)::"memory");
    CLEAR_CSR(mstatus, kMie);
    CHECK_CAUSE(Machine, kInterrupt | 7);
    CHECK_EQ(last_trap.epc, after);
    double_at(kMtimecmp) = kNever;
    settle();
}

} // namespace

int main() {
    double_at(kMtimecmp) = kNever;
    check_software();
    check_timer();
    check_order();
    check_lower_mode();
    check_wait_without_trap();
    check_wait_with_trap();
    return failures;
}

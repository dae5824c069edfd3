// SPDX-License-Identifier: Apache-2.0
// Sstc: rights of stimecmp, who drives mip.STIP, and the timer interrupt of S-mode. Chapters of the
// privileged specification are named where they say more than "Supervisor Timer Register".
#include "directed.h"

namespace {

constexpr u64 kMtime = 0x0200'BFF8;
constexpr u64 kStce = u64{1} << 63;
constexpr u64 kTm = 1 << 1;
constexpr u64 kStip = 1 << 5;
constexpr u64 kNever = u64{1} << 56; // years ahead; the timer of QEMU 7.2 overflows beyond
u64 probe;

/// Long enough for a level to travel from the timer to the hart.
void settle() {
    for (int n = 0; n < 20; ++n) {
        asm volatile("nop");
    }
}

u64 stip() {
    settle();
    return READ_CSR(mip) & kStip;
}

/// "Machine Environment Configuration" (STCE), "Machine Counter-Enable" (TM).
void check_rights() {
    for (u64 enables = 0; enables < 4; ++enables) {
        WRITE_CSR(menvcfg, (enables & 1) != 0 ? kStce : 0);
        WRITE_CSR(mcounteren, (enables & 2) != 0 ? kTm : 0);
        WRITE_CSR(scounteren, ~u64{0});
        WRITE_CSR(stimecmp, kNever - enables); // M-mode needs neither
        CHECK_EQ(READ_CSR(stimecmp), kNever - enables);
        CHECK_NO_TRAP();
        run_at(Supervisor, [] { probe = PROBE("csrr t0, stimecmp", "r"(0)); });
        if (enables == 3) {
            CHECK_NO_TRAP();
        } else {
            CHECK_CAUSE(Machine, Illegal);
        }
        run_at(Supervisor, [] { probe = PROBE("csrw stimecmp, %1", "r"(kNever)); });
        if (enables == 3) {
            CHECK_NO_TRAP();
        } else {
            CHECK_CAUSE(Machine, Illegal);
        }
        CHECK_EQ(READ_CSR(stimecmp), enables == 3 ? kNever : kNever - enables);
        run_at(User, [] { probe = PROBE("csrr t0, stimecmp", "r"(0)); });
        CHECK_CAUSE(Machine, Illegal);
    }
}

/// "Machine Interrupt Registers": read-only in mip while stimecmp drives it.
void check_pending_bit() {
    WRITE_CSR(menvcfg, kStce);
    WRITE_CSR(mideleg, kStip);
    WRITE_CSR(stimecmp, kNever);
    CHECK_EQ(stip(), 0);
    SET_CSR(mip, kStip);
    CHECK_EQ(stip(), 0);
    WRITE_CSR(stimecmp, 0);
    CHECK_EQ(stip(), kStip);
    CHECK_EQ(READ_CSR(sip) & kStip, kStip);
    CLEAR_CSR(mip, kStip);
    CLEAR_CSR(sip, kStip);
    CHECK_EQ(stip(), kStip);
    WRITE_CSR(stimecmp, double_at(kMtime)); // equal, or less by now
    CHECK_EQ(stip(), kStip);
    WRITE_CSR(stimecmp, u64{1} << 63); // unsigned
    CHECK_EQ(stip(), 0);

    WRITE_CSR(menvcfg, 0); // as without the extension
    SET_CSR(mip, kStip);
    CHECK_EQ(stip(), kStip);
    CLEAR_CSR(mip, kStip);
    CHECK_EQ(stip(), 0);
    WRITE_CSR(menvcfg, kStce);
    CHECK_NO_TRAP();
}

/// S-mode sets its timer, waits and takes the interrupt, all without M-mode.
void check_interrupt() {
    WRITE_CSR(menvcfg, kStce);
    WRITE_CSR(mcounteren, kTm);
    WRITE_CSR(mideleg, kStip);
    WRITE_CSR(mie, 0);
    static u64 due;
    constexpr u64 kStatus[] = {0, kSie};
    for (const u64 status : kStatus) {
        CLEAR_CSR(mstatus, kSie);
        SET_CSR(mstatus, status);
        run_at(Supervisor, [] {
            due = READ_CSR(time) + 300;
            WRITE_CSR(stimecmp, due);
            SET_CSR(sie, kStip);
            asm volatile("wfi"); // with SIE = 0 it ends without a trap
            settle();
        });
        CHECK_EQ(double_at(kMtime) >= due, 1);
        if (status == 0) {
            CHECK_NO_TRAP();
        } else {
            CHECK_CAUSE(Supervisor, kInterrupt | 5);
        }
        WRITE_CSR(stimecmp, kNever);
        CHECK_EQ(stip(), 0);
    }
    CLEAR_CSR(mstatus, kSie);
}

/// Without delegation it is M-mode's.
void check_interrupt_of_machine_mode() {
    CLEAR_CSR(mstatus, kMie | kMpie);
    WRITE_CSR(mideleg, 0);
    WRITE_CSR(mie, kStip);
    WRITE_CSR(stimecmp, 0);
    run_at(Supervisor, [] { settle(); });
    CHECK_CAUSE(Machine, kInterrupt | 5);
    WRITE_CSR(stimecmp, kNever);
    settle();
}

} // namespace

int main() {
    WRITE_CSR(stimecmp, kNever);
    check_rights();
    check_pending_bit();
    check_interrupt();
    check_interrupt_of_machine_mode();
    return failures;
}

// SPDX-License-Identifier: Apache-2.0
// Counters: who may read which, inhibition, writes.
#include "directed.h"

namespace {

constexpr u64 kCycleBit = 1 << 0, kTimeBit = 1 << 1, kInstretBit = 1 << 2, kThirdBit = 1 << 3;

void read_cycle() {
    (void)READ_CSR(cycle);
}
void read_instret() {
    (void)READ_CSR(instret);
}
void read_third() {
    (void)READ_CSR(hpmcounter3);
}
void read_time() {
    (void)READ_CSR(time);
}

/// S mode needs mcounteren, U mode both mcounteren and scounteren.
void check_enables(u64 bit, void (*read)()) {
    constexpr struct {
        bool machine, supervisor, allowed_s, allowed_u;
    } kRules[] = {{false, false, false, false},
                  {false, true, false, false},
                  {true, false, true, false},
                  {true, true, true, true}};
    for (const auto& rule : kRules) {
        WRITE_CSR(mcounteren, rule.machine ? bit : 0xFFFF'FFFF & ~bit);
        WRITE_CSR(scounteren, rule.supervisor ? bit : 0xFFFF'FFFF & ~bit);
        run_at(Supervisor, read);
        if (rule.allowed_s) {
            CHECK_NO_TRAP();
        } else {
            CHECK_CAUSE(Machine, Illegal);
        }
        run_at(User, read);
        if (rule.allowed_u) {
            CHECK_NO_TRAP();
        } else {
            CHECK_CAUSE(Machine, Illegal);
        }
    }
}

void check_inhibit() {
    WRITE_CSR(mcountinhibit, kCycleBit | kInstretBit);
    const u64 cycle = READ_CSR(mcycle);
    const u64 instret = READ_CSR(minstret);
    asm volatile("nop\nnop\nnop");
    CHECK_EQ(READ_CSR(mcycle), cycle);
    CHECK_EQ(READ_CSR(minstret), instret);
    WRITE_CSR(mcountinhibit, ~u64{0});
    CHECK_EQ(READ_CSR(mcountinhibit) & kTimeBit, 0); // time cannot be stopped
    WRITE_CSR(mcountinhibit, 0);
}

/// minstret counts every instruction that retires, and none that traps.
void check_instret() {
    u64 before = 0, after = 0;
    asm volatile("csrr %0, minstret\n nop\n nop\n nop\n csrr %1, minstret"
                 : "=&r"(before), "=&r"(after));
    CHECK_EQ(after - before, 4);
    // A write wins over the increment of the instruction that writes.
    asm volatile("csrw minstret, %1\n csrr %0, minstret" : "=r"(after) : "r"(u64{1000}));
    CHECK_EQ(after, 1000);
    asm volatile("csrw minstret, %1\n nop\n csrr %0, minstret" : "=r"(after) : "r"(u64{1000}));
    CHECK_EQ(after, 1001);
    asm volatile("csrw mcycle, %1\n nop\n csrr %0, mcycle" : "=r"(after) : "r"(u64{1} << 40));
    CHECK_EQ(after > u64{1} << 40 && after < (u64{1} << 40) + 1000, 1);
}

/// The user-level numbers are read-only shadows.
void check_shadows() {
    asm volatile("csrw cycle, zero");
    CHECK_CAUSE(Machine, Illegal);
    asm volatile("csrs instret, %0" ::"r"(1));
    CHECK_CAUSE(Machine, Illegal);
    WRITE_CSR(mcountinhibit, ~u64{0});
    WRITE_CSR(mhpmcounter3, 0x1234'5678'9ABC'DEF0);
    CHECK_EQ(READ_CSR(hpmcounter3), 0x1234'5678'9ABC'DEF0);
    WRITE_CSR(mcountinhibit, 0);
    CHECK_NO_TRAP();
}

} // namespace

int main() {
    check_enables(kCycleBit, read_cycle);
    check_enables(kInstretBit, read_instret);
    check_enables(kThirdBit, read_third);
    check_enables(kTimeBit, read_time);
    check_inhibit();
    check_instret();
    check_shadows();
    return failures;
}

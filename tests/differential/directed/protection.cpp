// SPDX-License-Identifier: Apache-2.0
// Physical memory protection: OFF, TOR, NA4, NAPOT, order, partial matches, locks.
#include "directed.h"

namespace {

constexpr u64 kR = 1, kW = 2, kX = 4, kTor = 1 << 3, kNa4 = 2 << 3, kNapot = 3 << 3, kLock = 1 << 7;
constexpr u64 kOpen = u64{0x1F} << 56; ///< entry 7, from crt0.S

alignas(4096) u64 area[512];
u64 probe;

constexpr u64 napot(u64 base, u64 size) {
    return base >> 2 | (size / 8 - 1);
}
void configure(u64 entries) {
    WRITE_CSR(pmpcfg0, kOpen | entries);
}

u64 target; ///< of the probes
void load_word() {
    probe = PROBE("lw t0, 0(%1)", "r"(target));
}
void load_double() {
    probe = PROBE("ld t0, 0(%1)", "r"(target));
}
void store_word() {
    probe = PROBE("sw t0, 0(%1)", "r"(target));
}
void amo_word() {
    probe = PROBE("amoadd.w t0, t0, (%1)", "r"(target));
}

void expect_allowed(unsigned line, u64 address, void (*action)()) {
    target = address;
    run_at(Supervisor, action);
    check_no_trap(line);
    run_at(User, action);
    check_no_trap(line);
}
void expect_denied(unsigned line, u64 address, void (*action)(), u64 cause) {
    target = address;
    run_at(Supervisor, action);
    check_trap(line, Machine, cause, probe, address);
    run_at(User, action);
    check_trap(line, Machine, cause, probe, address);
}
#define ALLOWED(address, action) expect_allowed(__LINE__, address, action)
#define DENIED(address, action, cause) expect_denied(__LINE__, address, action, cause)

void check_permissions(u64 base) {
    WRITE_CSR(pmpaddr0, napot(base + 64, 64));
    configure(kNapot | kR);
    ALLOWED(base + 64, load_word);
    DENIED(base + 64, store_word, StoreAccess);
    DENIED(base + 124, amo_word, StoreAccess);
    ALLOWED(base + 60, store_word); // the neighbours belong to entry 7
    ALLOWED(base + 128, store_word);
    configure(kNapot | kR | kW);
    ALLOWED(base + 64, store_word);
    ALLOWED(base + 64, amo_word);
    configure(kNapot);
    DENIED(base + 64, load_word, LoadAccess);
    configure(0); // OFF
    ALLOWED(base + 64, store_word);
}

void check_fetch(u64 base) {
    word_at(base + 256) = 0x8082'8082; // ret; ret
    asm volatile("fence.i");
    WRITE_CSR(pmpaddr0, napot(base + 256, 8));
    static u64 entry_point;
    entry_point = base + 256;
    static const auto jump = [] {
        asm volatile("lla t0, 1f\n lla t1, last_trap\n sd t0, 48(t1)\n jalr ra, 0(%0)\n1:\n"
                     "lla t1, last_trap\n sd zero, 48(t1)" ::"r"(entry_point)
                     : "t0", "t1", "ra", "memory");
    };
    configure(kNapot | kX);
    run_at(User, [] { jump(); });
    CHECK_NO_TRAP();
    configure(kNapot | kR | kW);
    run_at(User, [] { jump(); });
    CHECK_TRAP(Machine, FetchAccess, entry_point, entry_point);
}

void check_ranges(u64 base) {
    WRITE_CSR(pmpaddr0, (base + 16) >> 2);
    WRITE_CSR(pmpaddr1, (base + 32) >> 2);
    configure(kTor << 8); // entry 0 is OFF but still the lower bound
    ALLOWED(base + 12, load_word);
    DENIED(base + 16, load_word, LoadAccess);
    DENIED(base + 28, store_word, StoreAccess);
    ALLOWED(base + 32, load_word);
    WRITE_CSR(pmpaddr0, (base + 48) >> 2); // lower bound above the upper one: matches nothing
    ALLOWED(base + 16, load_word);
    configure(kNa4);
    WRITE_CSR(pmpaddr0, (base + 20) >> 2);
    ALLOWED(base + 16, load_word);
    DENIED(base + 20, load_word, LoadAccess);
    ALLOWED(base + 24, load_word);
}

/// The lowest entry that matches any byte decides, and must match them all.
void check_order(u64 base) {
    WRITE_CSR(pmpaddr0, (base + 20) >> 2);
    WRITE_CSR(pmpaddr1, napot(base, 64));
    configure((kNapot << 8) | kNa4 | kR | kW);
    ALLOWED(base + 20, store_word);
    DENIED(base + 16, load_word, LoadAccess);
    configure(((kNapot | kR | kW) << 8) | kNa4 | kR | kW);
    DENIED(base + 16, load_double, LoadAccess); // half of it matches entry 0
    ALLOWED(base + 24, load_double);
}

/// Locked entries bind M mode as well, and their registers no longer change.
void check_lock(u64 base) {
    configure(0);
    WRITE_CSR(pmpaddr2, (base + 1024) >> 2);
    WRITE_CSR(pmpaddr3, (base + 1032) >> 2);
    target = base + 1024;
    store_word();
    CHECK_NO_TRAP();
    configure((kLock | kTor | kR) << 24);
    load_word();
    CHECK_NO_TRAP();
    store_word();
    CHECK_TRAP(Machine, StoreAccess, probe, base + 1024);
    WRITE_CSR(pmpaddr3, 0);
    CHECK_EQ(READ_CSR(pmpaddr3), (base + 1032) >> 2);
    WRITE_CSR(pmpaddr2, 0); // the lower bound of a locked TOR entry is locked too
    CHECK_EQ(READ_CSR(pmpaddr2), (base + 1024) >> 2);
    configure(0);
    CHECK_EQ(READ_CSR(pmpcfg0) >> 24 & 0xFF, kLock | kTor | kR);
    store_word();
    CHECK_TRAP(Machine, StoreAccess, probe, base + 1024);
}

} // namespace

int main() {
    const u64 base = u64(area);
    check_permissions(base);
    check_fetch(base);
    check_ranges(base);
    check_order(base);
    check_lock(base);
    return failures;
}

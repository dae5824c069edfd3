// SPDX-License-Identifier: Apache-2.0
// Sv39: permissions, A and D, superpages, malformed entries, addresses, faults of page-crossing
// instructions. A and D are never set by the hart: the access raises a page fault, as on CVA6.
#include "page_tables.h"

namespace {

constexpr u64 kMega = u64{1} << 21;

void map_test_page(u64 flags) {
    leaf[0] = entry(u64(pages[0]), flags);
    fence();
}

/// Runs an access in a mode with the test page's flags, and checks what came of it.
void expect_fault(unsigned line, Mode mode, Action action, u64 cause, u64 tval) {
    map_program(mode);
    run_at(mode, action);
    check_trap(line, Machine, cause, cause == FetchPage ? last_trap.epc : probe, tval);
}
void expect_success(unsigned line, Mode mode, Action action) {
    map_program(mode);
    run_at(mode, action);
    check_no_trap(line);
}
#define EXPECT_FAULT(mode, action, cause, tval) expect_fault(__LINE__, mode, action, cause, tval)
#define EXPECT_SUCCESS(mode, action) expect_success(__LINE__, mode, action)

void float_load() {
    probe = PROBE("flw ft0, 8(%1)", "r"(kTest));
}
/// Jumps to the page's start, where a `ret` stands.
void fetch() {
    asm volatile("lla t0, 1f\n lla t1, last_trap\n sd t0, 48(t1)\n jalr ra, 0(%0)\n1:\n"
                 "lla t1, last_trap\n sd zero, 48(t1)" ::"r"(kTest)
                 : "t0", "t1", "ra", "memory");
}

void check_permissions() {
    map_test_page(kV | kR | kA);
    EXPECT_SUCCESS(Supervisor, load);
    EXPECT_SUCCESS(Supervisor, float_load);
    EXPECT_SUCCESS(Supervisor, load_reserved);
    EXPECT_FAULT(Supervisor, store, StorePage, kTest + 8);
    EXPECT_FAULT(Supervisor, amo, StorePage, kTest + 8);
    EXPECT_FAULT(Supervisor, fetch, FetchPage, kTest);
    EXPECT_FAULT(User, load, LoadPage, kTest + 8);
    EXPECT_FAULT(User, float_load, LoadPage, kTest + 8);
    map_test_page(kV | kX | kA);
    EXPECT_SUCCESS(Supervisor, fetch);
    EXPECT_FAULT(Supervisor, load, LoadPage, kTest + 8);
    EXPECT_FAULT(Supervisor, load_reserved, LoadPage, kTest + 8);
    SET_CSR(mstatus, kMxr); // executable counts as readable
    EXPECT_SUCCESS(Supervisor, load);
    CLEAR_CSR(mstatus, kMxr);
    map_test_page(kAll | kU);
    EXPECT_SUCCESS(User, load);
    EXPECT_SUCCESS(User, store);
    EXPECT_SUCCESS(User, fetch);
    EXPECT_FAULT(Supervisor, load, LoadPage, kTest + 8);
    EXPECT_FAULT(Supervisor, store, StorePage, kTest + 8);
    SET_CSR(mstatus, kSum); // lets S mode reach U pages, but never run them
    EXPECT_SUCCESS(Supervisor, load);
    EXPECT_SUCCESS(Supervisor, store);
    EXPECT_FAULT(Supervisor, fetch, FetchPage, kTest);
    CLEAR_CSR(mstatus, kSum);
}

void check_accessed_and_dirty() {
    map_test_page(kAll & ~kA & ~kD);
    EXPECT_FAULT(Supervisor, load, LoadPage, kTest + 8);
    EXPECT_FAULT(Supervisor, store, StorePage, kTest + 8);
    EXPECT_FAULT(Supervisor, fetch, FetchPage, kTest);
    map_test_page(kAll & ~kD);
    EXPECT_SUCCESS(Supervisor, load);
    EXPECT_SUCCESS(Supervisor, fetch);
    EXPECT_FAULT(Supervisor, store, StorePage, kTest + 8);
    EXPECT_FAULT(Supervisor, amo, StorePage, kTest + 8);
    CHECK_EQ(leaf[0], entry(u64(pages[0]), kAll & ~kD)); // memory is untouched
    map_test_page(kAll);
    EXPECT_SUCCESS(Supervisor, store);
}

void check_malformed_entries() {
    constexpr u64 kBad[] = {0, kR | kW | kA | kD, kV | kW | kA | kD, kV | kW | kX | kA | kD, kV};
    for (const u64 flags : kBad) { // the last: a pointer on the last level
        map_test_page(flags);
        EXPECT_FAULT(Supervisor, load, LoadPage, kTest + 8);
        EXPECT_FAULT(Supervisor, store, StorePage, kTest + 8);
        EXPECT_FAULT(Supervisor, fetch, FetchPage, kTest);
    }
    for (unsigned bit = 54; bit < 64; ++bit) { // reserved, without Svnapot and Svpbmt
        leaf[0] = entry(u64(pages[0]), kAll) | u64{1} << bit;
        fence();
        EXPECT_FAULT(Supervisor, load, LoadPage, kTest + 8);
    }
    map_test_page(kAll);
}

void check_superpages() {
    const u64 pointer = middle[0];
    const u64 offset = u64(pages[0]) - kDram;
    middle[0] = entry(kDram, kAll);
    fence();
    pages[0][1] = 0x77;
    map_program(Supervisor);
    static u64 address, value;
    address = kTest + offset + 8;
    run_at(Supervisor, [] { value = double_at(address); });
    CHECK_NO_TRAP();
    CHECK_EQ(value, 0x77);
    middle[0] = entry(kDram + kPage, kAll); // not aligned to its size
    fence();
    EXPECT_FAULT(Supervisor, load, LoadPage, kTest + 8);
    middle[0] = pointer;
    const u64 root_pointer = root[4];
    root[4] = entry(kDram + kMega, kAll);
    fence();
    EXPECT_FAULT(Supervisor, store, StorePage, kTest + 8);
    root[4] = root_pointer;
    fence();
}

/// An entry that cannot be read is an access fault of the kind of the access.
void check_walk_access_fault() {
    const u64 pointer = middle[0];
    middle[0] = entry(kHole, kV);
    fence();
    EXPECT_FAULT(Supervisor, load, LoadAccess, kTest + 8);
    EXPECT_FAULT(Supervisor, store, StoreAccess, kTest + 8);
    EXPECT_FAULT(Supervisor, amo, StoreAccess, kTest + 8);
    middle[0] = pointer;
    leaf[0] = entry(kHole, kAll); // mapped, but nothing is there
    fence();
    EXPECT_FAULT(Supervisor, load, LoadAccess, kTest + 8);
    map_test_page(kAll);
}

/// Bits 63..39 must equal bit 38.
void check_addresses() {
    map_program(Supervisor);
    run_at(Supervisor, [] { probe = PROBE("ld t0, 0(%1)", "r"(kTest | u64{1} << 39)); });
    CHECK_TRAP(Machine, LoadPage, probe, kTest | u64{1} << 39);
    run_at(Supervisor, [] { probe = PROBE("sd t0, 0(%1)", "r"(kTest | u64{1} << 63)); });
    CHECK_TRAP(Machine, StorePage, probe, kTest | u64{1} << 63);
    root[511] = root[4];
    fence();
    static u64 value;
    pages[0][0] = 0x8082; // ret
    run_at(Supervisor, [] { value = double_at(~u64{0} << 30); });
    CHECK_NO_TRAP();
    CHECK_EQ(value, 0x8082);
}

/// M mode translates only with MPRV, and fetches never.
void check_modified_privilege() {
    map_test_page(kAll | kU);
    pages[0][1] = 0x99;
    CLEAR_CSR(mstatus, kMpp);
    u64 value = 0;
    asm volatile("csrs mstatus, %1\n ld %0, 8(%2)\n csrc mstatus, %1"
                 : "=&r"(value)
                 : "r"(kMprv), "r"(kTest)
                 : "memory");
    CHECK_NO_TRAP();
    CHECK_EQ(value, 0x99);
    CLEAR_CSR(mstatus, kMpp);
    SET_CSR(mstatus, u64{Supervisor} << 11); // S without SUM
    asm volatile("csrs mstatus, %1\n ld %0, 8(%2)\n csrc mstatus, %1"
                 : "=&r"(value)
                 : "r"(kMprv), "r"(kTest)
                 : "memory");
    CHECK_CAUSE(Machine, LoadPage);
    CHECK_EQ(last_trap.tval, kTest + 8);
    // The trap left MPP = U: the next access has other rights, without any fence.
    u64 first = 0;
    u64 second = 0;
    CLEAR_CSR(mstatus, kMpp);
    SET_CSR(mstatus, u64{Supervisor} << 11 | kSum);
    asm volatile("csrs mstatus, %2\n ld %0, 8(%3)\n ebreak\n ld %1, 8(%3)\n csrc mstatus, %2"
                 : "=&r"(first), "=&r"(second)
                 : "r"(kMprv), "r"(kTest)
                 : "memory");
    CHECK_CAUSE(Machine, Breakpoint);
    CHECK_EQ(first, 0x99);
    CHECK_EQ(second, 0x99);
    map_test_page(kAll);
    CLEAR_CSR(mstatus, kMpp);
    SET_CSR(mstatus, u64{Supervisor} << 11);
    asm volatile("csrs mstatus, %1\n ld %0, 8(%2)\n ebreak\n ld %0, 8(%2)\n csrc mstatus, %1"
                 : "=&r"(first)
                 : "r"(kMprv), "r"(kTest)
                 : "memory");
    CHECK_EQ(last_trap.count, traps_seen + 2); // the breakpoint and the second load
    CHECK_EQ(last_trap.cause, LoadPage);
    traps_seen = last_trap.count;
    CLEAR_CSR(mstatus, kSum);
}

/// A 32-bit instruction whose second half lies in a page that faults: epc is the instruction, tval
/// the half that could not be fetched.
void check_crossing_fetch() {
    auto* const half = reinterpret_cast<volatile uint16_t*>(pages);
    half[2047] = 0x0513; // addi a0, a0, 1: low half
    half[2048] = 0x0015; // high half
    half[2049] = 0x8082; // ret
    leaf[1] = entry(u64(pages[1]), kAll);
    fence();
    asm volatile("fence.i");
    static u64 result;
    static const auto jump = [] {
        u64 value = 41;
        asm volatile("mv a0, %0\n lla t0, 1f\n lla t1, last_trap\n sd t0, 48(t1)\n"
                     " jalr ra, 0(%1)\n1:\n lla t1, last_trap\n sd zero, 48(t1)\n mv %0, a0"
                     : "+r"(value)
                     : "r"(kTest + kPage - 2)
                     : "a0", "t0", "t1", "ra", "memory");
        result = value;
    };
    map_program(Supervisor);
    run_at(Supervisor, [] { jump(); });
    CHECK_NO_TRAP();
    CHECK_EQ(result, 42);
    leaf[1] = 0;
    fence();
    run_at(Supervisor, [] { jump(); });
    CHECK_TRAP(Machine, FetchPage, kTest + kPage - 2, kTest + kPage);
    CHECK_EQ(result, 41);
}

/// sfence.vma orders: after it, the new entry counts.
void check_fence() {
    map_test_page(kAll);
    EXPECT_SUCCESS(Supervisor, store);
    map_test_page(kAll & ~kW & ~kD);
    EXPECT_FAULT(Supervisor, store, StorePage, kTest + 8);
    leaf[0] = entry(u64(pages[1]), kAll);
    pages[1][1] = 0x42;
    static u64 value;
    asm volatile("sfence.vma %0, zero" ::"r"(kTest) : "memory"); // one address
    run_at(Supervisor, [] { value = double_at(kTest + 8); });
    CHECK_EQ(value, 0x42);
    map_test_page(kAll);
}

} // namespace

int main() {
    pages[0][0] = 0x8082; // ret
    asm volatile("fence.i");
    root[4] = entry(u64(middle), kV);
    root[0] = 0;
    middle[0] = entry(u64(leaf), kV);
    map_test_page(kAll);
    WRITE_CSR(satp, u64{8} << 60 | u64(root) >> 12);
    fence();
    check_permissions();
    check_accessed_and_dirty();
    check_malformed_entries();
    check_superpages();
    check_walk_access_fault();
    check_addresses();
    check_modified_privilege();
    check_crossing_fetch();
    check_fence();
    return failures;
}

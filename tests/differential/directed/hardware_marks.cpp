// SPDX-License-Identifier: Apache-2.0
// Svadu: page-table entries whose A and D the hart sets. With ADUE = 1 this holds on QEMU 7.2 too,
// which does not know the extension and always sets them; checks of the field itself are left out
// there.
#include "page_tables.h"

namespace {

constexpr u64 kAdue = u64{1} << 61;
constexpr u64 kClean = kV | kR | kW | kX;

u64 flags_of(const u64& pte) {
    return *const_cast<const volatile u64*>(&pte) & 0xFF;
}

void load_and_store() {
    load();
    store();
}
void fetch() {
    probe = kTest;
    asm volatile("jalr %0" ::"r"(kTest) : "ra", "memory");
}

struct Access {
    Action action;
    u64 sets;
};
constexpr Access kAccesses[] = {{load, kA},  {store, kA | kD},          {amo, kA | kD},
                                {fetch, kA}, {load_and_store, kA | kD}, {load_reserved, kA}};

void check_bits(Mode mode) {
    constexpr u64 kHeld[] = {0, kA, kD, kA | kD};
    const u64 user = mode == User ? kU : 0;
    map_program(mode);
    for (const Access& access : kAccesses) {
        for (const u64 held : kHeld) {
            leaf[0] = entry(u64(pages[0]), kClean | user | held);
            fence();
            run_at(mode, access.action);
            CHECK_NO_TRAP();
            CHECK_EQ(flags_of(leaf[0]), kClean | user | held | access.sets);
            CHECK_EQ(leaf[0] >> 10, u64(pages[0]) >> 12);
        }
    }
}

void check_superpages() {
    map_program(Supervisor);
    middle[0] = entry(kDram, kClean);
    fence();
    run_at(Supervisor, load);
    CHECK_NO_TRAP();
    CHECK_EQ(flags_of(middle[0]), kClean | kA);
    middle[0] = entry(u64(leaf), kV);
    CHECK_EQ(flags_of(root[4]), kV); // pointers are left alone
}

void check_refusals() {
    const struct {
        Action action;
        u64 flags, cause;
    } kCases[] = {{store, kV | kR | kX, StorePage},
                  {load, kV | kX, LoadPage},
                  {load, kClean | kU, LoadPage},
                  {store, kClean | kU, StorePage},
                  {amo, kV | kR, StorePage}};
    map_program(Supervisor);
    for (const auto& one : kCases) {
        leaf[0] = entry(u64(pages[0]), one.flags);
        fence();
        run_at(Supervisor, one.action);
        CHECK_TRAP(Machine, one.cause, probe, kTest + 8);
        CHECK_EQ(flags_of(leaf[0]) & ~kA, one.flags); // A may be set ahead, D must not
    }
    // A page that has been read, and is read-only in memory by now: D stays clear.
    leaf[0] = entry(u64(pages[0]), kClean);
    fence();
    run_at(Supervisor, load);
    CHECK_NO_TRAP();
    leaf[0] = entry(u64(pages[0]), kV | kR | kA);
    fence();
    run_at(Supervisor, store);
    CHECK_CAUSE(Machine, StorePage);
    CHECK_EQ(flags_of(leaf[0]), kV | kR | kA);
}

/// Many pages, so that entries leave the TLB and come back.
void check_many_pages() {
    constexpr u64 kPages = 100;
    map_program(Supervisor);
    for (u64 page = 0; page < kPages; ++page) {
        leaf[page] = entry(u64(pages[page & 1]), kClean);
    }
    fence();
    run_at(Supervisor, [] {
        for (u64 round = 0; round < 3; ++round) {
            for (u64 page = 0; page < kPages; ++page) {
                if (page % 3 == round) {
                    double_at(kTest + page * kPage + 16) = page;
                } else if (page % 5 != 0) {
                    const u64 value = double_at(kTest + page * kPage + 16);
                    (void)value;
                }
            }
        }
    });
    CHECK_NO_TRAP();
    for (u64 page = 0; page < kPages; ++page) {
        CHECK_EQ(flags_of(leaf[page]), kClean | kA | kD);
    }
}

void check_enable() {
    WRITE_CSR(menvcfg, kAdue);
    if ((READ_CSR(menvcfg) & kAdue) == 0) {
        return; // QEMU 7.2
    }
    WRITE_CSR(menvcfg, 0);
    map_program(Supervisor);
    leaf[0] = entry(u64(pages[0]), kClean);
    fence();
    run_at(Supervisor, load);
    CHECK_TRAP(Machine, LoadPage, probe, kTest + 8);
    leaf[0] = entry(u64(pages[0]), kClean | kA);
    fence();
    run_at(Supervisor, store);
    CHECK_TRAP(Machine, StorePage, probe, kTest + 8);
    CHECK_EQ(flags_of(leaf[0]), kClean | kA);
    WRITE_CSR(menvcfg, kAdue);
}

} // namespace

int main() {
    pages[0][0] = 0x8082; // c.jr ra
    root[4] = entry(u64(middle), kV);
    middle[0] = entry(u64(leaf), kV);
    WRITE_CSR(satp, u64{8} << 60 | u64(root) >> 12);
    check_enable();
    check_bits(Supervisor);
    check_bits(User);
    check_superpages();
    check_refusals();
    check_many_pages();
    return failures;
}

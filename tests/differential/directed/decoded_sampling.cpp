// SPDX-License-Identifier: Apache-2.0
// Smpdis: a program samples its own loads and branches, one record an interrupt, and checks what it
// can know of them. docs/precise-sampling.md has the registers.
#include "directed.h"

namespace {

// Registers by number: assemblers do not know the names of a draft.
#define MPDISCTL 0x7D0
#define SPDISCOUNTER 0x5D1
#define SPDISEVMASK 0x5D2
#define SPDISEVMATCH 0x5D3
#define SPDISFILTER 0x5D4
#define SCOUNTOVF 0xDA0
#define SISELECT 0x150
#define SIREG 0x151
#define SIREG2 0x152
#define SIREG4 0x155
#define SIREG5 0x156
#define SIREG6 0x157

// Their numbers are put in before the name is made a string.
#define READ(number) READ_CSR(number)
#define WRITE(number, value) WRITE_CSR(number, value)
#define CLEAR(number, value) CLEAR_CSR(number, value)

constexpr u64 kModeM = u64{1} << 62, kOf = u64{1} << 63, kPa = u64{1} << 35;
constexpr u64 kLoads = 1, kTransfers = 4;
constexpr u64 kLcofi = 1 << 13;
constexpr u64 kAddress1Valid = u64{1} << 32, kAddress2Valid = u64{1} << 33;
constexpr u64 kFlushed = u64{1} << 34, kMiss = u64{1} << 44;
constexpr u64 kTaken = u64{1} << 44, kNotTaken = u64{1} << 43;
constexpr u64 kInhibit = 2; ///< bit 1 of mcountinhibit

constexpr u64 kEntries = 16384; ///< more than fit in L1D
u64 table[kEntries];
u64 entry = 0;

/// Loads from one line after the other, with a branch for each.
[[gnu::noinline]] u64 work(u64 steps) {
    u64 sum = 0;
    for (u64 step = 0; step < steps; ++step) {
        entry = (entry + 1) % kEntries;
        sum += *static_cast<volatile u64*>(&table[entry]);
        asm volatile("" : "+r"(sum));
    }
    return sum;
}
[[gnu::noinline]] void behind_work() {
    asm volatile("");
}

bool in_work(u64 address) {
    return address >= reinterpret_cast<u64>(&work) && address < reinterpret_cast<u64>(&behind_work);
}

void set_up(u64 control, u64 period) {
    const u64 initial = (u64{1} << 32) - period;
    WRITE_CSR(mcountinhibit, kInhibit);
    WRITE(MPDISCTL, control);
    WRITE(SPDISCOUNTER, initial << 32 | initial);
    WRITE(SISELECT, 0x60);
    CLEAR_CSR(mip, kLcofi);
}

/// Works until a sample interrupts. False: none does.
bool sample() {
    const u64 before = last_trap.count;
    CLEAR(MPDISCTL, kOf);
    SET_CSR(mie, kLcofi);
    SET_CSR(mstatus, kMie);
    WRITE_CSR(mcountinhibit, 0);
    for (int attempt = 0; attempt < 100 && last_trap.count == before; ++attempt) {
        work(20);
    }
    WRITE_CSR(mcountinhibit, kInhibit);
    CLEAR_CSR(mstatus, kMie);
    CLEAR_CSR(mip, kLcofi);
    if (last_trap.count == before) {
        return false;
    }
    traps_seen = last_trap.count;
    CHECK_EQ(last_trap.cause, kInterrupt | 13);
    CHECK_EQ(READ(SCOUNTOVF) & 2, 2);
    return true;
}

u64 latency(unsigned number) {
    return READ(SIREG4) >> (12 * number) & 0xFFF;
}

void check_latencies() {
    CHECK_EQ(READ(SIREG4) >> 60, 0xF);
    CHECK_EQ(latency(0) >= latency(1) + latency(2) + latency(3), true);
    CHECK_EQ(latency(4) <= latency(0), true);
}

void check_loads() {
    set_up(kModeM | kPa | kLoads, 37);
    unsigned found = 0, missed = 0;
    u64 slowest_hit = 0, fastest_miss = 4095;
    for (int number = 0; number < 60; ++number) {
        CHECK_EQ(sample(), true);
        const u64 header = READ(SIREG);
        CHECK_EQ(header & 7, kLoads);
        if ((header & kFlushed) != 0 || !in_work(READ(SIREG2))) {
            continue;
        }
        ++found;
        check_latencies();
        const u64 address = READ(SIREG5);
        if (address == reinterpret_cast<u64>(&entry)) {
            continue;
        }
        CHECK_EQ(header & (kAddress1Valid | kAddress2Valid), kAddress1Valid | kAddress2Valid);
        CHECK_EQ(address >= u64(table) && address < u64(table + kEntries), true);
        CHECK_EQ(READ(SIREG6), address >> 2);
        const bool miss = (header & kMiss) != 0;
        CHECK_EQ(header >> 46 & 15, miss ? 2 : 1);
        if (miss) {
            ++missed;
            fastest_miss = latency(3) < fastest_miss ? latency(3) : fastest_miss;
        } else if (latency(3) > slowest_hit) {
            slowest_hit = latency(3);
        }
    }
    CHECK_EQ(found > 20, true);
    CHECK_EQ(missed != 0, true);
    CHECK_EQ(fastest_miss > 3, true);
    CHECK_EQ(slowest_hit < fastest_miss, true);
}

/// A filter lets only loads through that miss.
void check_filter() {
    WRITE(SPDISEVMASK, kMiss);
    WRITE(SPDISEVMATCH, kMiss);
    set_up(kModeM | kLoads, 13);
    for (int number = 0; number < 10; ++number) {
        CHECK_EQ(sample(), true);
        CHECK_EQ(READ(SIREG) & kMiss, kMiss);
    }
    WRITE(SPDISEVMASK, 0);
    WRITE(SPDISFILTER, 10); // total latency of 10 cycles or more
    set_up(kModeM, 11);
    for (int number = 0; number < 10; ++number) {
        CHECK_EQ(sample(), true);
        CHECK_EQ(latency(0) >= 10, true);
    }
    WRITE(SPDISFILTER, 0);
}

void check_branches() {
    set_up(kModeM | kTransfers, 7);
    unsigned taken = 0;
    for (int number = 0; number < 30; ++number) {
        CHECK_EQ(sample(), true);
        const u64 header = READ(SIREG);
        CHECK_EQ(header & 7, kTransfers);
        if ((header & kFlushed) != 0 || !in_work(READ(SIREG2))) {
            continue;
        }
        if ((header & kTaken) != 0) {
            ++taken;
            CHECK_EQ(header & kNotTaken, 0);
            CHECK_EQ(in_work(READ(SIREG5)), true);
        }
    }
    CHECK_EQ(taken > 5, true);
}

} // namespace

int main() {
    check_loads();
    check_filter();
    check_branches();
    behind_work();
    return failures;
}

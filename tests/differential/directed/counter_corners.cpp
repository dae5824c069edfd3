// SPDX-License-Identifier: Apache-2.0
// What programs seldom do with the programmable counters: count past every carry, write on the
// cycle of an event, stop one of several, write registers that are absent. In lockstep with RTL it
// brings a counter block there; by itself it checks what the specification says of the values.
#include "directed.h"

namespace {

constexpr unsigned kFirst = 3, kLimit = 32;
constexpr u64 kInteger = 20; // selector: an integer instruction retired
constexpr u64 kSelectors = 23;
constexpr u64 kAll = ~u64{0};

template <unsigned Csr>
u64 read() {
    u64 value;
    asm volatile("csrr %0, %1" : "=r"(value) : "i"(Csr) : "memory");
    return value;
}
template <unsigned Csr>
void write(u64 value) {
    asm volatile("csrw %0, %1" ::"i"(Csr), "r"(value) : "memory");
}
/// Nothing retires in between.
template <unsigned Csr>
u64 write_and_read(u64 value) {
    u64 seen;
    asm volatile("csrw %1, %2\n csrr %0, %1" : "=r"(seen) : "i"(Csr), "r"(value) : "memory");
    return seen;
}

/// A counter by its index: CSR numbers are part of the instruction.
struct Counter {
    u64 (*read)();
    void (*write)(u64);
    u64 (*write_and_read)(u64);
    u64 (*read_event)();
    void (*write_event)(u64);
};

template <unsigned Index>
constexpr Counter counter_at() {
    return {read<0xB00 + Index>, write<0xB00 + Index>, write_and_read<0xB00 + Index>,
            read<0x320 + Index>, write<0x320 + Index>};
}

template <unsigned... Offset>
struct Table {
    static constexpr Counter counters[] = {counter_at<kFirst + Offset>()...};
};
const auto& counters = Table<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                             20, 21, 22, 23, 24, 25, 26, 27, 28>::counters;
const Counter& counter(unsigned index) {
    return counters[index - kFirst];
}

unsigned end = kFirst; ///< one past the last counter that exists
u64 largest = 0;       ///< value of a counter

void find_shape() {
    WRITE_CSR(mcountinhibit, kAll);
    while (end < kLimit) {
        counter(end).write(kAll);
        const u64 value = counter(end).read();
        if (value == 0) {
            break;
        }
        largest = value;
        ++end;
    }
}

/// Twelve, of which two may retire together and count once.
[[gnu::always_inline]] inline void integers() {
    asm volatile("addi t0, zero, 1\n addi t1, zero, 2\n addi t2, zero, 3\n addi t0, t1, 4\n"
                 "addi t0, zero, 1\n addi t1, zero, 2\n addi t2, zero, 3\n addi t0, t1, 4\n"
                 "addi t0, zero, 1\n addi t1, zero, 2\n addi t2, zero, 3\n addi t0, t1, 4\n" ::
                     : "t0", "t1", "t2");
}

void select_all(u64 selector) {
    for (unsigned index = kFirst; index < end; ++index) {
        counter(index).write_event(selector);
    }
}

/// From just below a carry to just above it, at every place.
void check_carries() {
    select_all(kInteger);
    for (unsigned index = kFirst; index < end; ++index) {
        for (unsigned bit = 4; bit < 64 && (u64{1} << bit) <= largest; ++bit) {
            const u64 begin = (u64{1} << bit) - 3;
            counter(index).write(begin);
            WRITE_CSR(mcountinhibit, 0);
            integers();
            WRITE_CSR(mcountinhibit, kAll);
            const u64 counted = counter(index).read() - begin;
            CHECK_EQ(counted >= 6 && counted <= 40, true);
        }
        counter(index).write(largest - 2); // the wrap
        WRITE_CSR(mcountinhibit, 0);
        integers();
        WRITE_CSR(mcountinhibit, kAll);
        CHECK_EQ(counter(index).read() < 40, true);
    }
}

/// Far past 2^32, and all counters together.
void check_long_way() {
    constexpr u64 kBegin = 0xFFFF'FF00;
    constexpr unsigned kRounds = 100;
    for (unsigned index = kFirst; index < end; ++index) {
        counter(index).write(kBegin + index);
    }
    WRITE_CSR(minstret, kBegin);
    WRITE_CSR(mcycle, kBegin);
    WRITE_CSR(mcountinhibit, 0);
    for (unsigned round = 0; round < kRounds; ++round) {
        integers();
    }
    WRITE_CSR(mcountinhibit, kAll);
    const u64 counted = counter(kFirst).read() - kBegin - kFirst;
    CHECK_EQ(counted >= 6 * kRounds && counted <= 20 * kRounds, true);
    for (unsigned index = kFirst; index < end; ++index) {
        CHECK_EQ(counter(index).read() - kBegin - index, counted);
    }
    CHECK_EQ(READ_CSR(minstret) - kBegin >= 12 * kRounds, true);
    CHECK_EQ(READ_CSR(mcycle) > u64{1} << 32, true);
}

/// Every event, written in every distance to what comes before: some writes meet a pulse. A write
/// wins, so that at most what pulses between write and read is added.
void check_writes() {
    WRITE_CSR(mcountinhibit, 0);
    for (u64 selector = 0; selector < kSelectors; ++selector) {
        select_all(selector);
        for (unsigned index = kFirst; index < end; ++index) {
            const Counter& one = counter(index);
            volatile u64 memory = selector;
            for (unsigned distance = 0; distance < 6; ++distance) {
                for (unsigned wait = 0; wait < distance; ++wait) {
                    memory = memory + 1;
                }
                const u64 value = u64{0x1000'0000} * (index + distance);
                const u64 seen = one.write_and_read(value);
                CHECK_EQ(seen >= value && seen - value < 16, true);
            }
            one.write_event(kSelectors - 1 - selector); // the selector, likewise
            CHECK_EQ(one.read_event() & 31, kSelectors - 1 - selector);
        }
    }
}

/// One counter stands still and the others count, and the other way round.
void check_inhibits() {
    select_all(kInteger);
    for (unsigned index = kFirst; index < end; ++index) {
        const u64 bits[] = {u64{1} << index, ~(u64{1} << index)};
        for (const u64 inhibit : bits) {
            WRITE_CSR(mcountinhibit, kAll);
            for (unsigned other = kFirst; other < end; ++other) {
                counter(other).write(1000);
            }
            WRITE_CSR(mcountinhibit, inhibit);
            integers();
            WRITE_CSR(mcountinhibit, kAll);
            for (unsigned other = kFirst; other < end; ++other) {
                const bool stands = (inhibit >> other & 1) != 0;
                CHECK_EQ(counter(other).read() == 1000, stands);
            }
        }
    }
}

/// They read 0 and drop writes, without a trap.
void check_absent() {
    WRITE_CSR(mcountinhibit, 0);
    for (unsigned index = end; index < kLimit; ++index) {
        counter(index).write(kAll);
        counter(index).write_event(kInteger);
        integers();
        CHECK_EQ(counter(index).read(), 0);
        CHECK_EQ(counter(index).read_event(), 0);
        CHECK_EQ(READ_CSR(mcountinhibit), 0);
    }
    WRITE_CSR(mcountinhibit, kAll);
    CHECK_EQ(READ_CSR(mcountinhibit), ((u64{1} << end) - 1) & ~u64{2});
    CHECK_NO_TRAP();
}

} // namespace

int main() {
    find_shape();
    CHECK_EQ(end > kFirst, true);
    check_carries();
    check_long_way();
    check_writes();
    check_inhibits();
    check_absent();
    return failures;
}

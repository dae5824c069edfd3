// SPDX-License-Identifier: Apache-2.0
// LR and SC: what must succeed, what must fail, and what they leave in registers and memory.
#include "directed.h"

namespace {

alignas(64) u64 data[32];

u64 store_conditional(u64* address, u64 value) {
    u64 result = 7;
    asm volatile("sc.d %0, %2, (%1)" : "=&r"(result) : "r"(address), "r"(value) : "memory");
    return result;
}
u64 reserve(u64* address) {
    u64 value = 0;
    asm volatile("lr.d %0, (%1)" : "=&r"(value) : "r"(address) : "memory");
    return value;
}

void check_pairs() {
    data[0] = 5;
    u64 value = 0, result = 9;
    asm volatile("lr.d %0, (%2)\n addi %0, %0, 1\n sc.d %1, %0, (%2)"
                 : "=&r"(value), "=&r"(result)
                 : "r"(data)
                 : "memory");
    CHECK_EQ(result, 0);
    CHECK_EQ(data[0], 6);
    CHECK_EQ(store_conditional(data, 8) != 0, 1); // the reservation is used up
    CHECK_EQ(data[0], 6);
    reserve(data);
    CHECK_EQ(store_conditional(data + 16, 8) != 0, 1); // outside the reservation set
    CHECK_EQ(data[16], 0);
    CHECK_EQ(store_conditional(data, 8) != 0, 1); // a failed SC ends the reservation as well
    CHECK_EQ(data[0], 6);
    reserve(data + 16);
    reserve(data); // only the last one counts
    CHECK_EQ(store_conditional(data + 16, 8) != 0, 1);
}

void check_words() {
    data[0] = 0xFFFF'FFFF'8000'0000;
    u64 value = 0, result = 9;
    asm volatile("lr.w.aq %0, (%2)\n sc.w.rl %1, zero, (%2)"
                 : "=&r"(value), "=&r"(result)
                 : "r"(data)
                 : "memory");
    CHECK_EQ(value, 0xFFFF'FFFF'8000'0000); // sign-extended
    CHECK_EQ(result, 0);
    CHECK_EQ(data[0], 0xFFFF'FFFF'0000'0000); // the other word is untouched
}

/// The destination of AMOs is the old value, words sign-extended; minima respect the sign.
void check_amo() {
    data[0] = 0x0000'0001'FFFF'FFFF;
    u64 old = 0;
    asm volatile("amoadd.w %0, %2, (%1)" : "=&r"(old) : "r"(data), "r"(u64{1}) : "memory");
    CHECK_EQ(old, ~u64{0});
    CHECK_EQ(data[0], 0x0000'0001'0000'0000);
    data[0] = ~u64{0};
    asm volatile("amomin.d %0, %2, (%1)" : "=&r"(old) : "r"(data), "r"(u64{1}) : "memory");
    CHECK_EQ(data[0], ~u64{0});
    asm volatile("amominu.d %0, %2, (%1)" : "=&r"(old) : "r"(data), "r"(u64{1}) : "memory");
    CHECK_EQ(data[0], 1);
    asm volatile("amomaxu.w %0, %2, (%1)"
                 : "=&r"(old)
                 : "r"(data), "r"(u64{0x8000'0000})
                 : "memory");
    CHECK_EQ(data[0], 0x8000'0000);
    asm volatile("amomax.w %0, %2, (%1)" : "=&r"(old) : "r"(data), "r"(u64{3}) : "memory");
    CHECK_EQ(data[0], 3);
    CHECK_EQ(old, 0xFFFF'FFFF'8000'0000);
}

} // namespace

int main() {
    check_pairs();
    check_words();
    check_amo();
    CHECK_NO_TRAP();
    return failures;
}

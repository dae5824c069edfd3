// SPDX-License-Identifier: Apache-2.0
// fence.i: code written by stores runs after it, within one line, across pages, and repeatedly.
#include "directed.h"

namespace {

alignas(4096) u32 code[2 * 1024];
constexpr u32 kReturn = 0x0000'8067;

constexpr u32 load_immediate(u32 value) {
    return value << 20 | 10 << 7 | 0x13; // addi a0, zero, value
}

u64 call(const u32* entry) {
    asm volatile("fence.i" ::: "memory");
    return reinterpret_cast<u64 (*)()>(reinterpret_cast<uintptr_t>(entry))();
}

} // namespace

int main() {
    code[1] = kReturn;
    for (u32 value = 1; value < 200; ++value) { // the same address, new code every time
        code[0] = load_immediate(value);
        CHECK_EQ(call(code), value);
    }
    for (u32 n = 0; n < 1024; ++n) { // many places, no time to go stale
        code[n] = load_immediate(n);
        code[n + 1] = kReturn;
        CHECK_EQ(call(code + n), n);
    }
    // One instruction across a page boundary: replace its second half only.
    auto* const half = reinterpret_cast<volatile uint16_t*>(code);
    half[2047] = 0x0513;
    half[2049] = 0x8082;
    for (u32 value = 1; value < 5; ++value) {
        half[2048] = uint16_t(value << 4);
        CHECK_EQ(call(reinterpret_cast<const u32*>(u64(code) + 4094)), value);
    }
    // By a store of the other width, and by an AMO.
    code[0] = load_immediate(7);
    code[1] = kReturn;
    CHECK_EQ(call(code), 7);
    asm volatile("amoadd.w zero, %1, (%0)" ::"r"(code), "r"(1U << 20) : "memory");
    CHECK_EQ(call(code), 8);
    asm volatile("sh %1, 2(%0)" ::"r"(code), "r"(9 << 4) : "memory");
    CHECK_EQ(call(code), 9);
    CHECK_NO_TRAP();
    return failures;
}

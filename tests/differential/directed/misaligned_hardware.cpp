// SPDX-License-Identifier: Apache-2.0
// With hart.misaligned_access = true the hart performs misaligned loads and stores; atomics trap
// all the same.
#include "directed.h"

namespace {

alignas(4096) unsigned char bytes[3 * 4096];
u64 probe;

u64 load(u64 address) {
    u64 value = 0;
    asm volatile("ld %0, 0(%1)" : "=r"(value) : "r"(address) : "memory");
    return value;
}

} // namespace

int main() {
    for (unsigned n = 0; n < sizeof bytes; ++n) {
        bytes[n] = static_cast<unsigned char>(n * 7 + 3);
    }
    const u64 base = u64(bytes);
    for (u64 at = 4096 - 9; at < 4096 + 9; ++at) { // every position about a page boundary
        u64 expected = 0;
        for (unsigned n = 0; n < 8; ++n) {
            expected |= u64{static_cast<unsigned char>((at + n) * 7 + 3)} << (8 * n);
        }
        CHECK_EQ(load(base + at), expected);
        asm volatile("sd %0, 0(%1)" ::"r"(~expected), "r"(base + at) : "memory");
        CHECK_EQ(load(base + at), ~expected);
        asm volatile("sd %0, 0(%1)" ::"r"(expected), "r"(base + at) : "memory");
    }
    u64 value = 0;
    asm volatile("lh %0, 1(%1)" : "=r"(value) : "r"(base + 8) : "memory"); // bytes 9 and 10
    CHECK_EQ(value, u64(int64_t(int16_t(bytes[10] << 8 | bytes[9]))));
    CHECK_NO_TRAP();
    probe = PROBE("amoadd.w t0, zero, (%1)", "r"(base + 2));
    CHECK_TRAP(Machine, StoreMisaligned, probe, base + 2);
    probe = PROBE("lr.w t0, (%1)", "r"(base + 2));
    CHECK_TRAP(Machine, LoadMisaligned, probe, base + 2);
    return failures;
}

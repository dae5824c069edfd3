// SPDX-License-Identifier: Apache-2.0
// Sv39 tables of the programs that test translation: an identity gigapage for the program itself,
// and root entry 4 with the pages under test.
#pragma once

#include "directed.h"

namespace {

constexpr u64 kV = 1, kR = 2, kW = 4, kX = 8, kU = 16, kA = 64, kD = 128;
constexpr u64 kPage = 4096;
constexpr u64 kDram = 0x8000'0000;
constexpr u64 kGiga = u64{1} << 30;
constexpr u64 kTest = u64{4} << 30; ///< root entry 4: pages under test
constexpr u64 kAll = kV | kR | kW | kX | kA | kD;

alignas(kPage) u64 root[512], middle[512], leaf[512];
alignas(kPage) u64 pages[2][512];

constexpr u64 entry(u64 physical, u64 flags) {
    return physical >> 12 << 10 | flags;
}
inline void fence() {
    asm volatile("sfence.vma" ::: "memory");
}

/// Identity gigapage for code; U mode may run it only if U is set, S mode only if it is not.
inline void map_program(Mode mode) {
    root[kDram / kGiga] = entry(kDram, kAll | (mode == User ? kU : 0));
    fence();
}

using Action = void (*)();
u64 probe; ///< address of the access that `load` and the others make

inline void load() {
    probe = PROBE("ld t0, 8(%1)", "r"(kTest));
}
inline void store() {
    probe = PROBE("sd t0, 8(%1)", "r"(kTest));
}
inline void amo() {
    probe = PROBE("amoor.d t0, zero, (%1)", "r"(kTest + 8));
}
inline void load_reserved() {
    probe = PROBE("lr.d t0, (%1)", "r"(kTest + 8));
}

} // namespace

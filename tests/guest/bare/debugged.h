// SPDX-License-Identifier: Apache-2.0
// What tests/e2e/gdb.sh finds in debugged.cpp by name.
#pragma once

#include <stdint.h>

inline constexpr uint64_t kRounds = 2000;

extern "C" {
extern uint64_t total;   ///< grows by 3 * round + 1: 1, 5, 12, 22, ...
extern uint64_t turns[]; ///< by hart
extern uint32_t never_read;
__attribute__((noinline)) uint64_t triple(uint64_t value);
__attribute__((noinline)) uint64_t add_triple(uint64_t value);
__attribute__((noinline)) void take_turn(uint64_t hart);
__attribute__((noinline)) void never_called();
}

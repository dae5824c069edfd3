// SPDX-License-Identifier: Apache-2.0
// Calls to the host over HTIF: a block of eight 64-bit words {system call, arguments...}; its
// address is stored to `tohost`, the host replaces word 0 with the result and stores 1 to
// `fromhost`. Only for a program that owns `tohost`: machine mode; one hart at a time.
#pragma once

#include <stdint.h>

namespace pes::host_call {

inline constexpr uint64_t kOpenAt = 56;
inline constexpr uint64_t kClose = 57;
inline constexpr uint64_t kSeek = 62;
inline constexpr uint64_t kRead = 63;
inline constexpr uint64_t kWrite = 64;
inline constexpr int64_t kCurrentDirectory = -100; ///< AT_FDCWD, of kOpenAt

struct Arguments {
    uint64_t word[4] = {};
};

inline constexpr unsigned kForEver = 0;

/// False if nobody answers within so many looks; the result is then not changed. On a machine
/// without HTIF `tohost` is plain memory.
bool call(uint64_t number, const Arguments& arguments, unsigned polls, int64_t& result);

} // namespace pes::host_call

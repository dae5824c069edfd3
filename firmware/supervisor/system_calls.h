// SPDX-License-Identifier: Apache-2.0
// System calls of the supervisor layer: number in a7, arguments in a0.., result in a0. Numbers of
// the RISC-V Linux ABI where Linux has the call. Shared with user programs.
#pragma once

#include <stdint.h>

namespace pes::system_call {

inline constexpr uint64_t kWrite = 64; ///< file, address, length -> bytes or -errno
inline constexpr uint64_t kExit = 93;  ///< code
inline constexpr uint64_t kMmap = 222; ///< address (ignored), length, protection, flags, -1, 0

// The thesis's calls go through with their own numbers: a0 number, a1 value -> 0 or -EINVAL.
inline constexpr uint64_t kThesisEvent = 9;
inline constexpr uint64_t kThesisThreshold = 10;
inline constexpr uint64_t kThesisCounter = 11;
inline constexpr uint64_t kThesisBuffer = 12;

/// kSampling + function of the sampling extension: same arguments; the result is the value, or the
/// negative SBI error. Between hand-over and resume the supervisor leaves the buffer alone.
inline constexpr uint64_t kSampling = 0x1000;

inline constexpr uint64_t kFileConsole = 1;
inline constexpr uint64_t kFileError = 2;
inline constexpr uint64_t kFileSamples = 3;

inline constexpr uint64_t kProtectionRead = 1;
inline constexpr uint64_t kProtectionWrite = 2;
inline constexpr uint64_t kMapPrivate = 0x02;
inline constexpr uint64_t kMapAnonymous = 0x20;

inline constexpr int64_t kIoError = -5;
inline constexpr int64_t kBadFile = -9;
inline constexpr int64_t kNoMemory = -12;
inline constexpr int64_t kBadAddress = -14;
inline constexpr int64_t kInvalid = -22;
inline constexpr int64_t kNoSuchCall = -38;

} // namespace pes::system_call

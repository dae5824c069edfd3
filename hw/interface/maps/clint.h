// SPDX-License-Identifier: Apache-2.0
// CLINT register offsets. Freestanding.
#pragma once

#include <stdint.h>

namespace pes::clint {

inline constexpr uint64_t kMsip = 0x0;        ///< 4 bytes a hart
inline constexpr uint64_t kMtimecmp = 0x4000; ///< 8 bytes a hart
inline constexpr uint64_t kMtime = 0xBFF8;

} // namespace pes::clint

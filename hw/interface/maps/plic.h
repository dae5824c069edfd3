// SPDX-License-Identifier: Apache-2.0
// PLIC register offsets (RISC-V PLIC specification). Freestanding.
#pragma once

#include <stdint.h>

namespace pes::plic {

inline constexpr uint64_t kPriority = 0x0;   ///< + 4 * id
inline constexpr uint64_t kPending = 0x1000; ///< bit n of word n/32 = id n
inline constexpr uint64_t kEnable = 0x2000;  ///< + 0x80 * context
inline constexpr uint64_t kEnableStride = 0x80;
inline constexpr uint64_t kContext = 0x20'0000; ///< + 0x1000 * context
inline constexpr uint64_t kContextStride = 0x1000;
inline constexpr uint64_t kThreshold = 0x0;     ///< in a context
inline constexpr uint64_t kClaimComplete = 0x4; ///< in a context

/// Contexts of hart h: 2 h = machine, 2 h + 1 = supervisor.
inline constexpr unsigned kMachineContext = 0;
inline constexpr unsigned kSupervisorContext = 1;
inline constexpr unsigned kContextsPerHart = 2;

constexpr uint64_t machine_context(uint64_t hart) {
    return kContextsPerHart * hart + kMachineContext;
}
constexpr uint64_t supervisor_context(uint64_t hart) {
    return kContextsPerHart * hart + kSupervisorContext;
}

} // namespace pes::plic

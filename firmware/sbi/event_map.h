// SPDX-License-Identifier: Apache-2.0
// SBI events (SBI 3.0, PMU: event_idx = type 19:16, code 15:0) that the hart can count.
#pragma once

#include "hw/hpm/profile_cva6.h"

#include <stdint.h>

namespace pes {

inline constexpr uint32_t kEventCycles = 0x00001;       ///< counter 0
inline constexpr uint32_t kEventInstructions = 0x00002; ///< counter 2
inline constexpr uint32_t kEventRaw = 0x20000;          ///< event_data 47:0 = mhpmevent
inline constexpr uint32_t kEventRawV2 = 0x30000;        ///< event_data 55:0 = mhpmevent

struct EventMapping {
    uint32_t event;
    uint8_t selector; ///< mhpmevent
};

inline constexpr EventMapping kEventMap[] = {
    {0x00003, 17}, // cache references: cycles with an L1D request, the nearest this core offers
    {0x00004, 2},  // cache misses: L1D read misses
    {0x00005, 9},  // branch instructions: jumps included
    {0x00006, 10}, // branch misses
    {0x00008, 15}, // stalled cycles, frontend: nothing to decode
    {0x00009, 22}, // stalled cycles, backend: read-after-write stalls
    {0x10000, 5},  // L1D read access: loads
    {0x10001, 2},  // L1D read miss
    {0x10002, 6},  // L1D write access: stores
    {0x10008, 16}, // L1I read access: cycles with a fetch request
    {0x10009, 1},  // L1I read miss
    {0x10019, 4},  // DTLB read miss: the core counts read and write misses in one event
    {0x1001B, 4},  // DTLB write miss
    {0x10021, 3},  // ITLB read miss
    {0x10028, 9},  // branch unit read access
    {0x10029, 10}, // branch unit read miss
};

inline constexpr uint64_t kLastSelector = kCva6Profile.event_count - 1;
static_assert(
    [] {
        for (unsigned i = 0; i <= kLastSelector; ++i) {
            if (kCva6Events[i].selector != i) {
                return false;
            }
        }
        return true;
    }(),
    "selectors are 0..n without a hole");

/// A selector that counts something.
constexpr bool selects_event(uint64_t selector) {
    return selector != 0 && selector <= kLastSelector;
}

} // namespace pes

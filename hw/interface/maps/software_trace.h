// SPDX-License-Identifier: Apache-2.0
// Registers of the software trace module, one 4 KiB block a hart. Freestanding.
//
// Open SoC Debug numbers 16-bit registers: 0x0000 to 0x01FF are the same in all modules, a module's
// own begin at 0x0200. Here register r lies at byte 2 r and takes 16-bit accesses.
#pragma once

#include <stdint.h>

namespace pes::software_trace_map {

constexpr uint64_t place_of(uint64_t register_number) {
    return 2 * register_number;
}

inline constexpr uint64_t kBlockBytes = 0x1000;

inline constexpr uint64_t kVendor = place_of(0x0000);           ///< MOD_VENDOR
inline constexpr uint64_t kType = place_of(0x0001);             ///< MOD_TYPE
inline constexpr uint64_t kVersion = place_of(0x0002);          ///< MOD_VERSION
inline constexpr uint64_t kControl = place_of(0x0003);          ///< MOD_CS
inline constexpr uint64_t kEventDestination = place_of(0x0004); ///< MOD_EVENT_DEST
inline constexpr uint64_t kValueWidth = place_of(0x0200);       ///< VALWIDTH
/// Not of the specification, whose hardware has an input for it: bit 0 tracks the thread pointer.
inline constexpr uint64_t kThreadTracking = place_of(0x0201);

inline constexpr uint16_t kOpenSocDebug = 1;  ///< MOD_VENDOR
inline constexpr uint16_t kSoftwareTrace = 4; ///< MOD_TYPE
inline constexpr uint16_t kActive = 1U << 0;  ///< MOD_CS; 0: stalled
inline constexpr uint16_t kTrackThreads = 1U << 0;

} // namespace pes::software_trace_map

// SPDX-License-Identifier: Apache-2.0
// Where the boot hart goes after machine mode: the supervisor linked into the same ELF, or, for the
// firmware alone, what the loader says.
#pragma once

#include <stdint.h>

namespace pes {

/// The loader's word to the firmware, in a2 (OpenSBI, fw_dynamic.h).
struct DynamicInfo {
    uint64_t magic;
    uint64_t version;
    uint64_t next_address;
    uint64_t next_mode; ///< 1: supervisor
    uint64_t options;
    uint64_t boot_hart; ///< from version 2 on
};
inline constexpr uint64_t kDynamicInfoMagic = 0x4942534F; // "OSBI", little-endian

/// True if this is the firmware alone: no supervisor in the same ELF, nothing printed but errors.
bool firmware_is_alone();

/// The supervisor's entry; `dynamic_info` is a2. Ends the run if it names nothing to start.
uint64_t next_stage(uint64_t dynamic_info);

} // namespace pes

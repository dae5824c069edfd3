// SPDX-License-Identifier: Apache-2.0
// What a bare-metal program may ask of the platform that runs it: a system call of the host-target
// interface. Arguments: address of a Facts, address and length of room for text. Result: bytes of
// text, or a negative Linux errno; then nothing has been written. Freestanding.
#pragma once

#include <stdint.h>

namespace pes::host_platform {

inline constexpr uint64_t kCall = 0x706573; ///< "pes": no system call of Linux

/// 0: not known.
struct Facts {
    uint64_t clock_hz;    ///< of the harts
    uint64_t timebase_hz; ///< of mtime
    uint64_t free_base;   ///< main memory behind all that was loaded ...
    uint64_t free_size;   ///< ... up to the device tree; a program's stack may lie in it
};

/// Asks for the checkpoint of --checkpoint-at guest-request, which is taken before the next
/// instruction. Result: 0, whether the user wants one or not.
inline constexpr uint64_t kCheckpointCall = 0x706574;

// The text: lines of TOML for the file beside a trace, which name what the harts run.

} // namespace pes::host_platform

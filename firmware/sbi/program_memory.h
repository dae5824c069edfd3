// SPDX-License-Identifier: Apache-2.0
// Memory as the interrupted program sees it: through its address translation and with its rights
// (mstatus.MPRV). Byte by byte, so nothing here is misaligned.
#pragma once

#include "firmware/boot/frame.h"

#include <stdint.h>

namespace pes {

/// What the hart raised instead of an access; cause 0: it was done.
struct ProgramFault {
    uint64_t cause = 0;
    uint64_t address = 0;
};

/// `size` bytes, at most 8, little-endian.
ProgramFault load_program(const TrapFrame& frame, uint64_t address, unsigned size, uint64_t& value);
/// Bytes in front of one that faults are stored.
ProgramFault store_program(const TrapFrame& frame, uint64_t address, unsigned size, uint64_t value);
/// The instruction at the frame's pc. Its faults are instruction faults.
ProgramFault fetch_program(const TrapFrame& frame, uint64_t& instruction);

} // namespace pes

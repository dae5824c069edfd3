// SPDX-License-Identifier: Apache-2.0
// Which hart this is, and what machine mode keeps for it above its stack. Machine mode only.
#pragma once

#include "firmware/boot/csr.h"
#include "firmware/boot/frame.h"

extern "C" char machine_stacks[];

namespace pes {

inline uint64_t hart_id() {
    return read_csr<csr::kMhartid>();
}

inline MachineLocal& machine_local() {
    return *reinterpret_cast<MachineLocal*>(
        machine_stacks + (hart_id() + 1) * PES_MACHINE_STACK_SPAN - PES_LOCAL_SIZE);
}

} // namespace pes

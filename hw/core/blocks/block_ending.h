// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/core/memory/device_port.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// The last instruction of a block that depends on its cycle.
struct BlockEnding {
    DeviceAccess access{};
    std::uint16_t counter = 0; ///< the CSR that is read
    bool read = false;         ///< the read has been made
    std::uint64_t value = 0;
    bool changes_mode = false; ///< it is an ecall, mret or sret
    bool memoizable = true;    ///< the same state and answers give the same result
};

} // namespace pes

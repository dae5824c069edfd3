// SPDX-License-Identifier: Apache-2.0
// The exceptions of memory accesses (privileged specification, table 3.6).
#pragma once

#include "hw/core/arch/causes.h"
#include "hw/core/memory/pmp.h"

namespace pes {

constexpr Cause access_fault(Access access) {
    switch (access) {
    case Access::Fetch:
        return Cause::InstructionAccess;
    case Access::Load:
        return Cause::LoadAccess;
    default:
        return Cause::StoreAccess;
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The machine context of hart 0 at the PLIC.
#pragma once

#include "firmware/boot/mmio.h"
#include "hw/common/maps/plic.h"
#include "platform.h"

namespace pes {

class MachinePlic {
  public:
    static void enable(unsigned id) {
        constexpr uint32_t kPriority = 1;
        write_device<uint32_t>(kBase + plic::kPriority + 4 * id, kPriority);
        const uint64_t word =
            kBase + plic::kEnable + plic::kEnableStride * plic::kMachineContext + 4 * (id / 32);
        write_device<uint32_t>(word, read_device<uint32_t>(word) | 1U << id % 32);
    }
    static void accept_all() { write_device<uint32_t>(kContext + plic::kThreshold, 0); }
    static uint32_t claim() { return read_device<uint32_t>(kContext + plic::kClaimComplete); }
    /// `id` must be what claim() returned: the PLIC ignores any other, for ever.
    static void complete(uint32_t id) {
        write_device<uint32_t>(kContext + plic::kClaimComplete, id);
    }

  private:
    static constexpr uint64_t kBase = PES_PLIC_BASE;
    static constexpr uint64_t kContext =
        kBase + plic::kContext + plic::kContextStride * plic::kMachineContext;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The machine context of a hart at the PLIC.
#pragma once

#include "firmware/boot/mmio.h"
#include "hw/interface/maps/plic.h"
#include "platform.h"

namespace pes {

class MachinePlic {
  public:
    explicit MachinePlic(uint64_t hart)
        : enables_(kBase + plic::kEnable + plic::kEnableStride * plic::machine_context(hart)),
          context_(kBase + plic::kContext + plic::kContextStride * plic::machine_context(hart)) {}

    void enable(unsigned id) const {
        constexpr uint32_t kPriority = 1;
        write_device<uint32_t>(kBase + plic::kPriority + 4 * id, kPriority);
        const uint64_t word = enables_ + 4 * (id / 32);
        write_device<uint32_t>(word, read_device<uint32_t>(word) | 1U << id % 32);
    }
    void accept_all() const { write_device<uint32_t>(context_ + plic::kThreshold, 0); }
    uint32_t claim() const { return read_device<uint32_t>(context_ + plic::kClaimComplete); }
    /// `id` must be what claim() returned: the PLIC ignores any other, for ever.
    void complete(uint32_t id) const {
        write_device<uint32_t>(context_ + plic::kClaimComplete, id);
    }

  private:
    static constexpr uint64_t kBase = PES_PLIC_BASE;

    uint64_t enables_;
    uint64_t context_;
};

} // namespace pes

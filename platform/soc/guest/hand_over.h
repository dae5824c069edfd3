// SPDX-License-Identifier: Apache-2.0
// Looks at memory when the firmware starts the kernel: whether kernel and initrd are still what was
// loaded. A firmware that moves the device tree, or itself, to a fixed place may have written over
// them, and the kernel would fail without a word.
#pragma once

#include "hw/common/mode_sink.h"
#include "platform/boot/boot.h"
#include "platform/soc/guest/guest_memory.h"

#include <functional>

namespace pes {

class HandOver final : public ModeSink {
  public:
    /// `seen` is called once, behind the look.
    HandOver(const BootImage& boot, GuestMemory memory, std::function<void()> seen)
        : boot_(boot), memory_(memory), seen_(std::move(seen)) {}

    void entered(Privilege mode, Address pc) override;

  private:
    const BootImage& boot_;
    GuestMemory memory_;
    std::function<void()> seen_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/hand_over.h"

#include "hw/common/module_logger.h"

namespace pes {

void HandOver::entered(Privilege mode, Address pc) {
    if (mode == Privilege::Machine || pc != boot_.kernel_entry()) {
        return;
    }
    for (const BootImage::Change& change : boot_.changes(memory_.bytes(), memory_.base())) {
        module_logger("boot")->warn(
            "the firmware has written to {:#x}, which is part of {} ({:#x} to {:#x}), before it "
            "started the kernel; expected a firmware that keeps away, as OpenSBI's fw_dynamic "
            "does (fw_jump moves the device tree to 34 MiB behind its start)",
            change.address, change.title, change.range.base,
            change.range.base + change.range.size - 1);
    }
    seen_();
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "firmware/boot/next_stage.h"

#include "firmware/lib/text.h"
#include "firmware/sbi/machine.h"

extern "C" {
void supervisor_start();             ///< linker script: DRAM + 2 MiB if there is no such layer
extern const uint8_t firmware_alone; ///< linker script
}

namespace pes {

bool firmware_is_alone() {
    return *const_cast<const volatile uint8_t*>(&firmware_alone) != 0;
}

uint64_t next_stage(uint64_t dynamic_info) {
    constexpr uint64_t kSupervisor = 1;
    const auto fixed = reinterpret_cast<uint64_t>(supervisor_start);
    const auto* info = reinterpret_cast<const DynamicInfo*>(dynamic_info);
    // A loader that found the supervisor in our own ELF (QEMU -bios none) names us in a2.
    if (!firmware_is_alone() || dynamic_info % alignof(DynamicInfo) != 0 || info == nullptr ||
        info->magic != kDynamicInfoMagic) {
        return fixed;
    }
    if (info->next_mode != kSupervisor || !supervisor_owns(info->next_address, 2)) {
        print(console_put, "pes firmware: a2 names a next stage at ", Hex{info->next_address},
              " in mode ", info->next_mode, ", expected supervisor mode and an address above ",
              Hex{fixed}, "\n");
        end_run(sbi::reset::kSystemFailure);
    }
    return info->next_address;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The way out of a bare-metal program through the test finisher; never returns.
#include "firmware/apps/bare/finisher.h"
#include "firmware/boot/mmio.h"
#include "hw/interface/maps/finisher.h"
#include "platform.h"

extern "C" [[noreturn]] void finisher_exit(uint32_t code) {
    using namespace pes;
    write_device<uint32_t>(PES_FINISHER_BASE, code == 0
                                                  ? finisher::kPass
                                                  : finisher::kFail | code << finisher::kCodeShift);
    for (;;) {
        asm volatile("wfi");
    }
}

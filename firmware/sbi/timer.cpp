// SPDX-License-Identifier: Apache-2.0
// The timer extension. A hart with Sstc has a timer of the supervisor's own: stimecmp drives
// mip.STIP, and machine mode is not asked when the time comes. A hart without it has the machine
// timer, whose interrupt is passed on (trap.cpp).
#include "firmware/boot/machine_local.h"
#include "firmware/boot/mmio.h"
#include "firmware/sbi/firmware_counters.h"
#include "firmware/sbi/machine.h"
#include "hw/interface/maps/clint.h"

namespace pes {

namespace {

constexpr uint64_t kNever = ~uint64_t{0};

} // namespace

void use_supervisor_timer() {
    machine_local().supervisor_timer = true;
    write_csr<csr::kStimecmp>(kNever); // the specification gives it no value after reset
}

sbi::Result timer_extension(const sbi::Call& call) {
    if (call.function != sbi::timer::kSetTimer) {
        return kSbiNotSupported;
    }
    count_firmware_event(sbi::pmu::FirmwareEvent::SetTimer);
    if (machine_local().supervisor_timer) {
        write_csr<csr::kStimecmp>(call.argument[0]);
        return {sbi::kSuccess, 0};
    }
    write_device<uint64_t>(uint64_t{PES_CLINT_BASE} + clint::kMtimecmp + 8 * hart_id(),
                           call.argument[0]);
    clear_csr<csr::kMip>(kInterruptSti);
    set_csr<csr::kMie>(kInterruptMti);
    return {sbi::kSuccess, 0};
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// System reset (SBI 3.0, SRST) and the end of the run.
#include "firmware/boot/mmio.h"
#include "firmware/sbi/machine.h"
#include "hw/interface/maps/finisher.h"

extern "C" volatile uint64_t tohost;

namespace pes {

namespace {

void finish(uint32_t word) {
    write_device<uint32_t>(PES_FINISHER_BASE, word);
}

[[noreturn]] void halt() {
    for (;;) {
        asm volatile("wfi");
    }
}

} // namespace

void end_run(uint32_t exit_code) {
    exit_code &= sbi::reset::kExitCodeMask;
    finish(exit_code == 0 ? finisher::kPass : finisher::kFail | exit_code << finisher::kCodeShift);
    tohost = uint64_t{exit_code} << 1 | 1;
    halt();
}

sbi::Result reset_extension(const sbi::Call& call) {
    if (call.function != sbi::reset::kSystemReset) {
        return kSbiNotSupported;
    }
    // Both are uint32_t in the text: the upper halves of the registers have no meaning.
    const auto type = static_cast<uint32_t>(call.argument[0]);
    const auto reason = static_cast<uint32_t>(call.argument[1]);
    const bool exit_code = (reason & ~sbi::reset::kExitCodeMask) == sbi::reset::kExitCodeReason;
    if (type > sbi::reset::kWarmReboot || (reason > sbi::reset::kSystemFailure && !exit_code)) {
        return {sbi::kInvalidParam, 0};
    }
    if (type != sbi::reset::kShutdown) {
        finish(finisher::kReset);
        halt();
    }
    // kNoReason and kSystemFailure are the exit codes 0 and 1.
    end_run(reason & sbi::reset::kExitCodeMask);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Text output under any SBI firmware: the console call of SBI 0.1, which the oldest have too.
#pragma once

#include "firmware/lib/text.h"
#include "firmware/supervisor/sbi_call.h"

namespace pes::papi {

inline void console_put(char byte) {
    sbi_call(sbi::kLegacyPutchar, 0, static_cast<uint64_t>(byte));
}

/// Ends the run with an exit code, or, under a firmware that does not know our reset reasons,
/// without.
[[noreturn]] inline void end_run(uint64_t exit_code) {
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown,
             sbi::reset::kExitCodeReason | (exit_code & sbi::reset::kExitCodeMask));
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown,
             exit_code == 0 ? sbi::reset::kNoReason : sbi::reset::kSystemFailure);
    for (;;) {
        asm volatile("wfi");
    }
}

} // namespace pes::papi

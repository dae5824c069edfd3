// SPDX-License-Identifier: Apache-2.0
// Text output under any SBI firmware: the console call of SBI 0.1, which the oldest have too.
#pragma once

#include "firmware/lib/text.h"
#include "firmware/supervisor/sbi_call.h"

namespace pes::papi {

inline void console_put(char byte) {
    sbi_call(sbi::kLegacyPutchar, 0, static_cast<uint64_t>(byte));
}

} // namespace pes::papi

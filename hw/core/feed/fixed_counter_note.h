// SPDX-License-Identifier: Apache-2.0
// Sscofpmf gives an overflow interrupt to programmable counters only. A profiler that samples with
// mcycle or minstret, as on a core whose selectors count neither, never gets an interrupt.
#pragma once

#include "hw/common/counter_bank.h"

namespace pes {

/// For a write of `value` to the bank's CSR `number`, in a hart with this mie. Logs, once per run,
/// that no interrupt will come, if the counter will wrap soon and interrupt 13 is enabled.
void note_fixed_counter(const CounterBank& bank, std::uint16_t number, std::uint64_t value,
                        std::uint64_t mie);

} // namespace pes

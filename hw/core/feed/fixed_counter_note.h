// SPDX-License-Identifier: Apache-2.0
// Sscofpmf gives an overflow interrupt to programmable counters only. A profiler that gets mcycle
// or minstret for its event, as on a core whose selectors count neither, waits for one in vain.
#pragma once

#include "hw/common/counter_bank.h"

namespace pes {

/// A write of `value` to the CSR `number` of the bank, in a hart with this mie. Says once a run
/// that no interrupt will come, if the counter is set to wrap soon while interrupt 13 is enabled.
void note_fixed_counter(const CounterBank& bank, std::uint16_t number, std::uint64_t value,
                        std::uint64_t mie);

} // namespace pes

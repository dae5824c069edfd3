// SPDX-License-Identifier: Apache-2.0
// The registers of a counter bank, for whoever looks at all of them.
#pragma once

#include "hw/hpm/counter_config.h"

#include <cstdint>
#include <vector>

namespace pes {

/// Every CSR number that a bank of this configuration answers, those of absent counters included,
/// which must stay 0; not those of Sspesa, which a hart asks for.
std::vector<std::uint16_t> bank_registers(const CounterConfig& config);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What a lockstep run has seen of the counters, as CSV: kind, name, point, cycles.
#pragma once

#include "hw/hpm/counter_coverage.h"

#include <ostream>

namespace pes {

void write_counter_coverage(std::ostream& out, const CounterCoverage& coverage);

} // namespace pes

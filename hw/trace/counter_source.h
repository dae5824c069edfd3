// SPDX-License-Identifier: Apache-2.0
// The counters that event trace reports: cycles, instructions, and mhpmcounter3 to 8.
#pragma once

#include "hw/interface/trace/event_counters.h"
#include "hw/interface/types.h"

#include <array>

namespace pes::trace {

class CounterSource {
  public:
    CounterSource() = default;
    CounterSource(const CounterSource&) = delete;
    CounterSource& operator=(const CounterSource&) = delete;
    virtual ~CounterSource() = default;

    /// Their values for a retirement or trap in cycle `at`: those of the last certain cycle, a few
    /// cycles earlier. Counters that do not exist are 0.
    virtual std::array<std::uint64_t, kEventCounters> counters(Cycle at) = 0;
};

} // namespace pes::trace

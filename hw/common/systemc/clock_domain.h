// SPDX-License-Identifier: Apache-2.0
// Converts between cycles and SystemC time; nothing else does. Time is cycle x period.
#pragma once

#include "hw/interface/types.h"

#include <systemc>

namespace pes {

class ClockDomain {
  public:
    /// `hertz` must divide 10^12, so that a period is a whole number of picoseconds.
    explicit ClockDomain(std::uint64_t hertz)
        : ticks_(
              sc_core::sc_time(static_cast<double>(picoseconds(hertz)), sc_core::SC_PS).value()) {}

    sc_core::sc_time period() const { return time_of(1); }
    sc_core::sc_time time_of(Cycle cycle) const {
        return sc_core::sc_time::from_value(cycle * ticks_);
    }
    /// The cycle that contains `time`.
    Cycle cycle_of(const sc_core::sc_time& time) const { return time.value() / ticks_; }
    /// The cycle the kernel stands at.
    Cycle now() const { return cycle_of(sc_core::sc_time_stamp()); }

  private:
    static constexpr std::uint64_t picoseconds(std::uint64_t hertz) {
        return 1'000'000'000'000ULL / hertz;
    }

    sc_core::sc_time::value_type ticks_; ///< of the kernel's resolution in a period
};

} // namespace pes

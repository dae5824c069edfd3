// SPDX-License-Identifier: Apache-2.0
// The read side of L1D: loads and the page walker. Stores write through and never allocate, so they
// do not come here.
#pragma once

#include "hw/core/timing/further_pulses.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/timing/pulse_log.h"
#include "hw/core/timing/tables.h"
#include "hw/core/timing/timing_config.h"
#include "hw/core/timing/write_buffer.h"

namespace pes {

class DataCache {
  public:
    DataCache(const TimingConfig& config, PulseLog& pulses, FurtherPulses further, Tables& tables);

    /// A cacheable read requested in `request`. Returns the cycles it takes beyond a hit.
    Cycle read(Address physical, Cycle request) {
        const Lookup lookup = look_up(physical);
        return lookup == Lookup::Hit ? 0 : refill(lookup, physical, request);
    }
    /// The same in two steps.
    Lookup look_up(Address physical) {
        return static_cast<Lookup>(tables_.ask<Query::ReadLine>(physical));
    }
    Cycle refill(Lookup lookup, Address physical, Cycle request);
    /// From the request of a read that misses to the cycle in which it asks memory.
    static constexpr Cycle kRequestToMemory = 2;

    /// A page walk that starts in `start`; returns the first cycle with the translation.
    Cycle walk(const PageWalk& walk, Cycle start);

    /// The write buffer, with the port to memory.
    WriteBuffer& writes() { return write_buffer_; }
    const WriteBuffer& writes() const { return write_buffer_; }

  private:
    WriteBuffer write_buffer_;
    Tables& tables_;
    PulseLog& pulses_;
    FurtherPulses further_;
    EventMask miss_events_;
    Cycle miss_cycles_;
    Cycle walk_setup_cycles_;
    Cycle walk_read_cycles_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The read side of L1D, for loads and the page walker. Stores write through and never allocate, so
// they do not use it.
#pragma once

#include "hw/core/timing/memory/write_buffer.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/timing/pulses/further_pulses.h"
#include "hw/core/timing/pulses/pulse_log.h"
#include "hw/core/timing/tables/tables.h"
#include "hw/core/timing/timing_config.h"

#include <optional>

namespace pes {

/// What the frontend, which runs ahead of a load or store, does before it.
class CodeAhead {
  public:
    /// Called before missing data is requested from memory: lines of code that the frontend has
    /// requested earlier are served first.
    virtual void data_asked(Cycle asked) = 0;

    /// Called before a page walk: the one for a fetch that is looked up before `start`, if any.
    struct FetchWalk {
        PageWalk walk;
        Cycle lookup;
    };
    virtual std::optional<FetchWalk> walk_before(Cycle start) = 0;

  protected:
    ~CodeAhead() = default;
};

class DataCache {
  public:
    DataCache(const TimingConfig& config, PulseLog& pulses, FurtherPulses further, Tables& tables);

    /// A cacheable read requested in `request`. Returns its cycles in addition to those of a hit.
    Cycle read(Address physical, Cycle request) {
        const Lookup lookup = look_up(physical);
        return lookup == Lookup::Hit ? 0 : refill(lookup, physical, request);
    }
    /// The same in two steps.
    Lookup look_up(Address physical) {
        return static_cast<Lookup>(tables_.ask<Query::ReadLine>(physical));
    }
    Cycle refill(Lookup lookup, Address physical, Cycle request);
    /// From the request of a read that misses to its request to memory.
    static constexpr Cycle kRequestToMemory = 2;

    /// The write buffer, which contains the port to memory.
    WriteBuffer& writes() { return write_buffer_; }
    const WriteBuffer& writes() const { return write_buffer_; }

  private:
    static constexpr std::uint32_t kWaysOfEvent = 8; ///< of the sets whose evictions v5.3.0 counts

    WriteBuffer write_buffer_;
    Tables& tables_;
    PulseLog& pulses_;
    FurtherPulses further_;
    EventMask miss_events_;
    bool counts_evictions_;
    Cycle miss_cycles_;
};

} // namespace pes

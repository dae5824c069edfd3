// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/memory/data_cache.h"

namespace pes {

DataCache::DataCache(const TimingConfig& config, PulseLog& pulses, FurtherPulses further,
                     Tables& tables)
    : write_buffer_(config, tables), tables_(tables), pulses_(pulses), further_(further),
      miss_events_(event_bit(Event::L1DMiss) | further.wanted(event_bit(Event::DataMissOrIo))),
      counts_evictions_(config.eviction_event == UpstreamDefect::Corrected ||
                        config.l1d.ways == kWaysOfEvent),
      miss_cycles_(config.miss_cycles()) {}

/// The tags are compared in the cycle after the request; the miss asks for memory one cycle later,
/// and waits as long as a write to its line is buffered.
Cycle DataCache::refill(Lookup lookup, Address physical, Cycle request) {
    EventMask events = miss_events_;
    if (lookup == Lookup::MissIntoFullSet && counts_evictions_) {
        events |= event_bit(Event::L1DEviction);
    }
    pulses_.pulse(events, request + 1);
    const Cycle asked = request + kRequestToMemory;
    const Cycle ready = write_buffer_.line_written_by(physical, asked);
    const Cycle there = miss_cycles_ + write_buffer_.refill_data(asked, ready);
    write_buffer_.read_line(physical, asked, there);
    further_.level(Event::DataBusy, asked, there);
    return there - asked;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/memory/data_cache.h"

#include <algorithm>
#include <span>

namespace pes {

DataCache::DataCache(const TimingConfig& config, PulseLog& pulses, FurtherPulses further,
                     Tables& tables)
    : write_buffer_(config, tables), tables_(tables), pulses_(pulses), further_(further),
      miss_events_(event_bit(Event::L1DMiss) | further.wanted(event_bit(Event::DataMissOrIo))),
      counts_evictions_(config.eviction_event == UpstreamDefect::Corrected ||
                        config.l1d.ways == kWaysOfEvent),
      miss_cycles_(config.miss_cycles()), walk_setup_cycles_(config.walk_setup_cycles),
      walk_read_cycles_(config.walk_read_cycles),
      walk_write_cycles_(config.write_interval + config.write_return_cycles +
                         config.memory_latency) {}

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

/// One cycle of the setup follows the reads.
Cycle DataCache::first_read(Cycle start) const {
    return start + std::max<Cycle>(walk_setup_cycles_, 1) - 1;
}

/// Returns the cycle in which the next one can be read.
Cycle DataCache::read_entry(Address entry, Cycle cycle, CodeAhead* ahead) {
    pulses_.pulse(Event::L1DAccess, cycle);
    const Lookup lookup = look_up(entry);
    if (lookup == Lookup::Hit) {
        return cycle + walk_read_cycles_;
    }
    if (ahead != nullptr) {
        ahead->data_asked(cycle + kRequestToMemory);
    }
    return cycle + walk_read_cycles_ + refill(lookup, entry, cycle);
}

Cycle DataCache::walk(const PageWalk& walk, Cycle start, CodeAhead* ahead) {
    Tables::WalkedEntries entries(tables_, walk);
    Cycle cycle = first_read(start);
    for (const Address entry : std::span(walk.pte).first(walk.reads)) {
        entries.next();
        cycle = read_entry(entry, cycle, ahead);
    }
    return cycle + 1 + (walk.updates ? walk_write_cycles_ : 0);
}

Cycle DataCache::walk_until(const PageWalk& walk, Cycle start, Cycle flush) {
    Cycle cycle = first_read(start);
    for (std::size_t read = 0; read != walk.reads && cycle < flush; ++read) {
        cycle = read_entry(walk.pte[read], cycle, nullptr);
    }
    return cycle + 1;
}

} // namespace pes

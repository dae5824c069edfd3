// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/memory/page_walker.h"

#include <algorithm>
#include <span>

namespace pes {

PageWalker::PageWalker(const TimingConfig& config, PulseLog& pulses, DataCache& data_cache,
                       Tables& tables)
    : tables_(tables), pulses_(pulses), data_cache_(data_cache),
      walk_setup_cycles_(config.walk_setup_cycles), walk_read_cycles_(config.walk_read_cycles),
      miss_cycles_(config.miss_cycles()),
      walk_write_cycles_(config.write_interval + config.write_return_cycles +
                         config.memory_latency) {}

bool PageWalker::is_data_tlb_asked(Cycle cycle) const {
    return std::ranges::any_of(asked_, [cycle](const Asked& asked) {
        return asked.first <= cycle && cycle <= asked.last;
    });
}

Cycle PageWalker::first_unasked(Cycle cycle, Cycle end) const {
    while (cycle < end && is_data_tlb_asked(cycle)) {
        ++cycle;
    }
    return cycle;
}

/// One cycle of the setup follows the reads.
Cycle PageWalker::first_read(Cycle start) const {
    return start + std::max<Cycle>(walk_setup_cycles_, 1) - 1;
}

/// Returns the cycle in which the next one can be read.
Cycle PageWalker::read_entry(Address entry, Cycle cycle, CodeAhead* ahead) {
    pulses_.pulse(Event::L1DAccess, cycle);
    const Lookup lookup = data_cache_.look_up(entry);
    if (lookup == Lookup::Hit) {
        return cycle + walk_read_cycles_;
    }
    if (ahead != nullptr) {
        ahead->data_asked(cycle + DataCache::kRequestToMemory);
    }
    return cycle + walk_read_cycles_ + data_cache_.refill(lookup, entry, cycle);
}

/// When a walk that is wanted in `start` begins if the walker is at work for the fetch. The entries
/// are read when the fetch comes by.
Cycle PageWalker::behind(const CodeAhead::FetchWalk& fetch, Cycle start) {
    constexpr Cycle kIdle = 1; ///< before the end
    const Cycle lookup = first_unasked(fetch.lookup, start);
    if (lookup == start) {
        return start;
    }
    Cycle cycle = first_read(lookup);
    for (const Address entry : std::span(fetch.walk.pte).first(fetch.walk.reads)) {
        const bool there = tables_.ask<Query::HasDataLine>(entry) != 0;
        cycle = port_free(cycle) + walk_read_cycles_ + (there ? 0 : miss_cycles_);
    }
    return std::max(start, cycle + 1 - kIdle);
}

Cycle PageWalker::walk(PageWalk walk, Cycle start, CodeAhead& ahead) {
    if (const auto fetch = ahead.walk_before(start)) {
        start = behind(*fetch, start);
    }
    Tables::WalkedEntries entries(tables_, walk);
    Cycle cycle = first_read(start);
    for (const Address entry : std::span(walk.pte).first(walk.reads)) {
        entries.next();
        cycle = read_entry(entry, cycle, &ahead);
    }
    return cycle + 1 + (walk.updates ? walk_write_cycles_ : 0);
}

/// The cycle in which the walker, which asks from `cycle` on, has the port of L1D. Who had it last
/// goes behind: the walker waits for at most one cycle of a load. A store that looks for its line
/// counts as a load. [core/cache_subsystem/wt_dcache_mem.sv, rr_arb_tree.sv]
Cycle PageWalker::port_free(Cycle cycle) const {
    const bool taken = std::ranges::any_of(
        load_reads_, [cycle](Cycle read) { return read == cycle || read + 1 == cycle; });
    return taken ? cycle + 1 : cycle;
}

Cycle PageWalker::walk_fetch(const PageWalk& walk, Cycle lookup, Cycle flush) {
    constexpr Cycle kFound = 3; ///< before the end: the cycle before the TLB is written
    for (;;) {
        lookup = first_unasked(lookup, flush);
        if (lookup >= flush) {
            return flush + kFound;
        }
        if (!is_data_tlb_asked(lookup + 1)) { // the event is that of the side that asks then
            pulses_.pulse(Event::ItlbMiss, lookup);
        }
        Cycle cycle = first_read(lookup);
        for (std::size_t read = 0; read != walk.reads && cycle < flush; ++read) {
            cycle = read_entry(walk.pte[read], port_free(cycle), nullptr);
        }
        const Cycle end = cycle + 1 + (walk.updates ? walk_write_cycles_ : 0);
        if (!walk.fills_tlb || end > flush || !is_data_tlb_asked(end - kFound)) {
            return end;
        }
        lookup = end - kFound + 2;
    }
}

} // namespace pes

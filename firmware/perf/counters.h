// SPDX-License-Identifier: Apache-2.0
// The counters of one hart's records: which they are, how they are read, what they were before.
#pragma once

#include "firmware/perf/machine.h"
#include "firmware/perf/perf.h"
#include "firmware/perf/status.h"
#include "hw/interface/trace/perf_record.h"

namespace pes::perf {

struct Counter {
    unsigned index = 0;
    uint64_t previous = 0; ///< not kept in Raw records
    uint64_t event = 0;    ///< code, or mhpmevent of a raw event
    perf_record::EventType type = perf_record::EventType::General;
    perf_record::CounterInfo info;
};

/// The counters of a record, lowest index first.
struct CounterSet {
    uint32_t mask = 0;
    unsigned count = 0;
    machine::CounterReader read = nullptr; ///< all those that have no fixed event
    Counter counters[perf_record::kMostCounters];

    Counter* begin() { return counters; }
    Counter* end() { return counters + count; }
    const Counter* begin() const { return counters; }
    const Counter* end() const { return counters + count; }
};

inline constexpr unsigned kNoTimestamp = 0; ///< width of a timestamp that is not there

/// Gives each event of the list its counter, programs it, sets it to 0 and lets it run. An error
/// leaves the hart's counters as they were, but those that had to be tried may be 0.
Status set_up_counters(CounterSet& set, const perfEvent* events, int count,
                       unsigned timestamp_width);

} // namespace pes::perf

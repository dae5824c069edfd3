// SPDX-License-Identifier: Apache-2.0
// Multiplexing: in every slice as many native events count as the SBI finds counters for, beginning
// behind those of the slice before. A timer interrupt ends the slice. A count is scaled by the time
// the set ran over the time the event had a counter; the library's own work belongs to neither.
#include "firmware/papi/counting/parts.h"

namespace pes::papi {

void begin_slice(EventSet& set) {
    unmap_set();
    library.mapped = &set;
    const unsigned first = set.next_slot;
    bool left_out = false;
    for (unsigned step = 0; step < set.slot_end; ++step) {
        const unsigned i = (first + step) % set.slot_end;
        if (set.slot[i].users == 0) {
            continue;
        }
        // Cycles and instructions may have counters of their own: try them all.
        if (!map_slot(set, set.slot[i]) && !left_out) {
            left_out = true;
            set.next_slot = i;
        }
    }
    arm_timer(set.slice_period);
    library.counters.start(mapped_counters(set));
    set.slice_start = now();
    set.for_each_slot([](Slot& slot, unsigned) {
        if (slot.counter != kNoCounter) {
            slot.baseline = library.counters.value(slot.counter);
        }
    });
}

void end_slice(EventSet& set) {
    const uint64_t elapsed = now() - set.slice_start;
    set.for_each_slot([elapsed](Slot& slot, unsigned) {
        if (slot.counter != kNoCounter) {
            keep_count(slot);
            slot.counted_time += elapsed;
        }
    });
    set.active_time += elapsed;
    set.slice_start += elapsed;
    library.counters.stop(mapped_counters(set));
}

uint64_t estimate(const EventSet& set, const Slot& slot) {
    uint64_t count = slot.count;
    uint64_t counted = slot.counted_time;
    uint64_t active = set.active_time;
    if (set.running()) {
        const uint64_t elapsed = now() - set.slice_start;
        active += elapsed;
        if (slot.counter != kNoCounter) {
            const uint64_t value = library.counters.value(slot.counter);
            count += (value - slot.baseline) & library.counters.bits(slot.counter);
            counted += elapsed;
        }
    }
    if (counted == 0) {
        return 0;
    }
    return static_cast<uint64_t>(static_cast<unsigned __int128>(count) * active / counted);
}

int multiplex_set(int handle) {
    EventSet* set = nullptr;
    if (const int error = check_set(handle, Want::Stopped, set); error != PAPI_OK) {
        return error;
    }
    if (!library.multiplex) {
        return PAPI_ENOINIT;
    }
    if (!set->bound) {
        return PAPI_ENOCMP;
    }
    if (set->multiplexed()) {
        return PAPI_EINVAL;
    }
    if (set->source != OverflowSource::None) {
        return PAPI_ECNFLCT; // an overflow needs its counter all the time
    }
    if (library.mapped == set) {
        unmap_set();
    }
    clear_counts(*set);
    set->state |= PAPI_MULTIPLEXING;
    set->slice_period = library.slice;
    set->next_slot = 0;
    return PAPI_OK;
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_multiplex_init(void) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    library.multiplex = true;
    return PAPI_OK;
}

extern "C" int PAPI_set_multiplex(int EventSet) {
    return answer(multiplex_set(EventSet));
}

extern "C" int PAPI_get_multiplex(int EventSet) {
    pes::papi::EventSet* set = nullptr;
    const int error = check_set(EventSet, Want::Any, set);
    return answer(error != PAPI_OK ? error : static_cast<int>(set->multiplexed()));
}

// SPDX-License-Identifier: Apache-2.0
// Start, stop, read and write of event sets.
#include "firmware/papi/counting/parts.h"

namespace pes::papi {

void keep_count(Slot& slot) {
    const SbiCounters& counters = library.counters;
    const uint64_t value = counters.value(slot.counter);
    slot.count += (value - slot.baseline) & counters.bits(slot.counter);
    slot.baseline = value;
}

namespace {

/// Values of all members, from the counts of the slots.
void read_values(const EventSet& set, long long* values) {
    uint64_t count[kMaxSlots];
    for (unsigned i = 0; i < set.slot_end; ++i) {
        count[i] = slot_count(set, set.slot[i]);
    }
    for (unsigned i = 0; i < set.member_count; ++i) {
        const Member& member = set.member[i];
        long long term[kMaxTerms];
        for (unsigned n = 0; n < member.terms; ++n) {
            term[n] = static_cast<long long>(count[member.slot[n]]);
        }
        values[i] =
            member.offset + (member.derived == Derived::None
                                 ? term[0]
                                 : evaluate(member.derived, member.terms, member.postfix, term));
    }
}

void read_guarded(const EventSet& set, long long* values) {
    if (!set.running() || !set.interrupts()) {
        read_values(set, values);
        return;
    }
    const InterruptGuard guard;
    read_values(set, values);
}

} // namespace

// What a counter counts on the way back from its start, and on the way to its stop, is the
// library's and the firmware's: values are taken behind the one and before the other.
void begin_counting(EventSet& set) {
    if (set.multiplexed()) {
        begin_slice(set);
        return;
    }
    if (library.mapped != &set) {
        map_set(set); // it did fit before
    }
    if (set.source != OverflowSource::None) {
        begin_overflow(set);
    }
    uint64_t plain = 0;
    set.for_each_slot([&](const Slot& slot, unsigned) {
        plain |= set.wraps(slot) ? 0 : uint64_t{1} << slot.counter;
    });
    if (plain != 0) {
        library.counters.start(plain);
    }
    set.for_each_slot([&](Slot& slot, unsigned) {
        if (!set.wraps(slot)) {
            slot.baseline = library.counters.value(slot.counter);
        }
    });
}

void end_counting(EventSet& set) {
    if (set.multiplexed()) {
        end_slice(set);
        return;
    }
    set.for_each_slot([](Slot& slot, unsigned) { keep_count(slot); });
    library.counters.stop(mapped_counters(set));
}

uint64_t slot_count(const EventSet& set, const Slot& slot) {
    if (set.multiplexed()) {
        return estimate(set, slot);
    }
    if (slot.counter == kNoCounter || !set.running()) {
        return slot.count;
    }
    const SbiCounters& counters = library.counters;
    return slot.count +
           ((counters.value(slot.counter) - slot.baseline) & counters.bits(slot.counter));
}

void clear_counts(EventSet& set) {
    set.active_time = 0;
    set.for_each_slot([](Slot& slot, unsigned) {
        slot.count = 0;
        slot.counted_time = 0;
        slot.deadline = slot.period;
    });
    for (unsigned i = 0; i < set.member_count; ++i) {
        set.member[i].offset = 0;
    }
}

namespace {

void reset(EventSet& set) {
    if (!set.running()) {
        clear_counts(set);
    } else if (!set.interrupts()) {
        clear_counts(set);
        set.for_each_slot(
            [](Slot& slot, unsigned) { slot.baseline = library.counters.value(slot.counter); });
    } else {
        const InterruptGuard guard;
        end_counting(set);
        clear_counts(set);
        begin_counting(set);
    }
}

void finish(EventSet& set) {
    end_counting(set);
    set.state = (set.state & ~PAPI_RUNNING) | PAPI_STOPPED;
    library.running = nullptr; // an interrupt that comes late finds nothing to do
}

} // namespace
} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_start(int EventSet) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Stopped, set); error != PAPI_OK) {
        return answer(error);
    }
    if (library.running != nullptr) {
        return answer(PAPI_EISRUN); // one set at a time in a component
    }
    if (set->member_count == 0) {
        return answer(PAPI_EINVAL);
    }
    if (!set->multiplexed() && !map_set(*set)) {
        return answer(PAPI_ECNFLCT);
    }
    clear_counts(*set);
    set->state = (set->state & ~PAPI_STOPPED) | PAPI_RUNNING;
    library.running = set;
    if (set->interrupts()) {
        enable_interrupts(*set);
        const InterruptGuard guard;
        begin_counting(*set);
    } else {
        begin_counting(*set);
    }
    return PAPI_OK;
}

extern "C" int PAPI_stop(int EventSet, long long* values) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Running, set); error != PAPI_OK) {
        return answer(error);
    }
    if (set->interrupts()) {
        const InterruptGuard guard;
        finish(*set);
    } else {
        finish(*set);
    }
    disable_interrupts();
    if (values != nullptr) {
        read_values(*set, values);
    }
    return PAPI_OK;
}

extern "C" int PAPI_read(int EventSet, long long* values) {
    if (values == nullptr) {
        return answer(PAPI_EINVAL);
    }
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Any, set); error != PAPI_OK) {
        return answer(error);
    }
    read_guarded(*set, values);
    return PAPI_OK;
}

extern "C" int PAPI_read_ts(int EventSet, long long* values, long long* cyc) {
    if (cyc == nullptr) {
        return answer(PAPI_EINVAL);
    }
    const int error = PAPI_read(EventSet, values);
    *cyc = PAPI_get_real_cyc();
    return error;
}

namespace {

/// The set of a call with one array of values, and what it has counted.
int read_for(int handle, const long long* argument, pes::papi::EventSet*& set, long long* now) {
    if (argument == nullptr) {
        return PAPI_EINVAL;
    }
    if (const int error = check_set(handle, Want::Any, set); error != PAPI_OK) {
        return error;
    }
    read_guarded(*set, now);
    return PAPI_OK;
}

} // namespace

extern "C" int PAPI_accum(int EventSet, long long* values) {
    pes::papi::EventSet* set = nullptr;
    long long now[kMaxMembers];
    if (const int error = read_for(EventSet, values, set, now); error != PAPI_OK) {
        return answer(error);
    }
    reset(*set);
    for (unsigned i = 0; i < set->member_count; ++i) {
        values[i] += now[i];
    }
    return PAPI_OK;
}

extern "C" int PAPI_reset(int EventSet) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Any, set); error != PAPI_OK) {
        return answer(error);
    }
    reset(*set);
    return PAPI_OK;
}

extern "C" int PAPI_write(int EventSet, long long* values) {
    pes::papi::EventSet* set = nullptr;
    long long now[kMaxMembers];
    if (const int error = read_for(EventSet, values, set, now); error != PAPI_OK) {
        return answer(error);
    }
    for (unsigned i = 0; i < set->member_count; ++i) {
        set->member[i].offset += values[i] - now[i];
    }
    return PAPI_OK;
}

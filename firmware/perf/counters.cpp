// SPDX-License-Identifier: Apache-2.0
// Events to counters, as the performance monitoring extension of the SBI names events.
#include "firmware/perf/counters.h"

#include "firmware/perf/error.h"
#include "hw/interface/maps/csr.h"
#include "hw/interface/pmu/counter_csr.h"
#include "hw/interface/pmu/profiles.h"

namespace pes::perf {

namespace {

using perf_record::EventType;
using perf_record::kTimestampCounter;

constexpr unsigned kCodeBits = 16; // of an SBI event_idx; the type is above
constexpr int kMostEvents = 1024;  // of a list, repetitions included

// What an event of the list asks for.
struct CounterRequest {
    EventType type = EventType::General;
    uint64_t event = 0;    // for the header
    uint64_t selector = 0; // mhpmevent; 0: a counter with a fixed event
    unsigned fixed = 0;    // then its index
    unsigned place = 0;    // in the list
};

Status no_such_event(const CounterRequest& request) {
    return fail("event ", request.place, " of the list (type ", static_cast<uint32_t>(request.type),
                ", ", Hex{request.event}, ") is none that this hart counts");
}

// The bits that mhpmevent3 stores tell the PMU profiles apart: nobody hands this library a device
// tree. Null: none of those built in, raw events still count.
const PmuProfile* profile_of_hart() {
    constexpr uint64_t kSelectorBits = (uint64_t{1} << 56) - 1; // Sscofpmf has those above
    const uint64_t stored = machine::write_event(kFirstProgrammable, kSelectorBits);
    machine::write_event(kFirstProgrammable, 0);
    for (const PmuProfile* profile : kProfiles) {
        if (profile->registers == RegisterSet::Hpm && profile->selector_mask == stored) {
            return profile;
        }
    }
    return nullptr;
}

bool find_selector(uint32_t event_index, uint64_t& selector) {
    const PmuProfile* profile = profile_of_hart();
    for (size_t i = 0; profile != nullptr && i < profile->sbi_event_count; ++i) {
        if (profile->sbi_events[i].event == event_index) {
            selector = profile->sbi_events[i].selector;
            return true;
        }
    }
    return false;
}

Status general_request(uint32_t code, CounterRequest& request) {
    request.type = EventType::General;
    request.event = code;
    switch (code) {
    case perf_record::kCyclesCode:
        request.fixed = kCycleIndex;
        return Status::Ok;
    case perf_record::kTimestampCode:
        request.fixed = kTimestampCounter;
        return Status::Ok;
    case perf_record::kInstructionsCode:
        request.fixed = kInstretIndex;
        return Status::Ok;
    default:
        return find_selector(code, request.selector) ? Status::Ok : no_such_event(request);
    }
}

// SBI 3.0, "Hardware cache events": cache_id 15:3, op_id 2:1, result_id 0.
Status cache_request(const perfEvent& event, CounterRequest& request) {
    if (event.cache_id < 0 || event.cache_id > 0x1FFF || event.op_id < 0 || event.op_id > 3 ||
        event.result_id < 0 || event.result_id > 1) {
        return fail("event ", request.place, " of the list has cache, operation or result numbers ",
                    "that the SBI does not have");
    }
    const auto code =
        static_cast<uint32_t>(event.cache_id << 3 | event.op_id << 1 | event.result_id);
    request.type = EventType::Cache;
    request.event = code;
    const uint32_t event_index = static_cast<uint32_t>(EventType::Cache) << kCodeBits | code;
    return find_selector(event_index, request.selector) ? Status::Ok : no_such_event(request);
}

Status make_request(const perfEvent& event, CounterRequest& request) {
    switch (event.type) {
    case perfEventHWGeneral:
        return general_request(static_cast<uint32_t>(event.code), request);
    case perfEventHWCache:
        return cache_request(event, request);
    case perfEventHWRaw:
        request.type = EventType::Raw;
        request.event = event.event_data;
        request.selector = event.event_data;
        return event.event_data != 0 ? Status::Ok : no_such_event(request);
    default:
        return fail("event ", request.place, " of the list is of a type that is not counted");
    }
}

// Bits that a counter stores; 0 if there is none. It has to stand still for that.
unsigned measure_width(unsigned index) {
    machine::write_counter(index, ~uint64_t{0});
    const uint64_t stored = machine::read_counter(index);
    machine::write_counter(index, 0);
    return stored == 0 ? 0 : 64 - static_cast<unsigned>(__builtin_clzll(stored));
}

// The requests by counter: those of the list's order are put in ascending order on the way.
struct Assignment {
    uint32_t mask = 0;
    CounterRequest requests[perf_record::kMostCounters];
    unsigned widths[perf_record::kMostCounters];
};

unsigned next_programmable(unsigned index, unsigned& width) {
    for (; index < kCounterLimit; ++index) {
        width = measure_width(index);
        if (width != 0) {
            return index;
        }
    }
    return kCounterLimit;
}

Status assign(Assignment& to, const perfEvent* events, int count, unsigned timestamp_width) {
    unsigned next = kFirstProgrammable;
    unsigned programmable = 0;
    for (int i = 0; i < count; ++i) {
        CounterRequest request;
        request.place = static_cast<unsigned>(i);
        if (make_request(events[i], request) != Status::Ok) {
            return Status::Error;
        }
        unsigned index = request.fixed;
        unsigned width = timestamp_width;
        if (request.selector != 0) {
            index = next_programmable(next, width);
            if (index == kCounterLimit) {
                return fail("event ", request.place, " of the list finds no counter: the hart has ",
                            programmable, " that can be programmed");
            }
            ++programmable;
            next = index + 1;
        } else if (index != kTimestampCounter) {
            width = measure_width(index);
        }
        if (width == 0) {
            return index == kTimestampCounter
                       ? fail("event ", request.place,
                              " of the list is the timestamp, but no trace unit counts one")
                       : fail("event ", request.place, " of the list is that of counter ", index,
                              ", which the hart does not have");
        }
        to.mask |= 1U << index; // cycles and the like given twice are one counter
        to.requests[index] = request;
        to.widths[index] = width;
    }
    return Status::Ok;
}

Counter make_counter(unsigned index, const CounterRequest& request, unsigned width) {
    Counter counter;
    counter.index = index;
    counter.type = request.type;
    counter.event = request.event;
    counter.info.width = width;
    if (index != kTimestampCounter) {
        counter.info.csr = csr::kCycle + index;
    }
    return counter;
}

// Nothing is counted meanwhile: all counters stand still.
Status program(CounterSet& set, const Assignment& assignment) {
    unsigned last = kFirstProgrammable - 1;
    for (unsigned index = 0; index < kCounterLimit; ++index) {
        if ((assignment.mask >> index & 1) == 0) {
            continue;
        }
        const CounterRequest& request = assignment.requests[index];
        if (request.selector != 0 &&
            machine::write_event(index, request.selector) != request.selector) {
            return no_such_event(request);
        }
        last = index > last ? index : last;
        set.counters[set.count++] = make_counter(index, request, assignment.widths[index]);
    }
    set.mask = assignment.mask;
    set.read = machine::reader_of_counters(last);
    machine::let_user_read(set.mask);
    return Status::Ok;
}

} // namespace

Status set_up_counters(CounterSet& set, const perfEvent* events, int count,
                       unsigned timestamp_width) {
    set.mask = 0;
    set.count = 0;
    if (count < 0 || count > kMostEvents || (events == nullptr && count != 0)) {
        return fail("a list of events has 0 to ", unsigned{kMostEvents}, " of them");
    }
    if (!machine::has_counters()) {
        return fail("the hart does not have the counter registers of RISC-V");
    }
    const uint32_t held = machine::held_counters();
    machine::hold_counters(~uint32_t{0});
    Assignment assignment;
    Status status = assign(assignment, events, count, timestamp_width);
    if (status == Status::Ok) {
        status = program(set, assignment);
    }
    machine::run_counters(~held | set.mask);
    return status;
}

} // namespace pes::perf

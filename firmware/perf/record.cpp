// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/record.h"

#include "firmware/perf/error.h"
#include "hw/interface/pmu/counter_csr.h"

namespace pes::perf {

namespace {

using perf_record::CountType;
using perf_record::kTimestampCounter;
using perf_record::RecordKind;

constexpr const char* kFull = "the trace buffer is full, or its unit has been switched off";

constexpr uint32_t bit(unsigned counter) {
    return uint32_t{1} << counter;
}

void read_fixed_counters(const HartState& hart, uint64_t* values) {
    const uint32_t mask = hart.counters.mask;
    if ((mask & bit(kInstretIndex)) != 0) {
        values[kInstretIndex] = machine::instructions();
    }
    if ((mask & bit(kCycleIndex)) != 0) {
        values[kCycleIndex] = machine::cycles();
    }
    if ((mask & bit(kTimestampCounter)) != 0) {
        values[kTimestampCounter] = hart.clock.timestamp();
    }
}

/// By index, one after the other, with no store to a device between them; the timestamp comes last.
[[gnu::always_inline]] inline void read_counters(const HartState& hart, uint64_t* values) {
    constexpr uint32_t kFixed = bit(kCycleIndex) | bit(kTimestampCounter) | bit(kInstretIndex);
    hart.counters.read(values);
    if ((hart.counters.mask & kFixed) != 0) [[unlikely]] {
        read_fixed_counters(hart, values);
    }
}

template <CountType Type>
void write_address(HartState& hart, uint64_t address) {
    uint64_t coded = address;
    if constexpr (Type == CountType::DeltaXor) {
        coded ^= hart.last_address;
        hart.last_address = address;
    }
    perf_record::write_address(hart.stimulus, coded);
}

// What the type decides is decided once a record, not once a value: a record is in the way of what
// it measures.
template <CountType Type>
void write_record_of(HartState& hart, RecordKind kind, RecordAddresses addresses,
                     const uint64_t* now) {
    perf_record::write_kind(hart.stimulus, kind);
    write_address<Type>(hart, addresses.address);
    if (perf_record::has_call_site(kind)) {
        write_address<Type>(hart, addresses.caller);
    }
    for (Counter& counter : hart.counters) {
        const uint64_t value = now[counter.index];
        perf_record::write_value(
            hart.stimulus,
            perf_record::coded_value(Type, value, counter.previous, counter.info.width));
        if constexpr (Type != CountType::Raw) {
            counter.previous = value;
        }
    }
}

} // namespace

Status write_header(HartState& hart) {
    if (hart.sink_unit.stopped()) {
        return fail(kFull);
    }
    CounterSet& set = hart.counters;
    perf_record::write_header(hart.stimulus, hart.type, set.mask);
    for (const Counter& counter : set) {
        perf_record::write_definition(hart.stimulus, counter.type, counter.event, counter.info);
    }
    hart.last_address = 0;
    uint64_t now[perf_record::kMostCounters] = {};
    if (hart.type == CountType::Delta) {
        read_counters(hart, now);
    }
    for (Counter& counter : set) {
        counter.previous = now[counter.index];
    }
    return hart.stimulus.take_failure() ? fail(kFull) : Status::Ok;
}

Status write_record(HartState& hart, RecordKind kind, RecordAddresses addresses) {
    // All reads come first, so that the values belong together and no store is between them.
    uint64_t now[perf_record::kMostCounters];
    read_counters(hart, now);
    ++hart.records;
    if (hart.sink_unit.stopped()) {
        ++hart.lost_records;
        return fail(kFull);
    }
    if (hart.type == CountType::Raw) [[likely]] {
        write_record_of<CountType::Raw>(hart, kind, addresses, now);
    } else if (hart.type == CountType::Delta) {
        write_record_of<CountType::Delta>(hart, kind, addresses, now);
    } else {
        write_record_of<CountType::DeltaXor>(hart, kind, addresses, now);
    }
    if (hart.stimulus.take_failure()) {
        ++hart.lost_records;
        return fail(kFull);
    }
    return Status::Ok;
}

} // namespace pes::perf

// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/record.h"

namespace pes::perf {

namespace {

using perf_record::CountType;
using perf_record::kTimestampCounter;
using perf_record::RecordKind;

/// One after the other, with no store to a device between them; the timestamp comes last.
void read_counters(const HartState& hart, uint64_t* values) {
    const CounterSet& set = hart.counters;
    uint64_t* next = values;
    for (const Counter& counter : set) {
        *next++ = counter.read();
    }
    if ((set.mask >> kTimestampCounter & 1) != 0) {
        static_assert(kTimestampCounter == 1, "only counter 0 comes before it");
        values[set.mask & 1] = hart.clock.timestamp();
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
        write_address<Type>(hart, addresses.call_site);
    }
    for (Counter& counter : hart.counters) {
        const uint64_t value = *now++;
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
    const uint64_t* next = now;
    for (Counter& counter : set) {
        counter.previous = *next++;
    }
    return hart.stimulus.take_failure() ? Status::Error : Status::Ok;
}

Status write_record(HartState& hart, RecordKind kind, RecordAddresses addresses) {
    // All reads come first, so that the values belong together and no store is between them.
    uint64_t now[perf_record::kMostCounters];
    read_counters(hart, now);
    if (hart.sink_unit.stopped()) {
        ++hart.lost_records;
        return Status::Error;
    }
    switch (hart.type) {
    case CountType::Raw:
        write_record_of<CountType::Raw>(hart, kind, addresses, now);
        break;
    case CountType::Delta:
        write_record_of<CountType::Delta>(hart, kind, addresses, now);
        break;
    case CountType::DeltaXor:
        write_record_of<CountType::DeltaXor>(hart, kind, addresses, now);
        break;
    }
    if (hart.stimulus.take_failure()) {
        ++hart.lost_records;
        return Status::Error;
    }
    return Status::Ok;
}

} // namespace pes::perf

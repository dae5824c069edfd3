// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/record.h"

namespace pes::perf {

namespace {

using perf_record::CountType;
using perf_record::RecordKind;

uint64_t read_counter(const HartState& hart, const Counter& counter) {
    return counter.read != nullptr ? counter.read() : hart.clock.timestamp();
}

void write_address(HartState& hart, uint64_t address) {
    uint64_t coded = address;
    if (hart.type == CountType::DeltaXor) {
        coded ^= hart.last_address;
        hart.last_address = address;
    }
    perf_record::write_address(hart.stimulus, coded);
}

} // namespace

Status write_header(HartState& hart) {
    CounterSet& set = hart.counters;
    perf_record::write_header(hart.stimulus, hart.type, set.mask);
    for (unsigned i = 0; i < set.count; ++i) {
        const Counter& counter = set.counters[i];
        perf_record::write_definition(hart.stimulus, counter.type, counter.event, counter.info);
    }
    hart.last_address = 0;
    for (unsigned i = 0; i < set.count; ++i) {
        Counter& counter = set.counters[i];
        counter.previous = hart.type == CountType::Delta ? read_counter(hart, counter) : 0;
    }
    return hart.stimulus.take_failure() ? Status::Error : Status::Ok;
}

Status write_record(HartState& hart, RecordKind kind, RecordAddresses addresses) {
    CounterSet& set = hart.counters;
    // All reads come first, so that the values belong together and no store is between them.
    uint64_t now[perf_record::kMostCounters];
    for (unsigned i = 0; i < set.count; ++i) {
        now[i] = read_counter(hart, set.counters[i]);
    }
    if (hart.sink_unit.stopped()) {
        ++hart.lost_records;
        return Status::Error;
    }
    perf_record::write_kind(hart.stimulus, kind);
    write_address(hart, addresses.address);
    if (perf_record::has_call_site(kind)) {
        write_address(hart, addresses.call_site);
    }
    for (unsigned i = 0; i < set.count; ++i) {
        Counter& counter = set.counters[i];
        perf_record::write_value(
            hart.stimulus,
            perf_record::coded_value(hart.type, now[i], counter.previous, counter.info.width));
        counter.previous = now[i];
    }
    if (hart.stimulus.take_failure()) {
        ++hart.lost_records;
        return Status::Error;
    }
    return Status::Ok;
}

} // namespace pes::perf

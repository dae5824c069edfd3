// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/records/perf_records.h"

#include <bit>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {

using namespace perf_record;

const char* to_string(RecordKind kind) {
    switch (kind) {
    case RecordKind::FunctionEnter:
        return "enter";
    case RecordKind::FunctionExit:
        return "exit";
    case RecordKind::Manual:
        return "manual";
    case RecordKind::Interrupt:
        return "interrupt";
    }
    return "";
}

const char* to_string(CountType type) {
    switch (type) {
    case CountType::Raw:
        return "raw";
    case CountType::Delta:
        return "delta";
    case CountType::DeltaXor:
        return "delta-xor";
    }
    return "";
}

std::string counter_name(const CounterDefinition& definition) {
    switch (definition.type) {
    case EventType::General:
        if (definition.event == kTimestampCode) {
            return "timestamp";
        }
        if (definition.event == kCyclesCode) {
            return "cycles";
        }
        if (definition.event == kInstructionsCode) {
            return "instructions";
        }
        return fmt::format("event {}", definition.event);
    case EventType::Cache:
        return fmt::format("cache event {:#x}", definition.event);
    case EventType::Raw:
        return fmt::format("raw event {:#x}", definition.event);
    }
    return "";
}

void PerfRecords::count_type(std::uint16_t number, CountType type, TraceTime) {
    source(number).header = {};
    source(number).header.type = type;
}

void PerfRecords::mask(std::uint16_t number, std::uint32_t mask, TraceTime time) {
    Source& from = source(number);
    from.header.mask = mask;
    from.undefined = mask;
    if (mask == 0) {
        tell_header(number, from, time);
    }
}

void PerfRecords::definition(std::uint16_t number, const CounterDefinition& definition,
                             TraceTime time) {
    Source& from = source(number);
    from.header.definitions[definition.counter] = definition;
    from.undefined &= from.undefined - 1; // they come in ascending order
    if (from.undefined == 0) {
        tell_header(number, from, time);
    }
}

void PerfRecords::tell_header(std::uint16_t number, const Source& from, TraceTime time) {
    for (PerfRecordSink* sink : sinks_) {
        sink->header(number, from.header, time);
    }
}

void PerfRecords::address(std::uint16_t number, const PerfAddress& address) {
    PerfRecord& record = source(number).record;
    record.kind = address.kind;
    record.address = address.address;
    record.call_site = address.call_site;
    record.time = address.started;
}

void PerfRecords::value(std::uint16_t number, const PerfValue& value) {
    source(number).record.values[value.counter] = value.value;
}

void PerfRecords::record_end(std::uint16_t number) {
    Source& from = source(number);
    from.record.source = number;
    from.record.header = &from.header;
    for (PerfRecordSink* sink : sinks_) {
        sink->record(from.record);
    }
}

void PerfRecords::lost(std::uint16_t number, const PerfLoss& loss) {
    for (PerfRecordSink* sink : sinks_) {
        sink->lost(number, loss);
    }
}

PerfRecords::Source& PerfRecords::grow(std::uint16_t number) {
    sources_.resize(number + std::size_t{1});
    return sources_[number];
}

void PerfFanOut::count_type(std::uint16_t source, CountType type, TraceTime time) {
    for (PerfSink* sink : sinks_) {
        sink->count_type(source, type, time);
    }
}

void PerfFanOut::mask(std::uint16_t source, std::uint32_t mask, TraceTime time) {
    for (PerfSink* sink : sinks_) {
        sink->mask(source, mask, time);
    }
}

void PerfFanOut::definition(std::uint16_t source, const CounterDefinition& definition,
                            TraceTime time) {
    for (PerfSink* sink : sinks_) {
        sink->definition(source, definition, time);
    }
}

void PerfFanOut::address(std::uint16_t source, const PerfAddress& address) {
    for (PerfSink* sink : sinks_) {
        sink->address(source, address);
    }
}

void PerfFanOut::value(std::uint16_t source, const PerfValue& value) {
    for (PerfSink* sink : sinks_) {
        sink->value(source, value);
    }
}

void PerfFanOut::record_end(std::uint16_t source) {
    for (PerfSink* sink : sinks_) {
        sink->record_end(source);
    }
}

void PerfFanOut::torn(std::uint16_t source) {
    for (PerfSink* sink : sinks_) {
        sink->torn(source);
    }
}

void PerfFanOut::lost(std::uint16_t source, const PerfLoss& loss) {
    for (PerfSink* sink : sinks_) {
        sink->lost(source, loss);
    }
}

} // namespace pes::trace

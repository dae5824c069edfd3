// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/record_text.h"

#include "decoder/trace/output/append_text.h"
#include "decoder/trace/output/json_text.h"
#include "platform/host/csv.h"

namespace pes::trace {

using namespace perf_record;

namespace {

std::string optional_text(TraceTime time) {
    return time ? fmt::format("{}", *time) : "";
}

template <typename Visit>
void for_each_counter(std::uint32_t mask, Visit&& visit) {
    for (unsigned counter = 0; counter < kMostCounters; ++counter) {
        if ((mask >> counter & 1) != 0) {
            visit(counter);
        }
    }
}

const char* privilege_name(unsigned privilege) {
    constexpr std::array<const char*, 4> kNames{"U", "S", "reserved", "M"};
    return kNames[privilege & 3];
}

/// What the value of an event is.
const char* value_name(EventSource kind) {
    switch (kind) {
    case EventSource::Control:
        return "code";
    case EventSource::Exception:
    case EventSource::Interrupt:
        return "cause";
    case EventSource::Context:
        return "context";
    default:
        return "id";
    }
}

} // namespace

RecordCsv::RecordCsv(OutputFile* file, CodePlaces* places) : out_(file), places_(places) {
    out_.text() = "source,record,kind,time,address,function,file,line,call_site,counter,event,"
                  "counts,value\n";
}

void RecordCsv::record(const PerfRecord& record) {
    ++number_;
    std::string head =
        fmt::format("{},{},{},{},{:#x},", record.source, number_, to_string(record.kind),
                    optional_text(record.time), record.address);
    const CodePlace* place =
        places_ == nullptr ? nullptr : &places_->find(record.source, record.address);
    if (place != nullptr && place->function != nullptr) {
        head += csv_field(place->function->name);
    }
    head += ',';
    if (place != nullptr && place->source.line != 0) {
        append_text(head, "{},{}", csv_field(place->source.file), place->source.line);
    } else {
        head += ',';
    }
    head += has_call_site(record.kind) ? fmt::format(",{:#x},", record.call_site) : ",,";
    if (record.header->mask == 0) {
        out_.text() += head + ",,,\n";
    }
    for_each_counter(record.header->mask, [&](unsigned counter) {
        append_text(out_.text(), "{}{},{},{},{}\n", head, counter,
                    csv_field(counter_name(record.header->definitions[counter])),
                    to_string(record.header->type), record.values[counter]);
    });
    out_.flush_blocks();
}

void RecordJson::header(std::uint16_t source, const PerfHeader& header, TraceTime time) {
    begin("header", source);
    add_time(time);
    append_text(out_.text(), R"(,"counts":"{}","counters":[)", to_string(header.type));
    const char* separator = "";
    for_each_counter(header.mask, [&](unsigned counter) {
        const CounterDefinition& definition = header.definitions[counter];
        append_text(
            out_.text(),
            "{}{{\"counter\":{},\"event\":{},\"type\":{},\"code\":\"{:#x}\",\"csr\":\"{:#x}\","
            "\"width\":{}}}",
            separator, counter, json_string(counter_name(definition)),
            static_cast<unsigned>(definition.type), definition.event, definition.info.csr,
            definition.info.width);
        separator = ",";
    });
    out_.text() += ']';
    end();
}

void RecordJson::record(const PerfRecord& record) {
    begin("record", record.source);
    append_text(out_.text(), R"(,"record":{},"kind":"{}")", ++number_, to_string(record.kind));
    add_time(record.time);
    add_place(record.source, record.address);
    if (has_call_site(record.kind)) {
        append_text(out_.text(), R"(,"call_site":"{:#x}")", record.call_site);
    }
    out_.text() += ",\"values\":{";
    const char* separator = "";
    for_each_counter(record.header->mask, [&](unsigned counter) {
        append_text(out_.text(), "{}\"{}\":{}", separator, counter, record.values[counter]);
        separator = ",";
    });
    out_.text() += '}';
    end();
}

void RecordJson::lost(std::uint16_t source, const PerfLoss& loss) {
    begin("loss", source);
    append_text(out_.text(), R"(,"offset":{},"writes":{},"reason":{})", loss.offset, loss.writes,
                json_string(describe(loss.reason)));
    end();
}

void RecordJson::event(const TraceEvent& event) {
    begin("event", event.source);
    append_text(out_.text(), R"(,"kind":"{}")", to_string(event.kind));
    add_time(event.time);
    if (event.address) {
        add_place(event.source, *event.address);
    }
    if (event.counters) {
        append_text(out_.text(), ",\"counters\":[{}]", fmt::join(*event.counters, ","));
    } else if (event.destination) {
        append_text(out_.text(), R"(,"destination":"{:#x}")", *event.destination);
    } else if (event.has_value || event.kind == EventSource::Control) {
        append_text(out_.text(), ",\"{}\":{}", value_name(event.kind), event.value);
    }
    end();
}

void RecordJson::ownership(const Ownership& ownership) {
    begin("ownership", ownership.source);
    add_time(ownership.time);
    append_text(out_.text(), R"(,"context":{},"privilege":"{}","virtual":{})", ownership.context,
                privilege_name(ownership.privilege), ownership.virtualised);
    end();
}

void RecordJson::begin(const char* type, std::uint16_t source) {
    empty_ = false;
    append_text(out_.text(), R"({{"type":"{}","source":{})", type, source);
}

/// Unknown is null: to be left out would look like a field that this type does not have.
void RecordJson::add_time(TraceTime time) {
    append_text(out_.text(), ",\"time\":{}", time ? fmt::format("{}", *time) : "null");
}

/// Addresses are strings: readers of JSON round large numbers.
void RecordJson::add_place(std::uint16_t source, std::uint64_t address) {
    append_text(out_.text(), R"(,"address":"{:#x}")", address);
    if (places_ == nullptr) {
        return;
    }
    const CodePlace& place = places_->find(source, address);
    if (place.function != nullptr) {
        append_text(out_.text(), ",\"function\":{}", json_string(place.function->name));
    }
    if (place.source.line != 0) {
        append_text(out_.text(), R"(,"file":{},"line":{})", json_string(place.source.file),
                    place.source.line);
    }
}

void RecordJson::end() {
    out_.text() += "}\n";
    out_.flush_blocks();
}

} // namespace pes::trace

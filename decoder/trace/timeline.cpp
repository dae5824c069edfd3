// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/timeline.h"

#include "decoder/trace/json_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pes::trace {

using namespace perf_record;

namespace {

template <typename... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

/// Viewers show process 0 and thread 0 apart from the others.
unsigned process_of(std::uint16_t source) {
    return source + 1U;
}

} // namespace

Timeline::Timeline(OutputFile* file, CodePlaces* places, std::uint64_t clock_hz)
    : out_(file), places_(places), clock_hz_(clock_hz) {
    out_.text() = R"({"displayTimeUnit":"ns","traceEvents":[)";
}

void Timeline::header(std::uint16_t number, const PerfHeader&, TraceTime time) {
    source(number).previous = {};
    mark(number, Track::Events, time, "performance header");
}

void Timeline::record(const PerfRecord& record) {
    Source& from = source(record.source);
    if (!has_call_site(record.kind)) {
        mark(record.source, Track::Functions, record.time,
             fmt::format("{} record: {}", to_string(record.kind),
                         function_at(record.source, record.address)));
    }
    for (unsigned counter = 0; counter < kMostCounters; ++counter) {
        if ((record.header->mask >> counter & 1) != 0) {
            count(from, record, counter);
        }
    }
}

void Timeline::count(Source& from, const PerfRecord& record, unsigned counter) {
    const CounterDefinition& definition = record.header->definitions[counter];
    std::uint64_t value = record.values[counter];
    if (record.header->type != CountType::Delta) {
        const auto before = std::exchange(from.previous[counter], value);
        if (!before) {
            return; // from when on it counted is not known
        }
        value = unwrapped(value, *before, definition.info.width) - *before;
    }
    begin('C', record.source, Track::Functions, record.time);
    append(out_.text(), R"(,"name":{},"args":{{"count":{}}}}})",
           json_string(fmt::format("counter {}: {}", counter, counter_name(definition))), value);
    out_.flush_blocks();
}

void Timeline::lost(std::uint16_t number, const PerfLoss& loss) {
    source(number).previous = {};
    mark(number, Track::Events, std::nullopt,
         fmt::format("records lost: {}", describe(loss.reason)));
}

void Timeline::entered(std::uint16_t number, const std::vector<Frame>& frames) {
    const Frame& frame = frames.back();
    std::vector<std::string>& calls = source(number).calls;
    calls.push_back(name_of(number, frame));
    begin('B', number, Track::Functions, frame.time);
    // The place of the call is no argument: speedscope takes arguments for a part of the name, and
    // then finds no end of that name.
    append(out_.text(), R"(,"name":{},"cat":"from {:#x}"}})", json_string(calls.back()),
           frame.site);
    out_.flush_blocks();
}

void Timeline::left(std::uint16_t number, const std::vector<Frame>& frames, FrameEnd,
                    FlowTime time) {
    std::vector<std::string>& calls = source(number).calls;
    if (calls.empty()) {
        calls.push_back(name_of(number, frames.back())); // it was entered before this listened
    }
    const std::string name = std::move(calls.back()); // the process may be another one by now
    calls.pop_back();
    end(number, Track::Functions, time, name);
}

/// Those of a message with counters as tracks of their own.
void Timeline::count(const TraceEvent& event) {
    for (unsigned i = 0; i < kEventCounters; ++i) {
        begin('C', event.source, Track::Events, event.time);
        append(out_.text(), R"(,"name":"event counter {}","args":{{"count":{}}}}})", i,
               (*event.counters)[i]);
    }
    out_.flush_blocks();
}

void Timeline::event(const TraceEvent& event) {
    if (event.counters) {
        count(event);
        return;
    }
    std::string name = to_string(event.kind);
    if (event.has_value && event.kind != EventSource::CallReturn) {
        append(name, " {}", event.value);
    }
    if (event.address) {
        append(name, ": {}", function_at(event.source, *event.address));
    }
    mark(event.source, Track::Events, event.time, name);
}

void Timeline::ownership(const Ownership& ownership) {
    Source& from = source(ownership.source);
    if (!from.owner.empty()) {
        end(ownership.source, Track::Ownership, ownership.time, from.owner);
    }
    from.owner = fmt::format("context {}, privilege {}{}", ownership.context, ownership.privilege,
                             ownership.virtualised ? ", virtual" : "");
    begin('B', ownership.source, Track::Ownership, ownership.time);
    append(out_.text(), R"(,"name":{}}})", json_string(from.owner));
    out_.flush_blocks();
}

void Timeline::finish() {
    for (auto& [number, from] : sources_) {
        if (!from.owner.empty()) {
            end(number, Track::Ownership, from.time, from.owner);
        }
    }
    out_.text() += "\n]}\n";
    out_.flush();
}

Timeline::Source& Timeline::source(std::uint16_t number) {
    const auto [entry, is_new] = sources_.try_emplace(number);
    if (is_new) {
        name_track(number, "process_name", Track::Functions, fmt::format("source {}", number));
        name_track(number, "thread_name", Track::Functions, "functions");
        name_track(number, "thread_name", Track::Ownership, "ownership");
        name_track(number, "thread_name", Track::Events, "events");
    }
    return entry->second;
}

void Timeline::name_track(std::uint16_t number, const char* what, Track track,
                          const std::string& name) {
    append(out_.text(),
           "{}\n{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"name\":{}}}}}",
           std::exchange(first_, false) ? "" : ",", process_of(number),
           static_cast<unsigned>(track), what, json_string(name));
}

void Timeline::begin(char phase, std::uint16_t number, Track track, TraceTime time) {
    Source& from = source(number);
    from.time = std::max(from.time, time.value_or(0)); // slices of a thread must not go back
    const auto nanoseconds = static_cast<std::uint64_t>(static_cast<long double>(from.time) * 1e9L /
                                                        static_cast<long double>(clock_hz_));
    append(out_.text(), ",\n{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03}", phase,
           process_of(number), static_cast<unsigned>(track), nanoseconds / 1000,
           nanoseconds % 1000);
}

void Timeline::end(std::uint16_t number, Track track, TraceTime time, const std::string& name) {
    begin('E', number, track, time);
    append(out_.text(), R"(,"name":{}}})", json_string(name));
    out_.flush_blocks();
}

void Timeline::mark(std::uint16_t number, Track track, TraceTime time, const std::string& name) {
    begin('i', number, track, time);
    append(out_.text(), R"(,"s":"t","name":{}}})", json_string(name));
    out_.flush_blocks();
}

std::string Timeline::name_of(std::uint16_t number, const Frame& frame) const {
    const std::string name = function_at(number, frame.entry);
    return frame.kind == FrameKind::Trap ? "trap: " + name : name;
}

std::string Timeline::function_at(std::uint16_t number, std::uint64_t address) const {
    const Function* function =
        places_ == nullptr ? nullptr : places_->find(number, address).function;
    return function == nullptr ? fmt::format("{:#x}", address) : function->name;
}

} // namespace pes::trace

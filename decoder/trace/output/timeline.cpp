// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/timeline.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>
#include <utility>

namespace pes::trace {

using namespace perf_record;

Timeline::Timeline(OutputFile* file, CodePlaces* places, std::uint64_t clock_hz)
    : out_(file, clock_hz), places_(places) {}

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
    out_.count(at(record.source, Track::Functions), ticks_of(record.source, record.time),
               fmt::format("counter {}: {}", counter, counter_name(definition)), value);
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
    // The place of the call is no argument: speedscope takes arguments for a part of the name, and
    // then finds no end of that name.
    out_.begin_slice(at(number, Track::Functions), ticks_of(number, frame.time), calls.back(),
                     fmt::format("from {:#x}", frame.site));
}

void Timeline::left(std::uint16_t number, const std::vector<Frame>& frames, FrameEnd,
                    FlowTime time) {
    std::vector<std::string>& calls = source(number).calls;
    if (calls.empty()) {
        calls.push_back(name_of(number, frames.back())); // it was entered before this listened
    }
    const std::string name = std::move(calls.back()); // the process may be another one by now
    calls.pop_back();
    out_.end_slice(at(number, Track::Functions), ticks_of(number, time), name);
}

/// Those of a message with counters as tracks of their own.
void Timeline::count(const TraceEvent& event) {
    for (unsigned i = 0; i < kEventCounters; ++i) {
        out_.count(at(event.source, Track::Events), ticks_of(event.source, event.time),
                   fmt::format("event counter {}", i), (*event.counters)[i]);
    }
}

void Timeline::event(const TraceEvent& event) {
    if (event.counters) {
        count(event);
        return;
    }
    std::string name = to_string(event.kind);
    if (event.has_value && event.kind != EventSource::CallReturn) {
        name += fmt::format(" {}", event.value);
    }
    if (event.address) {
        name += ": " + function_at(event.source, *event.address);
    }
    mark(event.source, Track::Events, event.time, name);
}

void Timeline::ownership(const Ownership& ownership) {
    Source& from = source(ownership.source);
    const auto place = at(ownership.source, Track::Ownership);
    const std::uint64_t ticks = ticks_of(ownership.source, ownership.time);
    if (!from.owner.empty()) {
        out_.end_slice(place, ticks, from.owner);
    }
    from.owner = fmt::format("context {}, privilege {}{}", ownership.context, ownership.privilege,
                             ownership.virtualised ? ", virtual" : "");
    out_.begin_slice(place, ticks, from.owner);
}

void Timeline::finish() {
    for (auto& [number, from] : sources_) {
        if (!from.owner.empty()) {
            out_.end_slice(at(number, Track::Ownership), from.time, from.owner);
        }
    }
    out_.finish();
}

Timeline::Source& Timeline::source(std::uint16_t number) {
    const auto [entry, is_new] = sources_.try_emplace(number);
    if (is_new) {
        out_.name_process(number, fmt::format("source {}", number));
        out_.name_track(at(number, Track::Functions), "functions");
        out_.name_track(at(number, Track::Ownership), "ownership");
        out_.name_track(at(number, Track::Events), "events");
    }
    return entry->second;
}

std::uint64_t Timeline::ticks_of(std::uint16_t number, TraceTime time) {
    Source& from = source(number);
    from.time = std::max(from.time, time.value_or(0)); // slices of a track must not go back
    return from.time;
}

void Timeline::mark(std::uint16_t number, Track track, TraceTime time, const std::string& name) {
    out_.mark(at(number, track), ticks_of(number, time), name);
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

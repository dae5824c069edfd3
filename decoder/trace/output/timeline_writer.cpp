// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/timeline_writer.h"

#include "decoder/trace/output/append_text.h"
#include "decoder/trace/output/json_text.h"

#include <algorithm>
#include <utility>

namespace pes::trace {
namespace {

std::string microseconds(std::uint64_t nanoseconds) {
    return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

} // namespace

TimelineWriter::TimelineWriter(OutputFile* file, std::uint64_t clock_hz)
    : out_(file), clock_hz_(clock_hz) {
    out_.text() = R"({"displayTimeUnit":"ns","traceEvents":[)";
}

void TimelineWriter::name_process(std::uint16_t source, const std::string& name) {
    this->name({.source = source}, "process_name", name);
}

void TimelineWriter::name_track(Place place, const std::string& name) {
    this->name(place, "thread_name", name);
}

void TimelineWriter::begin_slice(Place place, std::uint64_t ticks, const std::string& name,
                                 std::string_view category) {
    edge('B', place, ticks);
    append_text(out_.text(), R"(,"name":{})", json_string(name));
    if (!category.empty()) {
        append_text(out_.text(), R"(,"cat":{})", json_string(category));
    }
    out_.text() += '}';
    out_.flush_blocks();
}

void TimelineWriter::end_slice(Place place, std::uint64_t ticks, const std::string& name) {
    edge('E', place, ticks);
    append_text(out_.text(), R"(,"name":{}}})", json_string(name));
    out_.flush_blocks();
}

void TimelineWriter::mark(Place place, std::uint64_t ticks, const std::string& name) {
    begin('i', place, nanoseconds(ticks));
    append_text(out_.text(), R"(,"s":"t","name":{}}})", json_string(name));
    out_.flush_blocks();
}

void TimelineWriter::count(Place place, std::uint64_t ticks, const std::string& name,
                           std::uint64_t value) {
    begin('C', place, nanoseconds(ticks));
    append_text(out_.text(), R"(,"name":{},"args":{{"count":{}}}}})", json_string(name), value);
    out_.flush_blocks();
}

void TimelineWriter::finish() {
    out_.text() += "\n]}\n";
    out_.flush();
}

void TimelineWriter::begin(char phase, Place place) {
    // Viewers show process 0 apart from the others.
    append_text(out_.text(), R"({}{{"ph":"{}","pid":{},"tid":{})",
                std::exchange(first_, false) ? "\n" : ",\n", phase, place.source + 1U, place.track);
}

void TimelineWriter::begin(char phase, Place place, std::uint64_t nanoseconds) {
    begin(phase, place);
    append_text(out_.text(), R"(,"ts":{})", microseconds(nanoseconds));
}

void TimelineWriter::edge(char phase, Place place, std::uint64_t ticks) {
    Edge& last = edges_[{place.source, place.track}];
    const bool may_share = last.phase == 0 || (last.phase == 'E' && phase == 'E');
    last = {std::max(nanoseconds(ticks), last.nanoseconds + (may_share ? 0 : 1)), phase};
    begin(phase, place, last.nanoseconds);
}

void TimelineWriter::name(Place place, const char* what, const std::string& name) {
    begin('M', place);
    append_text(out_.text(), R"(,"name":"{}","args":{{"name":{}}}}})", what, json_string(name));
}

std::uint64_t TimelineWriter::nanoseconds(std::uint64_t ticks) const {
    return static_cast<std::uint64_t>(static_cast<long double>(ticks) * 1e9L /
                                      static_cast<long double>(clock_hz_));
}

} // namespace pes::trace

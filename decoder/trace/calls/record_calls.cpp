// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/calls/record_calls.h"

#include <algorithm>

namespace pes::trace {

using perf_record::RecordKind;

/// Software has switched its trace on: what was open before is not known to be so still.
void RecordCalls::header(std::uint16_t source, const PerfHeader&, TraceTime) {
    pop_all(source, FrameEnd::Stopped);
}

void RecordCalls::record(const PerfRecord& record) {
    Stack& calls = stack(record.source);
    calls.last = record.time ? record.time : calls.last;
    if (record.kind == RecordKind::FunctionExit) {
        leave(record.source, record);
    } else if (record.kind == RecordKind::FunctionEnter) {
        enter(record.source, record);
    }
}

void RecordCalls::enter(std::uint16_t source, const PerfRecord& record) {
    Stack& calls = stack(source);
    if (calls.frames.size() == CallTracker::kMostFrames) {
        ++calls.untracked;
        ++too_deep_;
        return;
    }
    calls.frames.push_back(
        {FrameKind::Call, record.address, record.call_site, record.call_site, record.time});
    listener_.entered(source, calls.frames);
}

void RecordCalls::leave(std::uint16_t source, const PerfRecord& record) {
    Stack& calls = stack(source);
    if (calls.untracked > 0) {
        --calls.untracked;
        return;
    }
    const auto entered =
        std::find_if(calls.frames.rbegin(), calls.frames.rend(),
                     [&](const Frame& frame) { return frame.entry == record.address; });
    if (entered == calls.frames.rend()) {
        return;
    }
    for (auto above = entered - calls.frames.rbegin(); above > 0; --above) {
        pop(source, calls, FrameEnd::Unwound);
    }
    pop(source, calls, FrameEnd::Returned);
}

void RecordCalls::lost(std::uint16_t source, const PerfLoss&) {
    pop_all(source, FrameEnd::Lost);
}

void RecordCalls::finish() {
    for (std::size_t source = 0; source < stacks_.size(); ++source) {
        pop_all(static_cast<std::uint16_t>(source), FrameEnd::Stopped);
    }
}

void RecordCalls::pop(std::uint16_t source, Stack& calls, FrameEnd end) {
    listener_.left(source, calls.frames, end, calls.last);
    calls.frames.pop_back();
}

void RecordCalls::pop_all(std::uint16_t source, FrameEnd end) {
    Stack& calls = stack(source);
    calls.untracked = 0;
    while (!calls.frames.empty()) {
        pop(source, calls, end);
    }
}

RecordCalls::Stack& RecordCalls::stack(std::uint16_t source) {
    if (source >= stacks_.size()) {
        stacks_.resize(source + std::size_t{1});
    }
    return stacks_[source];
}

} // namespace pes::trace

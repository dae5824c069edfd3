// SPDX-License-Identifier: Apache-2.0
#include "decoder/report/function_slices.h"

#include "platform/host/numbers.h"

#include <algorithm>

namespace pes {

/// Times that are unknown are those of the message before.
std::uint64_t FunctionSlices::reach(Source& from, trace::FlowTime time) {
    from.time = std::max(from.time, time.value_or(0));
    return from.time;
}

std::size_t FunctionSlices::name_of(const trace::Frame& frame) {
    const Function* const function = symbols_.find(frame.entry).function;
    std::string name = function == nullptr ? hex(frame.entry) : function->name;
    if (frame.kind == trace::FrameKind::Trap) {
        name = "trap: " + name;
    }
    const auto [known, added] = name_numbers_.try_emplace(name, names_.size());
    if (added) {
        names_.push_back(name);
    }
    return known->second;
}

void FunctionSlices::entered(std::uint16_t source, const std::vector<trace::Frame>& frames) {
    Source& from = sources_[source];
    while (from.open.size() + 1 < frames.size()) { // those before the first call are not told
        const trace::Frame& outer = frames[from.open.size()];
        from.open.push_back({calls_++, reach(from, outer.time), name_of(outer)});
    }
    from.open.push_back({calls_++, reach(from, frames.back().time), name_of(frames.back())});
}

void FunctionSlices::left(std::uint16_t source, const std::vector<trace::Frame>&, trace::FrameEnd,
                          trace::FlowTime time) {
    Source& from = sources_[source];
    reach(from, time);
    if (!from.open.empty()) {
        close(source, from);
    }
}

void FunctionSlices::ran(const trace::InstructionRun& run, const std::vector<trace::Frame>&) {
    reach(sources_[run.source], run.time);
}

void FunctionSlices::close(std::uint16_t number, Source& from) {
    const Open open = from.open.back();
    from.open.pop_back();
    if (from.time - open.begin < shortest_) {
        ++dropped_;
        return;
    }
    kept_.push_back({open.number,
                     {.hart = number,
                      .depth = static_cast<std::uint32_t>(from.open.size()),
                      .name = open.name,
                      .begin = open.begin,
                      .end = from.time}});
    while (kept_.size() > kMost) { // a slice is at least as long as those within it
        shortest_ *= 2;
        dropped_ += std::erase_if(kept_, [this](const Kept& kept) {
            return kept.slice.end - kept.slice.begin < shortest_;
        });
    }
}

FunctionTimeline FunctionSlices::finish() {
    for (auto& [number, from] : sources_) {
        while (!from.open.empty()) {
            close(number, from);
        }
    }
    std::ranges::sort(kept_, {},
                      [](const Kept& kept) { return std::pair(kept.slice.hart, kept.number); });
    FunctionTimeline timeline{.names = names_, .slices = {}, .dropped = dropped_};
    for (const Kept& kept : kept_) {
        timeline.slices.push_back(kept.slice);
    }
    return timeline;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/rtl_recorder.h"

#include <algorithm>
#include <utility>

namespace pes {

RtlRecorder::RtlRecorder(RtlModel& model) : model_(&model) {
    inputs_.reserve(2 * kInterval);
    model_->save(present_.state);
    before_ = present_;
}

void RtlRecorder::checkpoint(Cycle now) {
    earlier_ = pulses_before(present_begin_);
    inputs_.erase(inputs_.begin(), inputs_.begin() + static_cast<std::ptrdiff_t>(present_begin_));
    present_begin_ = inputs_.size();
    std::swap(before_, present_);
    model_->save(present_.state);
    present_.next = now + 1;
}

void RtlRecorder::replay(RtlModel& fresh, RtlModel::DumpText text,
                         std::optional<std::uint16_t> read) const {
    fresh.reset();
    fresh.restore(before_.state);
    fresh.start_trace(std::move(text), before_.next);
    RtlModel::Outputs outputs;
    for (const RtlModel::Inputs& inputs : inputs_) {
        fresh.cycle(inputs, outputs);
    }
    if (read) {
        fresh.read(*read);
    }
    fresh.stop_trace();
}

std::vector<RtlRecorder::PastCycle> RtlRecorder::pulses_before(std::size_t end) const {
    std::vector<PastCycle> found; // latest first
    std::size_t pulses = 0;
    const auto take = [&](const PastCycle& past) {
        if (has_pulses(past) || past.inputs.write) {
            pulses += has_pulses(past) ? 1 : 0;
            found.push_back(past);
        }
    };
    for (std::size_t at = end; at != 0 && pulses < kPulses; --at) {
        take({.cycle = before_.next + at - 1, .inputs = inputs_[at - 1]});
    }
    for (auto past = earlier_.rbegin(); past != earlier_.rend() && pulses < kPulses; ++past) {
        take(*past);
    }
    std::ranges::reverse(found);
    return found;
}

} // namespace pes

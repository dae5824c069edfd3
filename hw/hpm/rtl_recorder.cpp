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

std::vector<RtlModel::Inputs> RtlRecorder::last(std::size_t count) const {
    const std::size_t kept = std::min(count, inputs_.size());
    return {inputs_.end() - static_cast<std::ptrdiff_t>(kept), inputs_.end()};
}

} // namespace pes

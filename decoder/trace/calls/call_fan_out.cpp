// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/calls/call_fan_out.h"

namespace pes::trace {

void CallFanOut::Origin::entered(std::uint16_t source, const std::vector<Frame>& frames) {
    if (owner_.tells(*this, source)) {
        owner_.any_ = true;
        for (CallListener* listener : owner_.listeners_) {
            listener->entered(source, frames);
        }
    }
}

void CallFanOut::Origin::left(std::uint16_t source, const std::vector<Frame>& frames, FrameEnd end,
                              FlowTime time) {
    if (owner_.tells(*this, source)) {
        for (CallListener* listener : owner_.listeners_) {
            listener->left(source, frames, end, time);
        }
    }
}

void CallFanOut::Origin::interrupted(std::uint16_t source) {
    const auto teller = owner_.tellers_.find(source);
    if (teller != owner_.tellers_.end() && teller->second == this) {
        for (CallListener* listener : owner_.listeners_) {
            listener->interrupted(source);
        }
    }
}

void CallFanOut::Origin::ran(const InstructionRun& run, const std::vector<Frame>& frames) {
    if (owner_.tells(*this, run.source)) {
        for (CallListener* listener : owner_.listeners_) {
            listener->ran(run, frames);
        }
    }
}

bool CallFanOut::tells(const Origin& origin, std::uint16_t source) {
    return tellers_.try_emplace(source, &origin).first->second == &origin;
}

} // namespace pes::trace

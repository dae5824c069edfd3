// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/rtl_recorder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace pes {
namespace {

/// Walks back through cycles and takes of each source the first `share` that it meets.
class Shares {
  public:
    explicit Shares(std::size_t share) : share_(share) {}

    /// True if some source of the cycle has not had its share yet.
    bool take(const RtlRecorder::PastCycle& past) {
        EventMask sources = past.inputs.pulses & ~(event_bit(Event::None) | kWrite);
        sources |= past.inputs.retired != 0 ? event_bit(Event::None) : 0;
        sources |= past.inputs.write ? kWrite : 0;
        if ((sources & open_) == 0) {
            return false;
        }
        for (EventMask left = sources & open_; left != 0; left &= left - 1) {
            const auto source = static_cast<std::size_t>(std::countr_zero(left));
            if (++taken_[source] == share_) {
                open_ &= ~(EventMask{1} << source);
            }
        }
        return true;
    }

  private:
    static constexpr EventMask kWrite = EventMask{1} << 63; ///< no Event
    static_assert(kEventCount < 63);

    std::size_t share_;
    EventMask open_ = ~EventMask{0};
    std::array<std::size_t, 64> taken_{};
};

} // namespace

RtlRecorder::RtlRecorder(RtlModel& model) : model_(&model) {
    inputs_.reserve(2 * kInterval);
    save();
    before_ = present_;
}

void RtlRecorder::checkpoint(Cycle now) {
    earlier_ = past_before(present_begin_);
    inputs_.erase(inputs_.begin(), inputs_.begin() + static_cast<std::ptrdiff_t>(present_begin_));
    present_begin_ = inputs_.size();
    std::swap(before_, present_);
    save();
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

void RtlRecorder::save() {
    if (model_->can_save()) {
        model_->save(present_.state);
    }
}

std::vector<RtlRecorder::PastCycle> RtlRecorder::past_before(std::size_t end) const {
    std::vector<PastCycle> found; // latest first
    Shares shares(kPulses);
    const auto take = [&](const PastCycle& past) {
        if (shares.take(past)) {
            found.push_back(past);
        }
    };
    for (std::size_t at = end; at != 0; --at) {
        take({.cycle = before_.next + at - 1, .inputs = inputs_[at - 1]});
    }
    std::for_each(earlier_.rbegin(), earlier_.rend(), take);
    std::ranges::reverse(found);
    return found;
}

std::vector<RtlRecorder::PastCycle> RtlRecorder::last_pulses() const {
    const std::vector<PastCycle> past = past_before(inputs_.size());
    std::vector<bool> listed;
    std::ptrdiff_t count = 0;
    for (std::size_t share = kPulses; share != 0; --share) {
        listed.assign(past.size(), false);
        Shares shares(share);
        for (std::size_t at = past.size(); at-- != 0;) {
            listed[at] = shares.take(past[at]) && has_pulses(past[at]);
        }
        count = std::ranges::count(listed, true);
        if (count <= static_cast<std::ptrdiff_t>(kPulses)) {
            break;
        }
    }
    for (std::size_t at = past.size(); at-- != 0 && count < static_cast<std::ptrdiff_t>(kPulses);) {
        if (!listed[at] && has_pulses(past[at])) {
            listed[at] = true;
            ++count;
        }
    }
    const bool all = count < static_cast<std::ptrdiff_t>(kPulses);
    std::vector<PastCycle> result;
    for (std::size_t at = 0; at < past.size(); ++at) {
        if (listed[at] || (!has_pulses(past[at]) && (all || !result.empty()))) { // else a write
            result.push_back(past[at]);
        }
    }
    return result;
}

} // namespace pes

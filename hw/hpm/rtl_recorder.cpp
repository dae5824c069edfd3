// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/rtl_recorder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pes {
namespace {

/// Walks back through the cycles and takes, for each source, the first `share` cycles that it
/// finds.
class Shares {
  public:
    explicit Shares(std::size_t share) : share_(share) {}

    /// True if some source of the cycle has not used up its share.
    bool take(const RtlRecorder::PastCycle& past) {
        bool took = false;
        const auto take_of = [this, &took](std::size_t source) {
            if (taken_[source] != share_) {
                ++taken_[source];
                took = true;
            }
        };
        (past.inputs.pulses - event_bit(Event::None)).for_each([&take_of](Event source) {
            take_of(static_cast<std::size_t>(source));
        });
        if (past.inputs.retired != 0) {
            take_of(kRetirement);
        }
        if (past.inputs.write) {
            take_of(kWrite);
        }
        return took;
    }

  private:
    static constexpr std::size_t kRetirement = kEventCount;
    static constexpr std::size_t kWrite = kEventCount + 1;

    std::size_t share_;
    std::array<std::size_t, kEventCount + 2> taken_{}; ///< index = Event, or one of the above
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
    fresh.restore(before_.state_bytes);
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
        model_->save(present_.state_bytes);
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

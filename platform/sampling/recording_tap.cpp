// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/recording_tap.h"

#include <algorithm>
#include <utility>

namespace pes {

void RecordingTap::add(const TakenSample& sample) {
    samples_.push_back(sample);
    SampleRecord& added = samples_.back().record;
    if (odd_one_) {
        added.threshold = joined_weight(*odd_one_, added);
        odd_one_.reset();
    }
    await_stack(samples_.back());
    if (limit_ != nullptr) {
        limit_->recorded();
    }
}

void RecordingTap::thin() {
    std::vector<TakenSample> kept;
    for (std::size_t index = 1; index < samples_.size(); index += 2) {
        kept.push_back(samples_[index]);
        kept.back().record.threshold =
            joined_weight(samples_[index - 1].record, samples_[index].record);
    }
    if (samples_.size() % 2 != 0) {
        odd_one_ = samples_.back().record;
    }
    awaited_ = kept.size() - (samples_.size() - awaited_) / 2;
    samples_ = std::move(kept);
    period_ *= 2;
    period_changed();
}

void RecordingTap::await_stack(TakenSample& sample) {
    if (plan_.frames == nullptr && !plan_.snapshots) {
        return;
    }
    if (plan_.frames != nullptr) {
        sample.stack = plan_.stacks->number_of({}); // for the case that the run ends
    }
    ++awaited_;
    if (!std::exchange(waits_, true)) {
        hart_->add_observer(stack_taker_);
    }
}

void RecordingTap::take_stacks(Address pc, Privilege privilege) {
    const CallFrames::ReadMemory read = [this](Address address, std::span<std::byte> bytes) {
        return hart_->look_at(address, bytes);
    };
    CallFrames::Registers registers{};
    std::copy_n(hart_->state().x.begin(), registers.size(), registers.begin());
    for (; awaited_ > 0; --awaited_) {
        TakenSample& sample = samples_[samples_.size() - awaited_];
        if (sample.record.privilege != static_cast<std::uint8_t>(privilege)) {
            continue;
        }
        if (plan_.frames != nullptr) {
            sample.stack = plan_.stacks->number_of(plan_.frames->calls_around(
                sample.record.pc, {.pc = pc, .registers = registers, .read = read}));
        } else if (privilege == Privilege::User) {
            sample.snapshot = std::make_shared<StackSnapshot>(*hart_, pc);
        }
    }
    waits_ = false;
    hart_->remove_observer(stack_taker_);
}

} // namespace pes

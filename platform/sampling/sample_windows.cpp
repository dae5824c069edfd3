// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/sample_windows.h"

#include <algorithm>
#include <utility>

namespace pes {

std::optional<std::uint64_t> SampleWindows::lead(Cycle now, std::uint64_t left,
                                                 std::uint64_t period) const {
    if (records_ || spent_ > kBudget + now / kShare) {
        return std::nullopt;
    }
    const std::uint64_t step = std::max<std::uint64_t>(1, period / unit_);
    const std::uint64_t missing = target_ > number_ ? target_ - number_ : 1;
    const std::uint64_t triggers = (missing + step - 1) / step;
    if (triggers == 1) {
        return std::min(left, lead_);
    }
    // From the next trigger on, would it be too late?
    return (triggers - 1) * period <= lead_ ? std::optional(left) : std::nullopt;
}

void SampleWindows::begin(Cycle now) {
    records_ = true;
    begun_ = now;
    known_from_ = kNever;
    recorder_.emplace(index_, static_cast<PipelineLog&>(*this), nullptr,
                      PipelineWindow{.from = now + kDelay});
    recorder_->attach(*hart_);
}

void SampleWindows::triggered(std::uint64_t tag, Cycle cycle, std::uint64_t period) {
    number_ += std::max<std::uint64_t>(1, period / unit_);
    if (records_ && !sample_ && number_ >= target_) {
        sample_ = {.tag = tag, .trigger = cycle};
    }
}

void SampleWindows::captured(std::uint64_t tag, const SeenInstruction* instruction) {
    if (sample_ && sample_->tag == tag && instruction != nullptr) {
        sample_->pc = instruction->key.pc;
        sample_->decode = instruction->decode;
    }
}

LoggedInstruction::Handle SampleWindows::add(LoggedInstruction instruction) {
    const Cycle now = instruction.fetched;
    if (known_from_ == kNever) {
        known_from_ = instruction.last;
    }
    seen_.push_back(std::move(instruction));
    while (!sample_ && seen_.front().last + kRemembered < now) {
        seen_.pop_front();
    }
    look(now);
    return nullptr;
}

/// Everything that was fetched before `now` is known.
void SampleWindows::look(Cycle now) {
    if (!sample_) {
        if (now > begun_ + kPatience) {
            lead_ = std::max<std::uint64_t>(1, lead_ / 2);
            stop(now);
        }
        return;
    }
    if (now < sample_->trigger + kBehind) {
        return;
    }
    if (std::optional<SampleWindow> found = window(now)) {
        keep(std::move(*found));
        stop(now);
    } else if (now >= sample_->trigger + kLongest) {
        stop(now);
    }
}

/// Nothing if something of it is not known, or not yet.
std::optional<SampleWindow> SampleWindows::window(Cycle now) const {
    const auto sampled = std::ranges::find_if(seen_, [this](const LoggedInstruction& one) {
        return one.pc == sample_->pc && one.decode == sample_->decode;
    });
    if (sampled == seen_.end()) {
        return std::nullopt;
    }
    SampleWindow window{.hart = index_, .trigger = sample_->trigger};
    window.from = std::min(window.trigger - std::min(window.trigger, kBefore), sampled->fetched);
    window.to = std::max(window.trigger + kBehind, sampled->last + 1);
    if (window.to > now || window.to - window.from > kLongest || known_from_ > window.from) {
        return std::nullopt;
    }
    for (auto one = seen_.begin(); one != seen_.end(); ++one) {
        if (one == sampled) {
            window.sampled = window.instructions.size();
        }
        if (one->last >= window.from && one->fetched < window.to) {
            window.instructions.push_back(*one);
        }
    }
    return window;
}

/// If there are too many, every second one goes, and the next ones are as far apart as the others.
void SampleWindows::keep(SampleWindow window) {
    windows_.push_back(std::move(window));
    if (windows_.size() <= most_) {
        return;
    }
    std::vector<SampleWindow> kept;
    for (std::size_t index = 1; index < windows_.size(); index += 2) {
        kept.push_back(std::move(windows_[index]));
    }
    windows_ = std::move(kept);
    spacing_ *= 2;
}

void SampleWindows::stop(Cycle now) {
    spent_ += now - std::min(now, begun_);
    target_ = number_ - number_ % spacing_ + spacing_;
    records_ = false;
    sample_.reset();
    seen_.clear();
    recorder_->leave();
}

} // namespace pes

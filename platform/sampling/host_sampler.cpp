// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/host_sampler.h"

#include <bit>

namespace pes {
namespace {

constexpr unsigned kHalfWordBytes = 2;
/// The sampler's host counters: one crosses when a sample is due, one counts events, and one
/// crosses ahead of the first.
constexpr unsigned kTrigger = 0, kWeight = 1, kAhead = 2;

} // namespace

CounterBank& HostSampler::wrap(CounterBank& seen, HpmBank&) {
    using Trigger = SamplingMethod::Trigger;
    HostCounter trigger{.sources = plan().sources,
                        .period = period(),
                        .spread = plan().spread,
                        .seed = plan().seed};
    if (plan().method->trigger == Trigger::Cycles) {
        trigger.sources = event_bit(Event::Cycles);
    } else if (plan().method->trigger == Trigger::HalfWords) {
        trigger.period = 0;
    }
    std::vector<HostCounter> counters{trigger, HostCounter{.sources = plan().sources}};
    if (windows_ != nullptr) {
        counters.push_back({.sources = trigger.sources});
    }
    CrossingSink& sink = *this;
    return counters_.emplace(seen, counters, sink);
}

void HostSampler::attach(Hart& hart) {
    RecordingTap::attach(hart);
    if (plan().method->trigger == SamplingMethod::Trigger::HalfWords) {
        hart.add_observer(*this);
    }
    if (windows_ != nullptr) {
        windows_->attach(hart);
        plan_window(0);
    }
}

/// Of the next sample.
void HostSampler::plan_window(Cycle now) {
    const std::uint64_t counted = counters_->counted(kTrigger);
    const std::uint64_t left = counters_->next_crossing(kTrigger) - counted;
    if (const auto lead = windows_->lead(now, left, period())) {
        if (*lead < left) {
            counters_->cross_once(kAhead, counted + left - *lead);
        } else {
            windows_->begin(now);
        }
    }
}

/// The record of a sample that is due, without the captured instruction.
TakenSample HostSampler::due(Cycle cycle) {
    const std::uint64_t events = counters_->counted(kWeight);
    const SampleRecord record{.magic = kSampleMagic,
                              .size = kSampleSize,
                              .version = kSampleVersion,
                              .hart = hart_number_,
                              .counter = plan().counter,
                              .privilege = 0,
                              .flags = 0,
                              .event = plan().selector,
                              .pc = 0,
                              .cycle = cycle,
                              .counter_value = events,
                              .threshold = events - counted_,
                              .lost = missed_};
    counted_ = events;
    return {.record = record};
}

void HostSampler::period_changed() {
    if (plan().method->trigger != SamplingMethod::Trigger::HalfWords) {
        counters_->set_period(kTrigger, period());
    }
}

/// Which of two instructions that retire together a sample names: they take turns. Where every
/// second sample may be dropped, and again, the turns are those of the Thue-Morse sequence, of
/// which every second element is the sequence itself.
unsigned HostSampler::shared_cycle(std::uint64_t tag) const {
    return static_cast<unsigned>(plan().automatic ? std::popcount(tag + 1) : tag) % 2;
}

void HostSampler::crossed(const Crossing& crossing) {
    if (crossing.counter == kAhead) {
        windows_->begin(crossing.cycle);
        return;
    }
    const std::uint64_t tag = due_.size();
    if (windows_ != nullptr) {
        windows_->triggered(tag, crossing.cycle, period());
        plan_window(crossing.cycle);
    }
    due_.push_back(due(crossing.cycle));
    const bool cycles = crossing.sources.has(Event::Cycles);
    const unsigned beyond = cycles ? shared_cycle(tag) : crossing.beyond;
    if (plan().skids) {
        numbers_.emplace_back();
        hart().ask({.sight = Sight::Cause,
                    .cycle = crossing.cycle,
                    .sources = crossing.sources,
                    .beyond = beyond,
                    .sink = &causes_,
                    .tag = tag});
    }
    hart().ask({.sight = plan().method->capture,
                .cycle = crossing.cycle + plan().method->delay,
                .sources = crossing.sources,
                .beyond = beyond,
                .sink = this,
                .tag = tag});
}

void HostSampler::Causes::seen(std::uint64_t tag, const SeenInstruction* instruction) {
    owner_.note_skid(tag, owner_.numbers_[tag].cause, instruction);
}

void HostSampler::note_skid(std::uint64_t tag, std::optional<std::uint64_t>& own,
                            const SeenInstruction* instruction) {
    if (instruction != nullptr) {
        own = instruction->number;
    }
    const Numbers& numbers = numbers_[tag];
    if (numbers.sampled && numbers.cause) {
        add_skid(static_cast<std::int64_t>(*numbers.sampled - *numbers.cause));
    }
}

void HostSampler::seen(std::uint64_t tag, const SeenInstruction* instruction) {
    if (plan().skids) {
        note_skid(tag, numbers_[tag].sampled, instruction);
    }
    if (windows_ != nullptr) {
        windows_->captured(tag, instruction);
    }
    if (instruction == nullptr) {
        ++missed_;
        return;
    }
    TakenSample& sample = due_[tag];
    sample.record.privilege = static_cast<std::uint8_t>(instruction->key.context.privilege);
    sample.record.pc = instruction->key.pc;
    sample.satp = instruction->key.context.satp;
    // Of other instructions it is known or not by chance, as they were run.
    sample.data = plan().method->capture == Sight::Cause ? instruction->data.value_or(0) : 0;
    add(sample);
}

void HostSampler::retired(const Retirement& retirement) {
    half_words_ += retirement.length / kHalfWordBytes;
    if (half_words_ < period()) {
        return;
    }
    half_words_ -= period();
    hart().bring_counters_to(retirement.cycle);
    TakenSample sample = due(retirement.cycle);
    sample.record.privilege = static_cast<std::uint8_t>(retirement.privilege);
    sample.record.pc = retirement.pc;
    sample.satp = hart().state().csr.satp();
    add(sample);
}

} // namespace pes

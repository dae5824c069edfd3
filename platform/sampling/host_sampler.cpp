// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/host_sampler.h"

#include <bit>

namespace pes {
namespace {

constexpr unsigned kHalfWordBytes = 2;
/// The sampler's host counters: one crosses when a sample is due, the other counts events.
constexpr unsigned kTrigger = 0, kWeight = 1;

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
    CrossingSink& sink = *this;
    return counters_.emplace(seen, std::vector{trigger, HostCounter{.sources = plan().sources}},
                             sink);
}

void HostSampler::attach(Hart& hart) {
    RecordingTap::attach(hart);
    if (plan().method->trigger == SamplingMethod::Trigger::HalfWords) {
        hart.add_observer(*this);
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
    const std::uint64_t tag = due_.size();
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
    if (instruction == nullptr) {
        ++missed_;
        return;
    }
    TakenSample& sample = due_[tag];
    sample.record.privilege = static_cast<std::uint8_t>(instruction->key.context.privilege);
    sample.record.pc = instruction->key.pc;
    sample.satp = instruction->key.context.satp;
    sample.data = instruction->data.value_or(0);
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
    add(sample);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/host_sampler.h"

namespace pes {
namespace {

constexpr unsigned kHalfWordBytes = 2;
/// In the sampler's list of host counters, behind the one that crosses when a sample is due.
constexpr unsigned kWeight = 1;

} // namespace

CounterBank& HostSampler::wrap(CounterBank& seen, HpmBank&) {
    using Trigger = SamplingMethod::Trigger;
    HostCounter trigger{.sources = plan_.sources,
                        .period = plan_.period,
                        .spread = plan_.spread,
                        .seed = plan_.seed};
    if (plan_.method->trigger == Trigger::Cycles) {
        trigger.sources = event_bit(Event::Cycles);
    } else if (plan_.method->trigger == Trigger::HalfWords) {
        trigger.period = 0;
    }
    CrossingSink& sink = *this;
    return counters_.emplace(seen, std::vector{trigger, HostCounter{.sources = plan_.sources}},
                             sink);
}

void HostSampler::attach(Hart& hart) {
    hart_ = &hart;
    if (plan_.method->trigger == SamplingMethod::Trigger::HalfWords) {
        hart.add_observer(*this);
    }
}

/// The record of a sample that is due, without the captured instruction.
SampleRecord HostSampler::due(Cycle cycle) {
    const std::uint64_t events = counters_->counted(kWeight);
    const SampleRecord record{.magic = kSampleMagic,
                              .size = kSampleSize,
                              .version = kSampleVersion,
                              .hart = hart_number_,
                              .counter = plan_.counter,
                              .privilege = 0,
                              .flags = 0,
                              .event = plan_.selector,
                              .pc = 0,
                              .cycle = cycle,
                              .counter_value = events,
                              .threshold = events - counted_,
                              .lost = missed_};
    counted_ = events;
    return record;
}

void HostSampler::add(SampleRecord record, Privilege privilege, Address pc) {
    record.privilege = static_cast<std::uint8_t>(privilege);
    record.pc = pc;
    records_.push_back(record);
}

void HostSampler::crossed(const Crossing& crossing) {
    const std::uint64_t tag = due_.size();
    due_.push_back(due(crossing.cycle));
    // Two instructions that retire together share the cycle: samples name them alternately.
    const bool cycles = crossing.sources.has(Event::Cycles);
    hart_->ask({.sight = plan_.method->capture,
                .cycle = crossing.cycle + plan_.method->delay,
                .sources = crossing.sources,
                .beyond = cycles ? static_cast<unsigned>(tag % 2) : crossing.beyond,
                .sink = this,
                .tag = tag});
}

void HostSampler::seen(std::uint64_t tag, const SeenInstruction* instruction) {
    if (instruction == nullptr) {
        ++missed_;
        return;
    }
    add(due_[tag], instruction->key.context.privilege, instruction->key.pc);
}

void HostSampler::retired(const Retirement& retirement) {
    half_words_ += retirement.length / kHalfWordBytes;
    if (half_words_ < plan_.period) {
        return;
    }
    half_words_ -= plan_.period;
    hart_->bring_counters_to(retirement.cycle);
    add(due(retirement.cycle), retirement.privilege, retirement.pc);
}

} // namespace pes

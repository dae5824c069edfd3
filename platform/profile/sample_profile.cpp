// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/sample_profile.h"

#include <algorithm>

namespace pes {
namespace {

constexpr std::uint8_t kCycleCounter = 0;
constexpr std::uint8_t kInstretCounter = 2;

} // namespace

EventId event_of(const SampleRecord& record) {
    switch (record.counter) {
    case kCycleCounter:
        return {CounterKind::Cycles, 0};
    case kInstretCounter:
        return {CounterKind::Instret, 0};
    default:
        return {CounterKind::Programmable, record.event};
    }
}

void Tally::add(const Tally& other) {
    samples += other.samples;
    events = saturating_sum(events, other.events);
    lengthened += other.lengthened;
}

void SampleProfile::add(const SampleRecord& record) {
    const Tally one{1, record.threshold, (record.flags & kSampleLengthened) != 0 ? 1U : 0U};
    EventProfile& event = events_[event_of(record)];
    event.total.add(one);
    event.addresses[record.pc].add(one);
    if (static_cast<Privilege>(record.privilege) == Privilege::Machine) {
        event.machine[record.pc].add(one);
    }
    CounterTally& counter = event.counters[record.counter];
    counter.tally.add(one);
    counter.lowest_threshold = std::min(counter.lowest_threshold, record.threshold);
    counter.highest_threshold = std::max(counter.highest_threshold, record.threshold);

    count_privilege(record.privilege);
    count_lost(record.hart, record.lost);
    first_cycle_ = std::min(first_cycle_, record.cycle);
    last_cycle_ = std::max(last_cycle_, record.cycle);
    ++samples_;
    lengthened_ += one.lengthened;
}

void SampleProfile::count_privilege(std::uint8_t privilege) {
    switch (static_cast<Privilege>(privilege)) {
    case Privilege::User:
        ++privileges_.user;
        return;
    case Privilege::Supervisor:
        ++privileges_.supervisor;
        return;
    case Privilege::Machine:
        ++privileges_.machine;
        return;
    }
    ++privileges_.other;
}

void SampleProfile::count_lost(std::uint32_t hart, std::uint64_t lost) {
    std::uint64_t& before = lost_by_hart_[hart];
    lost_ = saturating_sum(lost_, lost >= before ? lost - before : lost);
    before = lost;
}

} // namespace pes

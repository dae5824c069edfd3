// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/counter_coverage.h"

#include "hw/common/archive.h"
#include "hw/hpm/bank_bounds.h"
#include "hw/hpm/counter_names.h"
#include "hw/hpm/privilege_track.h"

#include <algorithm>
#include <bit>

namespace pes {
namespace {

/// Pulses with the two sources that have no pin: every cycle, and what retires.
EventMask all_pulses(const RtlModel::Inputs& inputs) {
    EventMask pulses = (inputs.pulses - event_bit(Event::None)) | event_bit(Event::Cycles);
    if (inputs.retired != 0) {
        pulses |= event_bit(Event::Instructions);
    }
    return pulses;
}

/// mhpmcounter and mhpmevent, 3..31, whether they exist or not.
bool freezes(const RtlModel::Inputs& inputs) {
    const CounterCsr target = decode_counter_csr(inputs.csr);
    return inputs.write && target.index >= kFirstProgrammable &&
           (target.kind == CounterRegister::Counter || target.kind == CounterRegister::Event);
}

} // namespace

CounterCoverage::CounterCoverage(const CounterConfig& config) : config_(&config) {
    counters_[kCycleIndex].sources = event_bit(Event::Cycles);
    counters_[kInstretIndex].sources = event_bit(Event::Instructions);
}

void CounterCoverage::reset() {
    for (unsigned index = kFirstProgrammable; index < kCounterLimit; ++index) {
        counters_[index].sources = {};
    }
    for (Counter& counter : counters_) {
        counter.selector = 0;
    }
    selecting_ = kFixed;
    inhibit_ = reads_ = reached_ = before_ = 0;
}

std::uint32_t CounterCoverage::bit_of(std::uint16_t csr) {
    const CounterCsr target = decode_counter_csr(csr);
    return target.kind == CounterRegister::Counter ? std::uint32_t{1} << target.index : 0;
}

bool CounterCoverage::exists(unsigned index) const {
    return config_->profile->registers == RegisterSet::Hpm &&
           (index == kCycleIndex ||
            (index >= kInstretIndex && index < kFirstProgrammable + config_->programmable));
}

bool CounterCoverage::applies(unsigned index, Point point) const {
    const bool programmable = index >= kFirstProgrammable;
    switch (point) {
    case OverflowRequested:
    case OverflowSilent:
    case OfSet:
    case OfCleared:
        return programmable && config_->sscofpmf;
    case Frozen:
        return programmable && config_->write_freezes;
    case HiddenUser:
    case HiddenSupervisor:
    case HiddenMachine:
    case UserFilterSet:
    case SupervisorFilterSet:
    case MachineFilterSet:
        return programmable ? config_->sscofpmf : config_->smcntrpmf;
    case SelectorWritten:
        return programmable || config_->smcntrpmf;
    default:
        return true;
    }
}

// --- One cycle ----------------------------------------------------------------------------------

void CounterCoverage::before(const ModelBank& bank, const RtlModel::Inputs& inputs) {
    if (config_->profile->registers != RegisterSet::Hpm) {
        return;
    }
    if (inputs.write) {
        write(bank, inputs);
    }
    for (std::uint32_t left = selecting_ | reads_ | (reached_ ^ before_); left != 0;
         left &= left - 1) {
        count(bank, static_cast<unsigned>(std::countr_zero(left)), inputs);
    }
    hit_events(inputs.pulses - event_bit(Event::None), Pulsed);
    block_[TwoRetired] += inputs.retired > 1 ? 1 : 0;
    reads_ = 0;
}

void CounterCoverage::after(const ModelBank& bank, const RtlModel::Inputs& inputs,
                            std::uint32_t reached) {
    before_ = reached_;
    reached_ = reached;
    if (!inputs.write || config_->profile->registers != RegisterSet::Hpm) {
        return;
    }
    const CounterCsr target = decode_counter_csr(inputs.csr);
    if (target.kind == CounterRegister::Inhibit) {
        inhibit_ = static_cast<std::uint32_t>(bank.peek(csr::kMcountinhibit));
    } else if (target.kind == CounterRegister::Event || target.kind == CounterRegister::Filter) {
        look(bank, target.index);
    }
}

void CounterCoverage::look(const ModelBank& bank, unsigned index) {
    Counter& counter = counters_[index];
    if (index >= kFirstProgrammable) {
        counter.selector = bank.peek(event_csr(index));
        if (exists(index)) {
            counter.sources = sources_of(*config_, counter.selector);
        }
        const std::uint32_t bit = std::uint32_t{1} << index;
        selecting_ = counter.sources.any() ? selecting_ | bit : selecting_ & ~bit;
    } else {
        counter.selector = bank.peek(index == kCycleIndex ? csr::kMcyclecfg : csr::kMinstretcfg);
    }
}

void CounterCoverage::count(const ModelBank& bank, unsigned index, const RtlModel::Inputs& inputs) {
    Counter& counter = counters_[index];
    const auto hit = [&counter](Point point, bool holds) { counter.hits[point] += holds ? 1 : 0; };
    const std::uint32_t bit = std::uint32_t{1} << index;
    hit(ThresholdRises, (reached_ & ~before_ & bit) != 0);
    hit(ThresholdFalls, (before_ & ~reached_ & bit) != 0);
    hit(Read, (reads_ & bit) != 0);
    const EventMask pulsing = counter.sources & all_pulses(inputs);
    if (!pulsing.any()) {
        return;
    }
    const bool programmable = index >= kFirstProgrammable;
    const bool written = inputs.write && bit_of(inputs.csr) == bit;
    const bool inhibited = (inhibit_ & bit) != 0;
    const bool hidden = (counter.selector & inhibit_bit(inputs.privilege)) != 0;
    const bool frozen = programmable && config_->write_freezes && freezes(inputs);
    hit(Inhibited, inhibited);
    hit(HiddenUser, hidden && inputs.privilege == Privilege::User);
    hit(HiddenSupervisor, hidden && inputs.privilege == Privilege::Supervisor);
    hit(HiddenMachine, hidden && inputs.privilege == Privilege::Machine);
    hit(Frozen, frozen && !written);
    hit(WrittenOnPulse, written);
    hit(ReadOnPulse, (reads_ & bit) != 0);
    if (written || inhibited || hidden || frozen || (programmable && inputs.debug)) {
        return;
    }
    hit(Counted, true);
    hit_events(pulsing, EventCounted);
    const bool two = pulsing.has(Event::Instructions) && inputs.retired > 1;
    const std::uint64_t value = bank.peek(counter_csr(index));
    const std::uint64_t last = programmable ? low_bits(config_->width) : low_bits(kMaxCounterWidth);
    if (last - value < (two ? 2U : 1U)) {
        hit(Wrapped, true);
        hit_events(pulsing, EventWrapped);
        if (programmable && config_->sscofpmf) {
            const bool set = (bank.peek(event_csr(index)) & csr::kMhpmeventOverflow) != 0;
            hit(set ? OverflowSilent : OverflowRequested, true);
        }
    }
}

/// Before the register changes.
void CounterCoverage::write(const ModelBank& bank, const RtlModel::Inputs& inputs) {
    const CounterCsr target = decode_counter_csr(inputs.csr);
    const auto hit = [&](Point point, bool holds = true) {
        if (holds && exists(target.index) && applies(target.index, point)) {
            ++counters_[target.index].hits[point];
        }
    };
    const auto sets = [&inputs](std::uint64_t bit) { return (inputs.write_data & bit) != 0; };
    switch (target.kind) {
    case CounterRegister::Counter:
        hit(Written);
        break;
    case CounterRegister::Threshold:
        hit(ThresholdWritten);
        break;
    case CounterRegister::Event:
    case CounterRegister::Filter:
        hit(SelectorWritten);
        hit(OfSet, sets(csr::kMhpmeventOverflow));
        hit(OfCleared, !sets(csr::kMhpmeventOverflow) &&
                           (bank.peek(inputs.csr) & csr::kMhpmeventOverflow) != 0);
        hit(UserFilterSet, sets(csr::kMhpmeventUserInhibit));
        hit(SupervisorFilterSet, sets(csr::kMhpmeventSupervisorInhibit));
        hit(MachineFilterSet, sets(csr::kMhpmeventMachineInhibit));
        break;
    case CounterRegister::Inhibit:
        ++block_[InhibitWritten];
        break;
    case CounterRegister::BufferBase:
    case CounterRegister::BufferSize:
    case CounterRegister::BufferOffset:
    case CounterRegister::BufferControl:
        ++block_[BufferWritten];
        break;
    default:
        break;
    }
}

void CounterCoverage::hit_events(const EventMask& pulsing, EventPoint point) {
    pulsing.for_each([&](Event event) { ++events_[static_cast<std::size_t>(event)][point]; });
}

// --- Result -------------------------------------------------------------------------------------

std::vector<CounterCoverage::Row> CounterCoverage::rows() const {
    std::vector<Row> rows;
    for (unsigned index = 0; index < kCounterLimit; ++index) {
        for (std::uint8_t point = 0; exists(index) && point < PointCount; ++point) {
            if (applies(index, static_cast<Point>(point))) {
                rows.push_back(
                    {"counter", counter_name(index), kPoints[point], counters_[index].hits[point]});
            }
        }
    }
    if (rows.empty()) {
        return rows;
    }
    for (const EventRow& row : *config_->profile) {
        if (row.source == Event::None ||
            (!config_->sscofpmf && row.origin == EventOrigin::Sampling)) {
            continue;
        }
        const bool has_pin = row.source != Event::Cycles && row.source != Event::Instructions;
        for (std::uint8_t point = has_pin ? Pulsed : EventCounted; point < EventPointCount;
             ++point) {
            rows.push_back({"event", row.name, kEventPoints[point],
                            events_[static_cast<std::size_t>(row.source)][point]});
        }
    }
    for (std::uint8_t point = 0; point < BlockPointCount; ++point) {
        rows.push_back({"block", "pes_hpm", kBlockPoints[point], block_[point]});
    }
    return rows;
}

CounterCoverage::Seen CounterCoverage::seen() const {
    const std::vector<Row> all = rows();
    return {.points = static_cast<std::size_t>(
                std::ranges::count_if(all, [](const Row& row) { return row.hits != 0; })),
            .of = all.size()};
}

void CounterCoverage::state(Archive& archive) {
    for (Counter& counter : counters_) {
        archive(counter.sources, counter.selector, counter.hits);
    }
    for (auto& event : events_) {
        archive(event);
    }
    archive(block_, selecting_, inhibit_, reads_, reached_, before_);
}

} // namespace pes

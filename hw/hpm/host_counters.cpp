// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/host_counters.h"

#include <algorithm>

namespace pes {

HostCounters::HostCounters(CounterBank& guest, const std::vector<HostCounter>& counters,
                           CrossingSink& sink)
    : guest_(guest), sink_(sink) {
    for (const HostCounter& what : counters) {
        Counter counter{.what = what, .random = RandomNumbers(what.seed)};
        if (what.period != 0) {
            counter.next = first_interval(counter);
        }
        unions_ = unions_ || is_union(counter);
        counters_.push_back(counter);
    }
}

std::uint64_t HostCounters::first_interval(Counter& counter) {
    const std::uint64_t period = counter.what.period;
    return counter.what.seed == 0 ? period : 1 + counter.random.below(period);
}

std::uint64_t HostCounters::next_interval(Counter& counter) {
    const std::uint64_t period = counter.what.period;
    const std::uint64_t most =
        period / 100 * counter.what.spread + period % 100 * counter.what.spread / 100;
    const std::uint64_t least = std::max<std::uint64_t>(1, period - std::min(period, most));
    return most == 0 ? period : least + counter.random.below(period + most - least + 1);
}

std::uint64_t HostCounters::step(const Counter& counter, const CyclePulses& pulses) {
    const EventMask sources = counter.what.sources;
    if (sources == event_bit(Event::Instructions)) {
        return pulses.retired;
    }
    const EventMask live = pulses.events | event_bit(Event::Cycles) |
                           (pulses.retired != 0 ? event_bit(Event::Instructions) : EventMask());
    return (live & sources).any() ? 1 : 0;
}

/// For a counter with one source.
std::uint64_t HostCounters::total(const Counter& counter, const EventTotals& totals, Cycle cycle) {
    const EventMask sources = counter.what.sources;
    if (sources.has(Event::Cycles)) {
        return cycle;
    }
    if (sources.has(Event::Instructions)) {
        return totals.retired;
    }
    return totals.events[static_cast<std::size_t>(sources.first())];
}

EventMask HostCounters::counted() const {
    EventMask sources = guest_.counted();
    for (const Counter& counter : counters_) {
        sources |= counter.what.sources;
    }
    return sources;
}

void HostCounters::tick(const CyclePulses& pulses, Cycle cycle) {
    guest_.tick(pulses, cycle);
    for (Counter& counter : counters_) {
        counter.counted += step(counter, pulses);
    }
    for (unsigned index = 0; index < counters_.size(); ++index) {
        check(index, cycle);
    }
}

void HostCounters::check(unsigned index, Cycle cycle) {
    Counter& counter = counters_[index];
    while (counter.counted >= counter.next) { // a period of 1 can be passed twice in a cycle
        const std::uint64_t at = counter.next;
        counter.next = counter.what.period == 0 ? kNever : at + next_interval(counter);
        sink_.crossed({.counter = index,
                       .sources = counter.what.sources,
                       .cycle = cycle,
                       .beyond = static_cast<unsigned>(counter.counted - at)});
    }
}

/// No counter crosses in here: see safe_cycles() and room().
void HostCounters::advance(const EventTotals& totals, Cycle cycle) {
    guest_.advance(totals, cycle);
    for (Counter& counter : counters_) {
        counter.counted = total(counter, totals, cycle) - counter.base;
    }
}

void HostCounters::state(Archive& archive) {
    if (archive.saves()) {
        archive.refuse("counters of the host cannot be saved");
    }
    guest_.state(archive);
}

/// Nothing has been counted so far.
void HostCounters::restored(const EventTotals& totals) {
    if (guest_.begins_anew()) {
        guest_.restored(totals);
    }
    began_ = now();
    for (Counter& counter : counters_) {
        counter.base = is_union(counter) ? 0 : total(counter, totals, now());
        counter.counted = 0;
    }
}

Cycle HostCounters::safe_cycles() const {
    if (unions_) {
        return 0;
    }
    Cycle safe = guest_.safe_cycles();
    for (const Counter& counter : counters_) {
        if (counter.next != kNever) {
            const unsigned rate = counter.what.sources.has(Event::Instructions) ? 2 : 1;
            safe = std::min(safe, (counter.next - counter.counted - 1) / rate);
        }
    }
    return safe;
}

PulseRoom HostCounters::room() const {
    if (unions_) {
        return {};
    }
    PulseRoom room = guest_.room();
    for (const Counter& counter : counters_) {
        if (counter.next == kNever) {
            continue;
        }
        const EventMask sources = counter.what.sources;
        const std::uint64_t total = counter.base + counter.next - 1;
        if (sources.has(Event::Cycles)) {
            room.cycle = std::min(room.cycle, total);
        } else if (sources.has(Event::Instructions)) {
            room.retired = std::min(room.retired, total);
        } else {
            room.bound(sources.first(), total);
        }
    }
    return room;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The rare ways of a pulse: late, under a long level, or far ahead.
#include "hw/core/timing/pulse_log.h"

#include <algorithm>
#include <cstdlib>

namespace pes {

namespace {

constexpr std::uint32_t bit(Event event) {
    return static_cast<std::uint32_t>(event_bit(event));
}

constexpr std::size_t index(Event event) {
    return static_cast<std::size_t>(event);
}

} // namespace

void PulseLog::pulse_irregular(std::uint32_t events, Cycle cycle) {
    if (cycle < earliest_) {
        moved_ += static_cast<std::uint64_t>(std::popcount(events));
        settle(events, earliest_);
        return;
    }
    events &= ~covered(cycle);
    if (events != 0) {
        insert(any_slot(cycle), events);
    }
}

void PulseLog::retire_irregular(std::uint32_t classes, Cycle cycle) {
    if (classes != 0) {
        pulse_irregular(classes, cycle);
    }
    if (cycle < earliest_) {
        ++moved_;
        cycle = earliest_;
        for (const Slot* slot = find(cycle); slot != nullptr && slot->retired() >= 2;) {
            slot = find(++cycle);
        }
    }
    Slot& slot = any_slot(cycle);
    slot.state += kOneRetired;
    ++retired_;
}

void PulseLog::settle(std::uint32_t events, Cycle from) {
    for (Cycle cycle = from; events != 0; ++cycle) {
        const Slot* known = find(cycle);
        std::uint32_t free = events & ~covered(cycle);
        if (known != nullptr) {
            free &= ~known->events();
        }
        if (free == 0) {
            continue;
        }
        events &= ~free;
        any_slot(cycle).state |= std::uint64_t{free} << kMovedShift | free;
        count(free);
    }
}

void PulseLog::raise(Event event, Cycle from, Cycle to) {
    if (to - from > kLongLevel) {
        long_level(event, from, to);
        return;
    }
    for (Cycle cycle = from; cycle < to; ++cycle) {
        pulse(event, cycle);
    }
}

void PulseLog::long_level(Event event, Cycle from, Cycle to) {
    std::uint64_t displaced = withdraw(event, from, to);
    add_interval({.from = from, .to = to, .event = event});
    for (; displaced != 0; --displaced) {
        settle(bit(event), to);
    }
}

std::uint64_t PulseLog::withdraw(Event event, Cycle from, Cycle to) {
    std::uint64_t displaced = 0;
    const auto clear = [&](Slot& slot) {
        if (slot.cycle < from || slot.cycle >= to || (slot.events() & bit(event)) == 0) {
            return;
        }
        displaced += (slot.moved() & bit(event)) != 0 ? 1 : 0;
        slot.state &= ~(std::uint64_t{bit(event)} << kMovedShift | bit(event));
        --counts_[index(event)];
    };
    if (from <= newest_) {
        std::for_each(ring_.begin(), ring_.end(), clear);
    }
    std::for_each(far_.lower_bound(from), far_.lower_bound(to),
                  [&](auto& entry) { clear(entry.second); });
    return displaced;
}

void PulseLog::add_interval(Interval interval) {
    std::uint64_t known = 0;
    for (std::size_t i = 0; i < interval_count_;) {
        const Interval& other = intervals_[i];
        if (other.event == interval.event && other.from <= interval.to &&
            interval.from <= other.to) {
            known += other.to - other.from;
            interval.from = std::min(interval.from, other.from);
            interval.to = std::max(interval.to, other.to);
            intervals_[i] = intervals_[--interval_count_];
        } else {
            ++i;
        }
    }
    counts_[index(interval.event)] += interval.to - interval.from - known;
    if (interval_count_ == kIntervals) { // the one that ended first is the first out of memory
        const auto oldest = std::min_element(
            intervals_.begin(), intervals_.end(),
            [](const Interval& left, const Interval& right) { return left.to < right.to; });
        *oldest = intervals_[--interval_count_];
    }
    intervals_[interval_count_++] = interval;
    covered_until_ = std::max(covered_until_, interval.to);
    update_regular_from();
}

std::uint32_t PulseLog::covered(Cycle cycle) const {
    std::uint32_t events = 0;
    if (cycle < covered_until_) {
        for (std::size_t i = 0; i < interval_count_; ++i) {
            const Interval& interval = intervals_[i];
            if (cycle >= interval.from && cycle < interval.to) {
                events |= bit(interval.event);
            }
        }
    }
    return events;
}

PulseLog::Slot& PulseLog::any_slot(Cycle cycle) {
    if (is_near(cycle)) {
        return ring_slot(cycle);
    }
    Slot& slot = far_[cycle];
    slot.cycle = cycle;
    return slot;
}

/// Time has come closer to slots that were beyond the ring.
void PulseLog::bring_near() {
    auto entry = far_.begin();
    for (; entry != far_.end() && (entry->first < first_open_ || is_near(entry->first)); ++entry) {
        if (entry->first >= first_open_) {
            ring_slot(entry->first) = entry->second;
        }
    }
    far_.erase(far_.begin(), entry);
}

const PulseLog::Slot* PulseLog::find(Cycle cycle) const {
    const Slot& slot = ring_[cycle % kSlots];
    if (slot.cycle == cycle) {
        return &slot;
    }
    const auto far = far_.empty() ? far_.end() : far_.find(cycle);
    return far == far_.end() ? nullptr : &far->second;
}

CyclePulses PulseLog::at(Cycle cycle) const {
    CyclePulses pulses{.events = covered(cycle)};
    if (const Slot* slot = find(cycle)) {
        pulses.events |= slot->events();
        pulses.retired = static_cast<std::uint8_t>(slot->retired());
    }
    return pulses;
}

EventTotals PulseLog::totals_through(Cycle cycle) const {
    if (cycle != kNever && cycle + 1 < first_open_) {
        std::abort(); // slots after `cycle` may be gone
    }
    EventTotals totals{.retired = retired_};
    std::copy_n(counts_.begin(), kEventCount, totals.events.begin());
    const Cycle ahead_from = cycle == kNever ? kNever : cycle + 1;
    const auto take_back = [&](const Slot& slot) {
        totals.retired -= slot.retired();
        for (std::uint32_t events = slot.events(); events != 0; events &= events - 1) {
            --totals.events[static_cast<std::size_t>(std::countr_zero(events))];
        }
    };
    const Cycle ring_end = std::min(newest_, first_open_ + (kSlots - 1));
    for (Cycle ahead = ahead_from; ahead <= ring_end; ++ahead) {
        const Slot& slot = ring_[ahead % kSlots];
        if (slot.cycle == ahead) {
            take_back(slot);
        }
    }
    std::for_each(far_.upper_bound(cycle), far_.end(),
                  [&](const auto& entry) { take_back(entry.second); });
    for (std::size_t i = 0; i < interval_count_; ++i) {
        const Interval& interval = intervals_[i];
        if (interval.to > ahead_from) {
            totals.events[index(interval.event)] -=
                interval.to - std::max(interval.from, ahead_from);
        }
    }
    return totals;
}

} // namespace pes

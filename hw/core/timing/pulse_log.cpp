// SPDX-License-Identifier: Apache-2.0
// The rare ways of a pulse: late, under a long level, or across a jump in time.
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
    if (cycle < first_open_) {
        moved_ += static_cast<std::uint64_t>(std::popcount(events));
        settle(events, first_open_);
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
    if (cycle < first_open_) {
        ++moved_;
        cycle = first_open_;
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
    if (from < first_open_) { // moved as a whole, so that its length is kept
        const Cycle late = first_open_ - from;
        moved_ += std::min(late, to - from);
        from += late;
        to += late;
    }
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
    std::for_each_n(backlog_.begin(), backlog_size_, clear);
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
    if (cycle < window_) {
        Slot& slot = ring_[cycle % kSlots];
        return slot.cycle == cycle ? slot : backlog_slot(cycle);
    }
    if (cycle - window_ >= kSlots) {
        jump_to(cycle);
    }
    return ring_slot(cycle);
}

/// The ring's slots join the backlog; if there are too many, the newest stay.
void PulseLog::jump_to(Cycle cycle) {
    std::array<Slot, kSlots + kMemory> open;
    const auto is_open = [this](const Slot& slot) {
        return slot.cycle != kNever && slot.cycle >= first_open_;
    };
    auto end = std::copy_if(backlog_.begin(),
                            backlog_.begin() + static_cast<std::ptrdiff_t>(backlog_size_),
                            open.begin(), is_open);
    end = std::copy_if(ring_.begin(), ring_.end(), end, is_open);
    std::sort(open.begin(), end,
              [](const Slot& left, const Slot& right) { return left.cycle < right.cycle; });
    backlog_size_ = std::min<std::size_t>(static_cast<std::size_t>(end - open.begin()), kMemory);
    std::copy_n(end - static_cast<std::ptrdiff_t>(backlog_size_), backlog_size_, backlog_.begin());
    ring_.fill(Slot{});
    jump_target_ = cycle;
    window_ = std::max(cycle - kMemory, newest_ + 1);
    newest_ = cycle;
}

PulseLog::Slot& PulseLog::backlog_slot(Cycle cycle) {
    const auto end = backlog_.begin() + static_cast<std::ptrdiff_t>(backlog_size_);
    auto place = std::lower_bound(backlog_.begin(), end, cycle, [](const Slot& slot, Cycle wanted) {
        return slot.cycle < wanted;
    });
    if (place != end && place->cycle == cycle) {
        return *place;
    }
    if (backlog_size_ == backlog_.size()) {
        if (place ==
            backlog_.begin()) { // older than all that is remembered: shares the oldest slot
            return backlog_.front();
        }
        std::move(backlog_.begin() + 1, place, backlog_.begin());
        --place;
    } else {
        std::move_backward(place, end, end + 1);
        ++backlog_size_;
    }
    *place = Slot{};
    place->cycle = cycle;
    return *place;
}

const PulseLog::Slot* PulseLog::find(Cycle cycle) const {
    const Slot& slot = ring_[cycle % kSlots];
    if (slot.cycle == cycle) {
        return &slot;
    }
    for (std::size_t i = backlog_size_; i-- > 0 && backlog_[i].cycle >= cycle;) {
        if (backlog_[i].cycle == cycle) {
            return &backlog_[i];
        }
    }
    return nullptr;
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
    if (newest_ > kMemory && cycle < newest_ - kMemory && newest_ >= jump_target_ + kMemory) {
        std::abort(); // the slots after `cycle` are gone
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
    const Cycle ring_start = newest_ < kSlots ? 0 : newest_ - kSlots + 1;
    for (Cycle ahead = std::max(ahead_from, ring_start); ahead <= newest_; ++ahead) {
        const Slot& slot = ring_[ahead % kSlots];
        if (slot.cycle == ahead) {
            take_back(slot);
        }
    }
    for (std::size_t i = backlog_size_; i-- > 0 && backlog_[i].cycle > cycle;) {
        take_back(backlog_[i]);
    }
    for (std::size_t i = 0; i < interval_count_; ++i) {
        const Interval& interval = intervals_[i];
        if (interval.to > cycle + 1) {
            totals.events[index(interval.event)] -=
                interval.to - std::max(interval.from, cycle + 1);
        }
    }
    return totals;
}

} // namespace pes

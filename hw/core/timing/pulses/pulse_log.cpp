// SPDX-License-Identifier: Apache-2.0
// The less common kinds of pulses (late, longer than a cycle, or far ahead), and the queries.
#include "hw/core/timing/pulses/pulse_log.h"

#include <cstdlib>

namespace pes {

void PulseLog::look_at(std::size_t source, Cycle from, Cycle to) {
    look_at(source, from);
    if (journal_ != nullptr) {
        note(source, from, to);
    }
}

void PulseLog::displace(Span& span, std::size_t source, Cycle cycle) {
    span.tracks[source].moved &= ~Span::bit_of(cycle);
    settle(source, 1, cycle + 1);
}

void PulseLog::pulse_slowly(Event event, Cycle cycle) {
    const auto source = static_cast<std::size_t>(event);
    if (cycle < earliest_) {
        ++moved_;
        settle(source, 1, earliest_);
    } else if (far_level(source, cycle) != nullptr) {
        if (journal_ != nullptr) {
            note(source, cycle, cycle + 1);
        }
    } else {
        Span& span = any_span(cycle);
        span.sources |= event_bit(event);
        look_at(source, cycle, cycle + 1);
        insert_one(span, source, cycle);
    }
}

void PulseLog::retire_slowly(RetiredMask classes, Cycle cycle) {
    pulse(classes, cycle);
    if (cycle < earliest_) {
        ++moved_;
        cycle = earliest_;
        while (at(cycle).retired >= 2) {
            ++cycle;
        }
        look_at(0, earliest_);
    }
    look_at(0, cycle);
    Span& span = any_span(cycle);
    span.retired_twice |= span.retired & Span::bit_of(cycle);
    span.retired |= Span::bit_of(cycle);
    ++retired_;
}

void PulseLog::take_back(RetiredMask classes, Cycle cycle) {
    if (cycle < earliest_) {
        std::abort(); // nothing settled is moved
    }
    Span& span = any_span(cycle);
    look_at(0, cycle);
    const std::uint64_t bit = Span::bit_of(cycle);
    span.retired &= ~(bit & ~span.retired_twice);
    span.retired_twice &= ~bit;
    --retired_;
    classes.for_each([this, &span, bit, cycle](Event event) {
        const auto source = static_cast<std::size_t>(event);
        look_at(source, cycle);
        Track& track = span.tracks[source];
        counts_[source] -= (track.pulsed & bit) != 0 ? 1 : 0;
        track.pulsed &= ~bit;
    });
}

void PulseLog::raise(Event event, Cycle from, Cycle to) {
    const auto source = static_cast<std::size_t>(event);
    std::uint64_t displaced = 0;
    look_at(source, from, to);
    for (const Cycle near = std::min(to, ring_end_); from < near;) {
        Span& span = ring_span(from);
        const Cycle end = std::min(near, span.first + kSpanCycles);
        const std::uint64_t bits = Span::bits_of(from, end);
        Track& track = span.tracks[source];
        span.sources |= event_bit(event);
        counts_[source] += static_cast<std::uint64_t>(std::popcount(bits & ~track.pulsed));
        displaced += static_cast<std::uint64_t>(std::popcount(bits & track.moved));
        track.pulsed |= bits;
        track.moved &= ~bits;
        from = end;
    }
    if (from < to) {
        displaced += raise_far(event, from, to);
    }
    if (displaced != 0) [[unlikely]] {
        settle(source, displaced, to);
    }
}

/// Of more closed cycles than a level may have.
void PulseLog::raise_late(Event event, Cycle from, Cycle to) {
    Cycle& moved_until = level_moved_until_[static_cast<std::size_t>(event)];
    const Cycle late = std::max(earliest_, moved_until) - from;
    to -= lose(from, to);
    moved_ += std::min(late, to - from);
    moved_until = to + late;
    levels_moved_ |= event_bit(event);
    raise(event, from + late, to + late);
}

Cycle PulseLog::count_closed(Event event, Cycle from, Cycle to) {
    const Cycle closed = std::min(earliest_, to);
    counts_[static_cast<std::size_t>(event)] += closed - from - lose(from, to);
    return closed;
}

Cycle PulseLog::lose(Cycle from, Cycle to) {
    const Cycle closed = std::min(earliest_, to);
    if (closed <= from || closed - from <= kMostMoved) {
        return 0;
    }
    const Cycle cut = closed - from - kMostMoved;
    lost_ += cut;
    return cut;
}

std::uint64_t PulseLog::raise_far(Event event, Cycle from, Cycle to) {
    const auto source = static_cast<std::size_t>(event);
    counts_[source] += to - from;
    std::uint64_t displaced = 0;
    for (auto entry = far_.lower_bound(Span::first_of(from));
         entry != far_.end() && entry->first < to; ++entry) {
        const Span& span = entry->second;
        const std::uint64_t bits =
            Span::bits_of(std::max(from, span.first), std::min(to, span.first + kSpanCycles));
        Track& track = entry->second.tracks[source];
        counts_[source] -= static_cast<std::uint64_t>(std::popcount(bits & track.pulsed));
        displaced += static_cast<std::uint64_t>(std::popcount(bits & track.moved));
        track.pulsed &= ~bits;
        track.moved &= ~bits;
    }
    PlacedPulse joined{.event = event, .from = from, .to = to};
    std::erase_if(far_levels_, [&](const PlacedPulse& level) {
        if (level.event != event || level.to < from || to < level.from) {
            return false;
        }
        const Cycle both_from = std::max(from, level.from);
        const Cycle both_to = std::min(to, level.to);
        counts_[source] -= both_to - both_from;
        joined.from = std::min(joined.from, level.from);
        joined.to = std::max(joined.to, level.to);
        return true;
    });
    far_levels_.push_back(joined);
    return displaced;
}

const PlacedPulse* PulseLog::far_level(std::size_t source, Cycle cycle) const {
    const auto found = std::find_if(far_levels_.begin(), far_levels_.end(),
                                    [source, cycle](const PlacedPulse& level) {
                                        return static_cast<std::size_t>(level.event) == source &&
                                               level.from <= cycle && cycle < level.to;
                                    });
    return found == far_levels_.end() ? nullptr : &*found;
}

void PulseLog::settle(std::size_t source, std::uint64_t count, Cycle from) {
    look_at(source, from);
    counts_[source] += count;
    while (count != 0) {
        if (const PlacedPulse* level = far_level(source, from)) {
            from = level->to;
            continue;
        }
        Span& span = any_span(from);
        Track& track = span.tracks[source];
        span.sources |= event_bit(static_cast<Event>(source));
        Cycle end = span.first + kSpanCycles;
        for (const PlacedPulse& level : far_levels_) {
            if (static_cast<std::size_t>(level.event) == source && level.from > from) {
                end = std::min(end, level.from);
            }
        }
        std::uint64_t free = ~track.pulsed & Span::bits_of(from, end);
        for (; free != 0 && count != 0; free &= free - 1, --count) {
            const std::uint64_t bit = free & -free;
            track.pulsed |= bit;
            track.moved |= bit;
            if (journal_ != nullptr) {
                const Cycle cycle = span.first + static_cast<Cycle>(std::countr_zero(bit));
                note(source, cycle, cycle + 1);
            }
        }
        from = end;
    }
}

PulseSpan& PulseLog::any_span(Cycle cycle) {
    if (is_near(cycle)) {
        return ring_span(cycle);
    }
    Span& span = far_[Span::first_of(cycle)];
    span.first = Span::first_of(cycle);
    return span;
}

/// Time has come closer to spans that were beyond the ring.
void PulseLog::bring_near() {
    auto entry = far_.begin();
    for (; entry != far_.end(); ++entry) {
        const Cycle first = entry->first;
        if (first >= Span::first_of(first_open_)) {
            if (!is_near(first)) {
                break;
            }
            ring_span(first) = entry->second;
        }
    }
    far_.erase(far_.begin(), entry);
    for (PlacedPulse& level : far_levels_) {
        level.from = std::max(level.from, Span::first_of(first_open_));
        for (const Cycle near = std::min(level.to, ring_end_); level.from < near;) {
            Span& span = ring_span(level.from);
            const Cycle end = std::min(near, span.first + kSpanCycles);
            span.sources |= event_bit(level.event);
            span.tracks[static_cast<std::size_t>(level.event)].pulsed |=
                Span::bits_of(level.from, end);
            level.from = end;
        }
    }
    std::erase_if(far_levels_, [](const PlacedPulse& level) { return level.from >= level.to; });
}

const PulseSpan* PulseLog::find(Cycle cycle) const {
    const Span& span = ring_[cycle / kSpanCycles % kSpans];
    if (span.first == Span::first_of(cycle)) {
        return &span;
    }
    const auto far = far_.empty() ? far_.end() : far_.find(Span::first_of(cycle));
    return far == far_.end() ? nullptr : &far->second;
}

void PulseLog::add(std::span<const std::uint16_t> more) {
    static_assert(static_cast<std::size_t>(Event::None) == 0);
    retired_ += more[0];
    const std::size_t sources = std::min(more.size(), kEventCount);
    for (std::size_t source = 1; source < sources; ++source) {
        counts_[source] += more[source];
    }
}

bool PulseLog::nothing_from(Cycle cycle) const {
    if (newest_ + kSpanCycles <= cycle && far_.empty() && far_levels_.empty()) [[likely]] {
        return true;
    }
    const auto nothing = [cycle](const Span& span) {
        if (span.first == kNever || span.first + kSpanCycles <= cycle) {
            return true;
        }
        const std::uint64_t ahead =
            Span::bits_of(std::max(span.first, cycle), span.first + kSpanCycles);
        std::uint64_t any = span.retired;
        span.sources.for_each(
            [&](Event event) { any |= span.tracks[static_cast<std::size_t>(event)].pulsed; });
        return (any & ahead) == 0;
    };
    return far_.empty() && far_levels_.empty() && std::all_of(ring_.begin(), ring_.end(), nothing);
}

void PulseLog::forget_levels_moved_before(Cycle cycle) {
    const EventMask moved = levels_moved_;
    moved.for_each([this, cycle](Event event) {
        Cycle& until = level_moved_until_[static_cast<std::size_t>(event)];
        if (until <= cycle) {
            until = 0;
            levels_moved_.remove(event);
        }
    });
}

CyclePulses PulseLog::at(Cycle cycle) const {
    if (cycle < first_open_) {
        std::abort(); // what lies there may be gone
    }
    CyclePulses pulses;
    if (const Span* span = find(cycle)) {
        const std::uint64_t bit = Span::bit_of(cycle);
        span->sources.for_each([&](Event event) {
            if ((span->tracks[static_cast<std::size_t>(event)].pulsed & bit) != 0) {
                pulses.events |= event_bit(event);
            }
        });
        pulses.retired = static_cast<std::uint8_t>(((span->retired & bit) != 0 ? 1 : 0) +
                                                   ((span->retired_twice & bit) != 0 ? 1 : 0));
    }
    for (const PlacedPulse& level : far_levels_) {
        if (level.from <= cycle && cycle < level.to) {
            pulses.events |= event_bit(level.event);
        }
    }
    return pulses;
}

Cycle PulseLog::behind_all() const {
    Cycle behind = first_open_;
    for (const Span& span : ring_) {
        const bool open = span.first != kNever && span.first + kSpanCycles > first_open_;
        if (open && (span.retired != 0 || span.sources.any())) {
            behind = std::max(behind, span.first + kSpanCycles);
        }
    }
    for (const PlacedPulse& level : far_levels_) {
        behind = std::max(behind, level.to);
    }
    return far_.empty() ? behind : std::max(behind, far_.rbegin()->first + kSpanCycles);
}

EventTotals PulseLog::totals_through(Cycle cycle) const {
    if (cycle != kNever && cycle + 1 < first_open_) {
        std::abort(); // what lies after `cycle` may be gone
    }
    EventTotals totals{.events = counts_, .retired = retired_};
    if (cycle == kNever) {
        return totals;
    }
    const Cycle ahead_from = cycle + 1;
    const auto take_back = [&](const Span& span) {
        if (span.first == kNever || span.first + kSpanCycles <= ahead_from) {
            return;
        }
        const std::uint64_t ahead =
            Span::bits_of(std::max(span.first, ahead_from), span.first + kSpanCycles);
        const auto count = [ahead](std::uint64_t bits) {
            return static_cast<std::uint64_t>(std::popcount(bits & ahead));
        };
        span.sources.for_each([&](Event event) {
            const auto source = static_cast<std::size_t>(event);
            totals.events[source] -= count(span.tracks[source].pulsed);
        });
        totals.retired -= count(span.retired) + count(span.retired_twice);
    };
    std::for_each(ring_.begin(), ring_.end(), take_back);
    std::for_each(far_.begin(), far_.end(), [&](const auto& entry) { take_back(entry.second); });
    for (const PlacedPulse& level : far_levels_) {
        totals.events[static_cast<std::size_t>(level.event)] -=
            level.to - std::min(level.to, std::max(level.from, ahead_from));
    }
    return totals;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The less common kinds of pulses (late, longer than a cycle, or far ahead), and the queries.
#include "hw/core/timing/pulse_log.h"

#include <cstdlib>

namespace pes {

void PulseLog::pulse_irregular(Event event, Cycle cycle) {
    const auto source = static_cast<std::size_t>(event);
    if (cycle < earliest_) {
        ++moved_;
        settle(source, 1, earliest_);
    } else {
        Span& span = any_span(cycle);
        span.sources |= event_bit(event);
        insert_one(span, source, cycle);
    }
}

void PulseLog::retire_irregular(RetiredMask classes, Cycle cycle) {
    pulse(classes, cycle);
    if (cycle < earliest_) {
        ++moved_;
        cycle = earliest_;
        while (at(cycle).retired >= 2) {
            ++cycle;
        }
    }
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
    const std::uint64_t bit = Span::bit_of(cycle);
    span.retired &= ~(bit & ~span.retired_twice);
    span.retired_twice &= ~bit;
    --retired_;
    classes.for_each([this, &span, bit](Event event) {
        const auto source = static_cast<std::size_t>(event);
        Track& track = span.tracks[source];
        counts_[source] -= (track.pulsed & bit) != 0 ? 1 : 0;
        track.pulsed &= ~bit;
    });
}

void PulseLog::raise(Event event, Cycle from, Cycle to) {
    const auto source = static_cast<std::size_t>(event);
    std::uint64_t displaced = 0;
    if (journal_ != nullptr) {
        note(source, from, to);
    }
    while (from < to) {
        Span& span = any_span(from);
        const Cycle end = std::min(to, span.first + kSpanCycles);
        const std::uint64_t bits = Span::bits_of(from, end);
        Track& track = span.tracks[source];
        span.sources |= event_bit(event);
        counts_[source] += static_cast<std::uint64_t>(std::popcount(bits & ~track.pulsed));
        displaced += static_cast<std::uint64_t>(std::popcount(bits & track.moved));
        track.pulsed |= bits;
        track.moved &= ~bits;
        from = end;
    }
    if (displaced != 0) [[unlikely]] {
        settle(source, displaced, to);
    }
}

void PulseLog::settle(std::size_t source, std::uint64_t count, Cycle from) {
    counts_[source] += count;
    while (count != 0) {
        Span& span = any_span(from);
        Track& track = span.tracks[source];
        span.sources |= event_bit(static_cast<Event>(source));
        std::uint64_t free = ~track.pulsed & Span::bits_of(from, span.first + kSpanCycles);
        for (; free != 0 && count != 0; free &= free - 1, --count) {
            const std::uint64_t bit = free & -free;
            track.pulsed |= bit;
            track.moved |= bit;
            if (journal_ != nullptr) {
                const Cycle cycle = span.first + static_cast<Cycle>(std::countr_zero(bit));
                note(source, cycle, cycle + 1);
            }
        }
        from = span.first + kSpanCycles;
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
}

const PulseSpan* PulseLog::find(Cycle cycle) const {
    const Span& span = ring_[cycle / kSpanCycles % kSpans];
    if (span.first == Span::first_of(cycle)) {
        return &span;
    }
    const auto far = far_.empty() ? far_.end() : far_.find(Span::first_of(cycle));
    return far == far_.end() ? nullptr : &far->second;
}

void PulseLog::add(const EventTotals& more) {
    for (std::size_t source = 0; source < kEventCount; ++source) {
        counts_[source] += more.events[source];
    }
    retired_ += more.retired;
}

bool PulseLog::nothing_from(Cycle cycle) const {
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
    return far_.empty() && std::all_of(ring_.begin(), ring_.end(), nothing);
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

void PulseLog::erase_from(Cycle cycle) {
    for (Span& span : ring_) {
        if (span.first == kNever || span.first + kSpanCycles <= cycle) {
            continue;
        }
        if (span.first >= cycle) {
            span.first = kNever; // its next user empties it
            continue;
        }
        const std::uint64_t kept = ~Span::bits_of(cycle, span.first + kSpanCycles);
        span.retired &= kept;
        span.retired_twice &= kept;
        span.sources.for_each([&](Event event) {
            Track& track = span.tracks[static_cast<std::size_t>(event)];
            track.pulsed &= kept;
            track.moved &= kept;
        });
    }
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
    return totals;
}

} // namespace pes

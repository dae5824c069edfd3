// SPDX-License-Identifier: Apache-2.0
// What every instruction or block does with the log. Included at the end of pulse_log.h.
#pragma once

#include "hw/core/timing/pulses/pulse_log.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pes {

inline void PulseLog::settle_before(Cycle cycle, Cycle distance) {
    if (cycle >= earliest_ + distance) {
        earliest_ = cycle - distance + 1;
    }
}

inline void PulseLog::close(Cycle cycle) {
    settle_through(cycle);
    open_from(cycle + 1);
    if (!far_.empty() || !far_levels_.empty()) [[unlikely]] {
        bring_near();
    }
}

inline void PulseLog::set_floors(const PulseFloors& floors) {
    floors_ = floors;
    below_floors_ = false;
    watch();
}

inline PulseSpan& PulseLog::ring_span(Cycle cycle) {
    Span& span = ring_[cycle / kSpanCycles % kSpans];
    if (span.first != Span::first_of(cycle)) [[unlikely]] {
        span.reuse(cycle);
        newest_ = std::max(newest_, span.first);
    }
    return span;
}

inline void PulseLog::pulse(Event event, Cycle cycle) {
    if (!is_regular(cycle) || is_watched(cycle)) [[unlikely]] {
        pulse_slowly(event, cycle);
        return;
    }
    Span& span = ring_span(cycle);
    span.sources |= event_bit(event);
    insert_one(span, static_cast<std::size_t>(event), cycle);
}

/// A level that is late is no exception: the frontend runs ahead, and its requests become known
/// when their instruction decodes.
[[gnu::always_inline]] inline void PulseLog::level(Event event, Cycle from, Cycle to) {
    if (from >= to) {
        return;
    }
    const auto source = static_cast<std::size_t>(event);
    Cycle& moved_until = level_moved_until_[source];
    const Cycle first = std::max(earliest_, moved_until);
    if (from < first && kept_late_.has(event)) {
        from = count_closed(event, from, to);
        if (from == to) {
            return;
        }
    } else if (from < first) {
        const Cycle late = first - from;
        if (late > kMostMoved) [[unlikely]] {
            raise_late(event, from, to);
            return;
        }
        moved_ += std::min(late, to - from);
        from = first;
        to += late;
        moved_until = to;
        levels_moved_ |= event_bit(event);
    }
    if ((from ^ (to - 1)) >= kSpanCycles || !is_near(from) || is_watched(from)) [[unlikely]] {
        raise(event, from, to);
        return;
    }
    Span& span = ring_span(from);
    Track& track = span.tracks[source];
    const std::uint64_t bits = Span::bits_of(from, to);
    if ((track.moved & bits) != 0) [[unlikely]] {
        raise(event, from, to);
        return;
    }
    span.sources |= event_bit(event);
    counts_[source] += static_cast<std::uint64_t>(std::popcount(bits & ~track.pulsed));
    track.pulsed |= bits;
}

/// What is less common is left to other functions, so that this is short enough to be inlined.
[[gnu::always_inline]] inline void PulseLog::retire(RetiredMask classes, Cycle cycle) {
    Span& span = ring_[cycle / kSpanCycles % kSpans];
    if (!is_regular(cycle) || is_watched(cycle) || span.first != Span::first_of(cycle))
        [[unlikely]] {
        retire_slowly(classes, cycle);
        return;
    }
    const std::uint64_t bit = Span::bit_of(cycle);
    ++retired_;
    span.retired_twice |= span.retired & bit;
    span.retired |= bit;
    span.sources |= classes;
    const bool all = classes.all_of([this, &span, bit](Event event) {
        const auto source = static_cast<std::size_t>(event);
        Track& track = span.tracks[source];
        if ((track.moved & bit) != 0) [[unlikely]] {
            return false;
        }
        counts_[source] += (track.pulsed & bit) == 0 ? 1 : 0;
        track.pulsed |= bit;
        return true;
    });
    if (!all) [[unlikely]] {
        pulse_slowly(classes, cycle); // what has been placed makes no difference
    }
}

inline void PulseLog::insert_one(Span& span, std::size_t source, Cycle cycle) {
    Track& track = span.tracks[source];
    const std::uint64_t bit = Span::bit_of(cycle);
    counts_[source] += (track.pulsed & bit) == 0 ? 1 : 0;
    track.pulsed |= bit;
    if ((track.moved & bit) != 0) [[unlikely]] {
        displace(span, source, cycle);
    }
}

} // namespace pes

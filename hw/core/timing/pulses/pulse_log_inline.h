// SPDX-License-Identifier: Apache-2.0
// Placing of pulses in the ring, which every instruction does. Included at the end of pulse_log.h.
#pragma once

#include "hw/core/timing/pulses/pulse_log.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pes {

inline void PulseLog::pulse(Event event, Cycle cycle) {
    if (!is_regular(cycle)) [[unlikely]] {
        pulse_irregular(event, cycle);
        return;
    }
    Span& span = ring_span(cycle);
    span.sources |= event_bit(event);
    insert_one(span, static_cast<std::size_t>(event), cycle);
}

[[gnu::always_inline]] inline void PulseLog::level(Event event, Cycle from, Cycle to) {
    if (from >= to) {
        return;
    }
    Cycle& moved_until = level_moved_until_[static_cast<std::size_t>(event)];
    const Cycle first = std::max(earliest_, moved_until);
    if (from < first) [[unlikely]] {
        const Cycle late = first - from;
        to -= lose(from, to);
        moved_ += std::min(late, to - from);
        from += late;
        to += late;
        moved_until = to;
        levels_moved_ |= event_bit(event);
    }
    if (Span::first_of(from) == Span::first_of(to - 1) && is_near(from)) [[likely]] {
        Span& span = ring_span(from);
        span.sources |= event_bit(event);
        insert(span, static_cast<std::size_t>(event), Span::bits_of(from, to), to);
    } else {
        raise(event, from, to);
    }
}

inline void PulseLog::retire(RetiredMask classes, Cycle cycle) {
    if (!is_regular(cycle)) [[unlikely]] {
        retire_irregular(classes, cycle);
        return;
    }
    ++retired_;
    Span& span = ring_span(cycle);
    const std::uint64_t bit = Span::bit_of(cycle);
    look_at(0, cycle);
    span.retired_twice |= span.retired & bit;
    span.retired |= bit;
    span.sources |= classes;
    classes.for_each([this, &span, cycle](Event event) {
        insert_one(span, static_cast<std::size_t>(event), cycle);
    });
}

inline void PulseLog::insert(Span& span, std::size_t source, std::uint64_t bits, Cycle next) {
    Track& track = span.tracks[source];
    look_at(source, span.first + static_cast<Cycle>(std::countr_zero(bits)));
    counts_[source] += static_cast<std::uint64_t>(std::popcount(bits & ~track.pulsed));
    track.pulsed |= bits;
    if (journal_ != nullptr) [[unlikely]] {
        note(source, next - static_cast<Cycle>(std::popcount(bits)), next);
    }
    if (const std::uint64_t displaced = track.moved & bits; displaced != 0) [[unlikely]] {
        track.moved &= ~bits;
        settle(source, static_cast<std::uint64_t>(std::popcount(displaced)), next);
    }
}

inline void PulseLog::insert_one(Span& span, std::size_t source, Cycle cycle) {
    Track& track = span.tracks[source];
    const std::uint64_t bit = Span::bit_of(cycle);
    look_at(source, cycle);
    counts_[source] += (track.pulsed & bit) == 0 ? 1 : 0;
    track.pulsed |= bit;
    if (journal_ != nullptr) [[unlikely]] {
        note(source, cycle, cycle + 1);
    }
    if ((track.moved & bit) != 0) [[unlikely]] {
        track.moved &= ~bit;
        settle(source, 1, cycle + 1);
    }
}

} // namespace pes

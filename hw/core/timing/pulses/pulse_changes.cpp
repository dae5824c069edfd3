// SPDX-License-Identifier: Apache-2.0
// The log as the fast path sees it: floors, snapshots, and changes that are applied later.
#include "hw/core/timing/pulses/pulse_changes.h"

#include "hw/core/timing/pulses/pulse_log.h"

#include <algorithm>
#include <bit>

namespace pes {
namespace {

constexpr Cycle kWindow = 2 * PulseSpan::kCycles;
constexpr unsigned kChunk = 16;

std::uint64_t from_cycle(const PulseSpan& span, Cycle first) {
    return first <= span.first                        ? ~std::uint64_t{0}
           : first >= span.first + PulseSpan::kCycles ? 0
                                                      : ~std::uint64_t{0} << (first - span.first);
}

} // namespace

void PulseLog::snapshot(Cycle first, PulseSnapshot& snapshot) const {
    for (std::size_t index = 0; index < PulseSnapshot::kSpans; ++index) {
        const Span* const span = find(first + index * kSpanCycles);
        PulseSpan& copy = snapshot.spans[index];
        copy.first = span == nullptr ? kNever : span->first;
        if (span == nullptr) {
            continue;
        }
        copy.retired = span->retired;
        copy.retired_twice = span->retired_twice;
        copy.sources = span->sources;
        span->sources.for_each([&](Event event) {
            const auto source = static_cast<std::size_t>(event);
            copy.tracks[source] = span->tracks[source];
        });
    }
}

void PulseLog::changes_since(const PulseSnapshot& before, Cycle first,
                             std::vector<PulseChange>& changes) const {
    static constexpr PulseSpan kEmpty;
    changes.clear();
    for (Cycle at = Span::first_of(first); at < first + kWindow; at += kSpanCycles) {
        const Span* const now = find(at);
        if (now == nullptr) {
            continue;
        }
        const PulseSpan* const known = before.find(at);
        const PulseSpan& then = known == nullptr ? kEmpty : *known;
        const std::uint64_t wanted = from_cycle(*now, first);
        const auto add = [&](std::size_t track, std::uint64_t bits) {
            for (bits &= wanted; bits != 0;) {
                const auto low = static_cast<unsigned>(std::countr_zero(bits));
                const auto chunk = static_cast<std::uint16_t>(bits >> low);
                changes.push_back({.track = static_cast<std::uint8_t>(track),
                                   .shift = static_cast<std::uint8_t>(now->first + low - first),
                                   .bits = chunk});
                bits &= ~(std::uint64_t{chunk} << low);
            }
        };
        add(PulseChange::kRetired, now->retired ^ then.retired);
        add(PulseChange::kRetiredTwice, now->retired_twice ^ then.retired_twice);
        (now->sources | then.sources).for_each([&](Event event) {
            const auto source = static_cast<std::size_t>(event);
            const Track& is = now->tracks[source];
            const Track& was = (then.sources.has(event) ? then : kEmpty).tracks[source];
            add(2 * source, is.pulsed ^ was.pulsed);
            if ((is.moved | was.moved) != 0) {
                add(2 * source + 1, is.moved ^ was.moved);
            }
        });
    }
}

void PulseLog::hand_over_before(Cycle first) {
    open_from(first);
}

void PulseLog::apply(std::span<const PulseChange> changes, Cycle base, Cycle first) {
    for (const PulseChange& change : changes) {
        const Cycle from = base + change.shift;
        if (from + kChunk <= first) {
            continue;
        }
        std::uint64_t bits = change.bits;
        bits &= from >= first ? bits : ~std::uint64_t{0} << (first - from);
        const Cycle low = from % kSpanCycles;
        flip(change.track, from, bits << low);
        if (low != 0) {
            flip(change.track, from + kSpanCycles, bits >> (kSpanCycles - low));
        }
    }
}

void PulseLog::flip(std::uint8_t track, Cycle cycle, std::uint64_t bits) {
    if (bits == 0) {
        return;
    }
    Span& span = ring_span(cycle);
    if (track == PulseChange::kRetired) {
        span.retired ^= bits;
    } else if (track == PulseChange::kRetiredTwice) {
        span.retired_twice ^= bits;
    } else {
        const std::size_t source = track / 2;
        span.sources |= event_bit(static_cast<Event>(source));
        Track& flipped = span.tracks[source];
        (track % 2 == 0 ? flipped.pulsed : flipped.moved) ^= bits;
    }
}

EventTotals PulseLog::ahead_in(const PulseSnapshot& snapshot, Cycle from) {
    EventTotals ahead{};
    for (const PulseSpan& span : snapshot.spans) {
        if (span.first == kNever) {
            continue;
        }
        const std::uint64_t wanted = from_cycle(span, from);
        const auto count = [wanted](std::uint64_t bits) {
            return static_cast<std::uint64_t>(std::popcount(bits & wanted));
        };
        ahead.retired += count(span.retired) + count(span.retired_twice);
        span.sources.for_each([&](Event event) {
            const auto source = static_cast<std::size_t>(event);
            ahead.events[source] += count(span.tracks[source].pulsed);
        });
    }
    return ahead;
}

} // namespace pes

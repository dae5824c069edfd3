// SPDX-License-Identifier: Apache-2.0
// The pulses in uncertain cycles as words of a pipeline state (timing_state.h).
#pragma once

#include "hw/core/timing/pulses/pulse_log.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {
namespace pulse_window {

/// The spans of kCycles consecutive cycles; null where nothing is logged.
template <typename SomeSpan>
using SpansOf = std::array<SomeSpan*, 3>;
inline constexpr std::size_t kHalves = 2;
inline constexpr Cycle kCycles = kHalves * PulseSpan::kCycles;

/// The bits of 64 cycles from `first` on (half 0) or of the 64 after them (half 1), wherever the
/// spans begin.
template <typename Member>
std::uint64_t bits_from(const SpansOf<const PulseSpan>& window, Cycle first, std::size_t half,
                        Member member) {
    const auto bits = [&](const PulseSpan* span) { return span == nullptr ? 0 : member(*span); };
    const Cycle shift = first % PulseSpan::kCycles;
    const std::uint64_t low = bits(window[half]) >> shift;
    return shift == 0 ? low : low | bits(window[half + 1]) << (PulseSpan::kCycles - shift);
}

/// The sources whose tracks have a bit in the window.
template <typename Member>
EventMask sources_in(const SpansOf<const PulseSpan>& window, Cycle first, EventMask sources,
                     Member member) {
    EventMask found;
    sources.for_each([&](Event event) {
        const auto source = static_cast<std::size_t>(event);
        const auto bits = [&](const PulseSpan& span) { return member(span.tracks[source]); };
        if ((bits_from(window, first, 0, bits) | bits_from(window, first, 1, bits)) != 0) {
            found |= event_bit(event);
        }
    });
    return found;
}

/// The inverse of bits_from().
template <typename Member>
void set_bits(const SpansOf<PulseSpan>& window, Cycle first, std::size_t half, std::uint64_t bits,
              Member member) {
    const Cycle shift = first % PulseSpan::kCycles;
    member(*window[half]) |= bits << shift;
    if (shift != 0) {
        member(*window[half + 1]) |= bits >> (PulseSpan::kCycles - shift);
    }
}

template <typename Archive, typename SomeSpan, typename Member>
void both_halves(Archive& archive, const SpansOf<SomeSpan>& window, Cycle first, Member member) {
    for (std::size_t half = 0; half < kHalves; ++half) {
        std::uint64_t bits = 0;
        if constexpr (Archive::kSaves) {
            bits = bits_from(window, first, half, member);
        }
        archive.bits(bits);
        if constexpr (!Archive::kSaves) {
            set_bits(window, first, half, bits, member);
        }
    }
}

template <typename Archive, typename SomeSpan>
void tracks(Archive& archive, const SpansOf<SomeSpan>& window, Cycle first, EventMask sources) {
    both_halves(
        archive, window, first, [](auto& span) -> auto& { return span.retired; });
    both_halves(
        archive, window, first, [](auto& span) -> auto& { return span.retired_twice; });
    sources.for_each([&](Event event) {
        const auto source = static_cast<std::size_t>(event);
        both_halves(
            archive, window,
            first, [source](auto& span) -> auto& { return span.tracks[source].pulsed; });
        both_halves(
            archive, window,
            first, [source](auto& span) -> auto& { return span.tracks[source].moved; });
    });
}

template <typename Archive>
void sources_state(Archive& archive, EventMask& sources) {
    for (std::size_t index = 0; index < EventMask::kWords; ++index) {
        archive.bits(sources.word(index));
    }
}

} // namespace pulse_window

template <typename Archive>
void PulseLog::relative_state(Archive& archive, Cycle first) {
    using namespace pulse_window;
    const Cycle second = first + kSpanCycles;
    const Cycle behind = first + pulse_window::kCycles;
    if constexpr (Archive::kSaves) {
        if (!nothing_from(behind)) {
            archive.give_up();
        }
        const SpansOf<const Span> window{find(first), find(second), find(behind)};
        EventMask candidates;
        for (const Span* span : window) {
            candidates |= span == nullptr ? EventMask() : span->sources;
        }
        const EventMask sources =
            sources_in(window, first, candidates, [](const Track& track) { return track.pulsed; });
        EventMask written = sources;
        sources_state(archive, written);
        tracks(archive, window, first, sources);
        forget_levels_moved_before(first);
    } else {
        open_from(first);
        erase_from(first);
        const SpansOf<Span> window{&ring_span(first), &ring_span(second), &ring_span(behind)};
        EventMask sources;
        sources_state(archive, sources);
        std::for_each(window.begin(), window.end(),
                      [sources](Span* span) { span->sources |= sources; });
        tracks(archive, window, first, sources);
        forget_levels_moved_before(kNever);
    }
    archive.cycle(earliest_, first);
    sources_state(archive, levels_moved_);
    levels_moved_.for_each([&](Event event) {
        archive.cycle(level_moved_until_[static_cast<std::size_t>(event)], first);
    });
}

} // namespace pes

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

inline constexpr std::size_t kHalves = 2;
inline constexpr Cycle kCycles = kHalves * PulseSpan::kCycles;
inline constexpr std::uint64_t kSmall = 0x4000;

template <typename Archive>
void sources_state(Archive& archive, EventMask& sources) {
    for (std::size_t index = 0; index < EventMask::kWords; ++index) {
        archive.bits(sources.word(index));
    }
}

} // namespace pulse_window

template <typename Archive>
void PulseLog::relative_state(Archive& archive, Cycle first) {
    archive.cycle(earliest_, first);
    forget_levels_moved_before(Archive::kSaves ? first : kNever);
    pulse_window::sources_state(archive, levels_moved_);
    levels_moved_.for_each([&](Event event) {
        archive.cycle(level_moved_until_[static_cast<std::size_t>(event)], first);
    });
}

/// As words: track and bits from the floor on, so that they do not depend on where spans begin. The
/// floors follow from the rest of the state.
template <typename Writer>
void PulseLog::visible_state(Writer& writer, Cycle first) {
    const Cycle behind = first + pulse_window::kCycles;
    if (!nothing_from(behind)) {
        writer.give_up();
    }
    static constexpr Span kNothing;
    const auto span_at = [this](Cycle cycle) {
        const Span* const span = find(cycle);
        return span == nullptr ? &kNothing : span;
    };
    const std::array<const Span*, 3> spans{span_at(first), span_at(first + kSpanCycles),
                                           span_at(behind)};
    const auto write = [&](std::size_t track, Cycle floor, auto member) {
        const std::uint64_t one = member(*spans[0]), two = member(*spans[1]),
                            three = member(*spans[2]);
        if ((one | two | three) == 0) {
            return;
        }
        const std::array<std::uint64_t, 5> bits{one, two, three};
        const Cycle shift = floor % kSpanCycles;
        const std::size_t from = (Span::first_of(floor) - Span::first_of(first)) / kSpanCycles;
        for (std::size_t half = 0; half < pulse_window::kHalves; ++half) {
            const std::uint64_t ahead = bits[from + half] >> shift |
                                        bits[from + half + 1] << 1 << (kSpanCycles - 1 - shift);
            if (ahead != 0) {
                const bool small = ahead < pulse_window::kSmall;
                writer.number(1 + 4 * track + 2 * half + (small ? 1 : 0));
                small ? writer.number(ahead) : writer.bits(ahead);
            }
        }
    };
    const auto floor_of = [&](std::size_t source) {
        return std::min(std::max(first, floors_.of(source)), behind);
    };
    write(0, floor_of(0), [](const Span& span) { return span.retired; });
    write(1, floor_of(0), [](const Span& span) { return span.retired_twice; });
    (spans[0]->sources | spans[1]->sources | spans[2]->sources).for_each([&](Event event) {
        const auto source = static_cast<std::size_t>(event);
        const Cycle floor = floor_of(source);
        write(2 * source, floor, [source](const Span& span) { return span.tracks[source].pulsed; });
        write(2 * source + 1, floor,
              [source](const Span& span) { return span.tracks[source].moved; });
    });
}

} // namespace pes

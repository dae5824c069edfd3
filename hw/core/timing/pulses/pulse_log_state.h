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
Writer PulseLog::visible_state(Writer writer, Cycle first) {
    const Cycle behind = first + pulse_window::kCycles;
    if (!nothing_from(behind)) {
        writer.give_up();
    }
    static constexpr Span kNothing;
    const auto span_at = [this](Cycle cycle) {
        const Span* const span = find(cycle);
        return span == nullptr ? &kNothing : span;
    };
    const std::array<const Span*, 5> spans{span_at(first), span_at(first + kSpanCycles),
                                           span_at(behind), &kNothing, &kNothing};
    struct Visible { // from that bit of that span on
        std::size_t span;
        unsigned bit;
    };
    std::array<Visible, PulseFloors::kCount> from{};
    for (std::size_t floor = 0; floor < PulseFloors::kCount; ++floor) {
        const Cycle at = std::clamp(floors_.of(static_cast<PulseFloor>(floor)), first, behind);
        from[floor] = {.span = (Span::first_of(at) - Span::first_of(first)) / kSpanCycles,
                       .bit = static_cast<unsigned>(at % kSpanCycles)};
    }
    const auto write = [&](std::size_t track, std::size_t source, auto member) {
        const auto [span, bit] = from[static_cast<std::size_t>(kPulseFloors[source])];
        const std::array<std::uint64_t, 3> bits{member(*spans[span]) >> bit << bit,
                                                member(*spans[span + 1]), member(*spans[span + 2])};
        if ((bits[0] | bits[1] | bits[2]) == 0) {
            return;
        }
        for (std::size_t half = 0; half < pulse_window::kHalves; ++half) {
            const std::uint64_t ahead = bits[half] >> bit | bits[half + 1]
                                                                << 1 << (kSpanCycles - 1 - bit);
            if (ahead != 0) {
                const bool small = ahead < pulse_window::kSmall;
                writer.number(1 + 4 * track + 2 * half + (small ? 1 : 0));
                small ? writer.number(ahead) : writer.bits(ahead);
            }
        }
    };
    write(0, 0, [](const Span& span) { return span.retired; });
    write(1, 0, [](const Span& span) { return span.retired_twice; });
    (spans[0]->sources | spans[1]->sources | spans[2]->sources).for_each([&](Event event) {
        const auto source = static_cast<std::size_t>(event);
        write(2 * source, source,
              [source](const Span& span) { return span.tracks[source].pulsed; });
        write(2 * source + 1, source,
              [source](const Span& span) { return span.tracks[source].moved; });
    });
    return writer;
}

} // namespace pes

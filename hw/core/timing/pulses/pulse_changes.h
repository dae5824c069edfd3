// SPDX-License-Identifier: Apache-2.0
// What a block changes in the log's cycles that are not certain behind it, so that a log can be
// brought up to date after blocks that did not go through the pipeline.
#pragma once

#include "hw/common/event.h"
#include "hw/core/timing/pulses/pulse_span.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace pes {

/// Up to 16 cycles of one track that are not as they were. Cycles count from the first uncertain
/// one behind the block.
struct PulseChange {
    static constexpr std::uint8_t kRetired = 2 * kEventCount, kRetiredTwice = kRetired + 1;
    static_assert(2 * kEventCount + 1 <= 0xFF);

    std::uint8_t track = 0; ///< 2 x source, + 1 for its moved pulses; or one of the above
    std::uint8_t shift = 0; ///< cycle of bit 0
    std::uint16_t bits = 0;
};

/// The spans around the uncertain cycles, at some time. Of their tracks only those in `sources`
/// mean something.
struct PulseSnapshot {
    static constexpr std::size_t kSpans = 3;
    std::array<PulseSpan, kSpans> spans{};

    const PulseSpan* find(Cycle first) const {
        for (const PulseSpan& span : spans) {
            if (span.first == first) {
                return &span;
            }
        }
        return nullptr;
    }
};

/// What limits the first cycle in which a source can still pulse.
enum class PulseFloor : std::uint8_t {
    Retirement,  ///< of what retirements pulse, and of retirements
    Fetch,       ///< of misses of fetches
    Request,     ///< of requests of fetches
    Resolution,  ///< of branches
    Empty,       ///< of cycles without an instruction for decode
    BehindIssue, ///< of what an instruction pulses after its issue only
    Issue,       ///< of the other sources of the core
    None,        ///< of further sources, whose pulses come at any time: all of them count
    Count_,
};

/// Index = source, with retirements in the place of Event::None.
inline constexpr auto kPulseFloors = [] {
    std::array<PulseFloor, kEventCount> floors{};
    for (std::size_t source = 0; source < kEventCount; ++source) {
        floors[source] = source < kBaseEventCount ? PulseFloor::Issue : PulseFloor::None;
    }
    const auto set = [&floors](PulseFloor floor, std::initializer_list<Event> events) {
        for (const Event event : events) {
            floors[static_cast<std::size_t>(event)] = floor;
        }
    };
    set(PulseFloor::Fetch, {Event::L1IMiss, Event::ItlbMiss});
    set(PulseFloor::Request, {Event::L1IAccess});
    set(PulseFloor::Resolution, {Event::BranchMispredict});
    set(PulseFloor::Empty, {Event::FetchEmpty});
    set(PulseFloor::BehindIssue, {Event::L1DMiss, Event::L1DEviction, Event::L1DAccess,
                                  Event::DtlbMiss, Event::ScoreboardFull});
    set(PulseFloor::Retirement, {Event::None, Event::Load, Event::Store, Event::Branch, Event::Call,
                                 Event::Return, Event::Integer, Event::FloatingPoint});
    return floors;
}();

/// The first cycle of each PulseFloor.
class PulseFloors {
  public:
    static constexpr std::size_t kCount = static_cast<std::size_t>(PulseFloor::Count_);

    Cycle& operator[](PulseFloor floor) { return cycles_[static_cast<std::size_t>(floor)]; }
    Cycle of(PulseFloor floor) const { return cycles_[static_cast<std::size_t>(floor)]; }
    Cycle of(std::size_t source) const { return of(kPulseFloors[source]); }

    Cycle latest() const { return *std::max_element(cycles_.begin(), cycles_.end()); }

  private:
    std::array<Cycle, kCount> cycles_{};
};

} // namespace pes

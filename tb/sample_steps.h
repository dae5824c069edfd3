// SPDX-License-Identifier: Apache-2.0
// The life of one sample, found in a waveform: from the instruction whose event made the counter
// reach its threshold to the first instruction of the program after the handler.
#pragma once

#include "hw/hpm/profile.h"
#include "tb/commit_trace.h"
#include "tb/vcd_reader.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace pes {

/// In the order in which they happen. Complete is seen at the PLIC: the store that does it is
/// posted, so it may come behind Uninhibit.
enum class Step : std::uint8_t {
    EventRetires,     ///< the instruction whose event reaches the threshold
    ThresholdReached, ///< the counter register shows it
    Line,             ///< perf_counter_irq_o
    Request,          ///< irq_sources_i at the PLIC
    Pending,
    Target,
    Mip,
    TrapTaken,     ///< the marked instruction would have retired
    HandlerStarts, ///< first instruction of the handler retires
    Inhibit,       ///< mcountinhibit holds the counter
    Claim,
    Store, ///< mepc goes to the buffer
    Reset, ///< counter is 0
    Complete,
    UninhibitRetires,
    ReturnRetires, ///< mret
    Resume,        ///< first instruction of the program retires
    Count_
};
inline constexpr std::size_t kStepCount = static_cast<std::size_t>(Step::Count_);

std::string_view title_of(Step step);

struct Sample {
    std::array<std::optional<Cycle>, kStepCount> steps;
    unsigned counter = 0;       ///< programmable counter, 1 = mhpmcounter3
    std::uint64_t selector = 0; ///< its event
    std::uint64_t threshold = 0;
    std::uint64_t counted = 0; ///< in the counter when the trap is taken
    Address event_pc = 0;
    Address mepc = 0;
    std::size_t skid = 0; ///< instructions from the event's one to the one at mepc
    Address resumed_pc = 0;

    std::optional<Cycle> at(Step step) const { return steps[static_cast<std::size_t>(step)]; }
    bool complete() const;
};

/// Every sample whose threshold line rises in `from` or later; one cut off by the end of the wave
/// lacks steps. `profile`: which instruction makes an event of a selector.
std::vector<Sample> find_samples(const VcdFile& wave, const PmuProfile& profile, Cycle from);

} // namespace pes

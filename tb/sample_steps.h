// SPDX-License-Identifier: Apache-2.0
// The life of one sample, found in a waveform: from the event that made the counter reach its
// threshold to the first instruction of the program after the handler.
#pragma once

#include "hw/interface/pmu/profile.h"
#include "tb/commit_trace.h"
#include "tb/vcd_reader.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// In the order in which they happen. Complete is seen at the PLIC: the store that does it is
/// posted, so it may come behind Uninhibit.
enum class Step : std::uint8_t {
    Event,            ///< T, the cycle that brings the counter to its threshold
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
    Reset, ///< the counter is below its threshold again
    Complete,
    UninhibitRetires,
    ReturnRetires, ///< mret
    Resume,        ///< first instruction of the program retires
    Count_
};
inline constexpr std::size_t kStepCount = static_cast<std::size_t>(Step::Count_);

std::string_view title_of(Step step);

/// What happened in T.
enum class EventCause : std::uint8_t {
    Retirement, ///< an instruction retired whose own event the counter counts
    Other,      ///< an event that no retiring instruction has: a miss, a stall, a cycle, a trap
    Write,      ///< a CSR write of the counter or its threshold
};

/// Who took the sample.
enum class Taken : std::uint8_t {
    ByInterrupt,
    ByCall, ///< the firmware in a call, before the interrupt could be taken: stop, hand-over
};

struct Sample {
    std::array<std::optional<Cycle>, kStepCount> steps;
    EventCause cause = EventCause::Retirement;
    Taken taken = Taken::ByInterrupt;
    bool trapped_again = false; ///< another trap is taken before the program goes on
    bool line_shared = false;   ///< the hart's interrupt was up already, for something else
    unsigned counter = 0;       ///< 0 mcycle, 2 minstret, 3.. mhpmcounterN
    std::uint64_t selector = 0; ///< its event
    std::uint64_t threshold = 0;
    std::uint64_t counted = 0; ///< in the counter when the trap is taken
    Address event_pc =
        0; ///< EventCause::Retirement: that instruction; else the youngest one retired
    Address mepc = 0;
    std::size_t skid = 0; ///< instructions from the event's one to the one at mepc
    Address resumed_pc = 0;

    std::optional<Cycle> at(Step step) const { return steps[static_cast<std::size_t>(step)]; }
    /// False if the end of the wave cuts it off.
    bool complete() const;
    /// The handler stored mepc; it does not if there is no room, or not in this mode.
    bool recorded() const { return at(Step::Store).has_value(); }
};

/// Names of a counter and of its signals in the waveform; no selector for mcycle and minstret.
struct CounterSignals {
    std::string name, value, threshold, selector;
};
CounterSignals signals_of(unsigned counter);

/// Every sample whose threshold line rises in `from` or later; one cut off by the end of the wave
/// lacks steps. `profile`: which instruction makes an event of a selector.
std::vector<Sample> find_samples(const VcdFile& wave, const PmuProfile& profile, Cycle from);

} // namespace pes

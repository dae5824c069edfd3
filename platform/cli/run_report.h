// SPDX-License-Identifier: Apache-2.0
// What a run leaves for a person or a script: statistics, a trap report, a progress line.
#pragma once

#include "hw/common/event.h"
#include "hw/core/hart.h"
#include "hw/hpm/counter_coverage.h"
#include "hw/interface/pmu/profile.h"
#include "platform/soc/exit_status.h"
#include "platform/soc/guest/sample_channel.h"
#include "platform/soc/soc.h"
#include "platform/soc/trace/trace_report.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace pes {

/// Everything in the statistics; all but the host's time is the same in identical runs.
struct RunStatistics {
    struct OfHart {
        Cycle cycles = 0; ///< that its counters have seen
        std::uint64_t instret = 0;
        std::uint64_t restored = 0; ///< instructions of instret that the checkpoint has brought
        std::uint64_t traps = 0;
        EventTotals totals;
        std::uint64_t uncounted_level_cycles = 0; ///< see PulseLog::lost()
        std::optional<SkidlessCost> skidless{};   ///< with Ssplcofi
        PathStatistics path{};
        std::optional<CounterCoverage::Seen> seen{}; ///< of its counters in lockstep
    };

    RunEnd end;
    std::vector<OfHart> harts;
    std::uint64_t late_wave_changes = 0;
    double host_seconds = 0;
    std::optional<TraceReport> trace{}; ///< of a platform with trace blocks of any kind
    bool goes_on = false;               ///< it ends behind a checkpoint, which has what waits
};

/// JSON with the events under the names of the profile's table. What a hart counts stands at the
/// top for hart 0 and, if there are several, in the array `harts` for each.
std::string statistics_json(const RunStatistics& statistics, const SampleChannel& samples,
                            const PmuProfile& profile);

/// Instructions of all harts that this process has run: those since the checkpoint, if the run
/// began with one. The host's time is theirs.
std::uint64_t own_instructions(const RunStatistics& statistics);

/// Million instructions a second; 0 if no time has passed.
double mips(std::uint64_t instructions, double seconds);

/// Why a guest cannot go on: several lines.
std::string cannot_go_on(const RunEnd& end, Soc& soc);

/// "pc 0x80000000", or with several harts "pc 0x80000000 (hart 0), 0x80000040 (hart 1)".
std::string where(Soc& soc);

/// A line on standard error that shows how far a long run is; only on a terminal.
class ProgressLine {
  public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    void show(Cycle cycles, std::uint64_t instret);

  private:
    using Clock = std::chrono::steady_clock;

    bool terminal_;
    bool shown_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

} // namespace pes

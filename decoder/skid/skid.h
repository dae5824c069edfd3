// SPDX-License-Identifier: Apache-2.0
// How far a sample is from its cause: the skid of each crossing of a counter, in instructions and
// in cycles, and whether it led to another line, basic block or function.
#pragma once

#include "decoder/skid/crossings.h"
#include "decoder/skid/sample_join.h"
#include "hw/interface/pmu/profile_cva6.h"
#include "platform/profile/report.h"
#include "platform/program/symbolizer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace pes {

/// How often each value was seen.
class Histogram {
  public:
    using Counts = std::map<std::int64_t, std::uint64_t>;

    void add(std::int64_t value);

    bool empty() const { return counts_.empty(); }
    std::uint64_t count() const { return count_; }
    /// Of a histogram that is not empty, as the others:
    double mean() const;
    /// The lowest value that at least this part of all do not exceed: 0.5 is the median.
    std::int64_t percentile(double part) const;
    std::int64_t highest() const { return counts_.rbegin()->first; }
    const Counts& counts() const { return counts_; }

  private:
    Counts counts_;
    std::uint64_t count_ = 0;
};

/// The crossings of one event.
struct EventSkid {
    EventId event;
    std::uint64_t thresholds = 0;
    std::uint64_t overflows = 0;
    std::uint64_t delivered = 0;     ///< an interrupt was taken
    std::uint64_t cause_unknown = 0; ///< of `measured`: the causal instruction is not known
    std::uint64_t sampled = 0;       ///< of `delivered`: a sample was joined
    std::uint64_t measured = 0;      ///< what the rest is about: `sampled`, or else `delivered`

    Histogram instructions; ///< 0: the interrupt was taken at the causal instruction
    Histogram cycles;       ///< from the crossing to the interrupt

    /// With a known cause; the next four are parts of it.
    std::uint64_t located = 0;
    std::uint64_t at_cause = 0; ///< the sampled address is that of the causal instruction
    std::uint64_t wrong_line = 0;
    std::uint64_t wrong_block = 0;
    std::uint64_t wrong_function = 0;

    std::uint64_t crossings() const { return thresholds + overflows; }
};

struct SkidReport {
    std::string input;
    const PmuProfile* pmu = &kCva6Profile; ///< names the events
    std::string samples_input;             ///< empty: crossings alone
    std::uint64_t samples = 0;
    std::uint64_t without_crossing = 0;
    std::vector<EventSkid> events; ///< by event

    bool has_samples() const { return !samples_input.empty(); }
};

/// `join`: of these crossings; null if there are no samples to join.
std::vector<EventSkid> measure_skid(std::span<const CrossingRecord> crossings,
                                    const SampleJoin* join, const Symbolizer& symbolizer);

void write_csv(std::ostream& out, const SkidReport& report, RowLimit limit);
void write_json(std::ostream& out, const SkidReport& report, RowLimit limit);
void write_text(std::ostream& out, const SkidReport& report, RowLimit limit, TextStyle style);

} // namespace pes

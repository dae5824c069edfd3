// SPDX-License-Identifier: Apache-2.0
// Counts of a hart in equal intervals of its run, by counters of the host. The intervals begin
// short; whenever there are too many, two become one, so a run of any length has kMost / 2 to
// kMost.
#pragma once

#include "hw/hpm/host_counters.h"
#include "platform/soc/hart_tap.h"

#include <optional>
#include <vector>

namespace pes {

class IntervalRecorder final : public HartTap, private CrossingSink {
  public:
    static constexpr std::size_t kMost = 1200;
    static constexpr Cycle kShortest = 500;

    /// Each source is counted for itself.
    explicit IntervalRecorder(std::vector<Event> sources) : sources_(std::move(sources)) {}

    CounterBank& wrap(CounterBank& seen, HpmBank&) override;
    void attach(Hart&) override {}

    /// Behind this cycle the first interval begins.
    Cycle from() const { return counters_->began(); }
    Cycle interval() const { return interval_; }
    /// By source, each as long as there are whole intervals.
    const std::vector<std::vector<std::uint64_t>>& counts() const { return counts_; }

  private:
    void crossed(const Crossing& crossing) override;
    void join_pairs();

    const std::vector<Event> sources_;
    std::optional<HostCounters> counters_;
    Cycle interval_ = kShortest;
    std::vector<std::uint64_t> seen_; ///< counted up to the end of the last interval
    std::vector<std::vector<std::uint64_t>> counts_;
};

} // namespace pes

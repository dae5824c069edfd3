// SPDX-License-Identifier: Apache-2.0
// Samples a hart from the host's side: counters that no guest sees, and records as the sampling
// handler in firmware would store them. The guest's time does not change.
#pragma once

#include "hw/common/retirement.h"
#include "hw/hpm/host_counters.h"
#include "hw/interface/maps/sample_record.h"
#include "platform/sampling/method.h"
#include "platform/soc/hart_tap.h"

#include <optional>
#include <vector>

namespace pes {

/// What is sampled, and how often.
struct SamplingPlan {
    const SamplingMethod* method = nullptr;
    std::uint8_t counter = 0;   ///< as in a record: 0 cycles, 2 instret, 3 any other event
    std::uint64_t selector = 0; ///< of mhpmevent, if it is 3
    EventMask sources{};
    std::uint64_t period = 0; ///< in units of the method's trigger
    unsigned spread = 0;      ///< percent of the period, see HostCounter
    std::uint64_t seed = 0;
};

/// A hart's sampler on the host's side.
class RecordingTap : public HartTap {
  public:
    /// In the order in which they were captured.
    virtual const std::vector<SampleRecord>& records() const = 0;
};

class HostSampler final : public RecordingTap,
                          private CrossingSink,
                          private SightSink,
                          private HartObserver {
  public:
    /// Not for methods that draw (ideal_samples.h) or sample what is decoded (decode_sampler.h).
    HostSampler(unsigned hart, const SamplingPlan& plan) : hart_number_(hart), plan_(plan) {}

    CounterBank& wrap(CounterBank& seen, HpmBank& guest) override;
    void attach(Hart& hart) override;

    const std::vector<SampleRecord>& records() const override { return records_; }

  private:
    void crossed(const Crossing& crossing) override;
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;
    void retired(const Retirement& retirement) override;

    SampleRecord due(Cycle cycle);
    void add(SampleRecord record, Privilege privilege, Address pc);

    const unsigned hart_number_;
    const SamplingPlan plan_;
    std::optional<HostCounters> counters_;
    Hart* hart_ = nullptr;
    std::uint64_t counted_ = 0;     ///< events that samples stand for
    std::uint64_t half_words_ = 0;  ///< since the last sample
    std::vector<SampleRecord> due_; ///< of all triggers, by tag
    std::vector<SampleRecord> records_;
    std::uint64_t missed_ = 0;
};

} // namespace pes

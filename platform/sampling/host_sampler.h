// SPDX-License-Identifier: Apache-2.0
// Samples a hart from the host's side: counters that no guest sees, and records as the sampling
// handler in firmware would store them. The guest's time does not change.
#pragma once

#include "hw/common/retirement.h"
#include "hw/hpm/host_counters.h"
#include "hw/interface/maps/sample_record.h"
#include "platform/sampling/method.h"
#include "platform/sampling/sample_limit.h"
#include "platform/soc/hart_tap.h"

#include <cstdint>
#include <map>
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
    bool automatic = false;   ///< the period grows with the run (sample_limit.h)
    bool skids = false;       ///< keep how far each sample is from its cause
    unsigned spread = 0;      ///< percent of the period, see HostCounter
    std::uint64_t seed = 0;
};

/// A hart's sampler on the host's side.
class RecordingTap : public HartTap {
  public:
    explicit RecordingTap(const SamplingPlan& plan) : plan_(plan), period_(plan.period) {}

    /// In the order in which they were captured.
    const std::vector<SampleRecord>& records() const { return records_; }
    /// Is told of every record from now on.
    void limit(SampleLimit& limit) { limit_ = &limit; }
    /// Doubles the period and drops every second record, as if the period had always been so long.
    void thin();

    std::uint64_t period() const { return period_; }
    /// With plan.skids, of methods that sample by events: how often the instruction of a sample
    /// retired so many behind the one that caused the trigger; also of samples that thin() has
    /// dropped.
    const std::map<std::int64_t, std::uint64_t>& skids() const { return skids_; }

  protected:
    const SamplingPlan& plan() const { return plan_; }
    void add(const SampleRecord& record);
    void add_skid(std::int64_t instructions) { ++skids_[instructions]; }

  private:
    /// What a record stands for when the one before it, which it replaces, is dropped.
    virtual std::uint64_t joined_weight(const SampleRecord& dropped,
                                        const SampleRecord& kept) const = 0;
    virtual void period_changed() {}

    const SamplingPlan plan_;
    std::uint64_t period_;
    std::vector<SampleRecord> records_;
    std::optional<SampleRecord> odd_one_; ///< dropped, and not replaced yet
    SampleLimit* limit_ = nullptr;
    std::map<std::int64_t, std::uint64_t> skids_;
};

class HostSampler final : public RecordingTap,
                          private CrossingSink,
                          private SightSink,
                          private HartObserver {
  public:
    /// Not for methods that draw (ideal_samples.h) or sample what is decoded (decode_sampler.h).
    HostSampler(unsigned hart, const SamplingPlan& plan) : RecordingTap(plan), hart_number_(hart) {}

    CounterBank& wrap(CounterBank& seen, HpmBank& guest) override;
    void attach(Hart& hart) override;

  private:
    std::uint64_t joined_weight(const SampleRecord& dropped,
                                const SampleRecord& kept) const override {
        return dropped.threshold + kept.threshold;
    }
    void period_changed() override;
    void crossed(const Crossing& crossing) override;
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;
    void retired(const Retirement& retirement) override;

    SampleRecord due(Cycle cycle);
    unsigned shared_cycle(std::uint64_t tag) const;
    void note_skid(std::uint64_t tag, std::optional<std::uint64_t>& own,
                   const SeenInstruction* instruction);

    /// Receives the causes.
    class Causes final : public SightSink {
      public:
        explicit Causes(HostSampler& owner) : owner_(owner) {}
        void seen(std::uint64_t tag, const SeenInstruction* instruction) override;

      private:
        HostSampler& owner_;
    };
    /// Instructions retired before the sample's and before its cause.
    struct Numbers {
        std::optional<std::uint64_t> sampled{};
        std::optional<std::uint64_t> cause{};
    };

    const unsigned hart_number_;
    std::optional<HostCounters> counters_;
    Hart* hart_ = nullptr;
    std::uint64_t counted_ = 0;     ///< events that samples stand for
    std::uint64_t half_words_ = 0;  ///< since the last sample
    std::vector<SampleRecord> due_; ///< of all triggers, by tag
    std::uint64_t missed_ = 0;
    Causes causes_{*this};
    std::vector<Numbers> numbers_; ///< by tag, with plan.skids
};

} // namespace pes

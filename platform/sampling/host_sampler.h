// SPDX-License-Identifier: Apache-2.0
// Samples a hart from the host's side: counters that no guest sees, and records as the sampling
// handler in firmware would store them. The guest's time does not change.
#pragma once

#include "hw/common/retirement.h"
#include "hw/hpm/host_counters.h"
#include "platform/sampling/recording_tap.h"
#include "platform/sampling/sample_windows.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pes {

class HostSampler final : public RecordingTap,
                          private CrossingSink,
                          private SightSink,
                          private HartObserver {
  public:
    /// Not for methods that draw (ideal_samples.h) or sample what is decoded (decode_sampler.h).
    HostSampler(unsigned hart, const SamplingPlan& plan) : RecordingTap(plan), hart_number_(hart) {}

    /// Before wrap(): `windows` gets the pipeline around samples of triggers that count events or
    /// cycles.
    void record(SampleWindows& windows) { windows_ = &windows; }

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

    TakenSample due(Cycle cycle);
    void plan_window(Cycle now);
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
    std::uint64_t counted_ = 0;    ///< events that samples stand for
    std::uint64_t half_words_ = 0; ///< since the last sample
    std::vector<TakenSample> due_; ///< of all triggers, by tag
    std::uint64_t missed_ = 0;
    SampleWindows* windows_ = nullptr; ///< null: none
    Causes causes_{*this};
    std::vector<Numbers> numbers_; ///< by tag, with plan.skids
};

} // namespace pes

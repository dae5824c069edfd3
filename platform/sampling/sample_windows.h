// SPDX-License-Identifier: Apache-2.0
// The pipeline of a hart around some of its samples, evenly spread over the run. Only the cycles
// around these samples are recorded: the hart steps there, and its time does not change.
//
// An instruction is known only if the recording has begun before its decode, so each begins some
// events ahead of the trigger of its sample. Where events are rare, these few may take long; a
// recording that waits too long is given up, and the next one begins fewer events ahead.
#pragma once

#include "hw/core/truth/instruction_window.h"
#include "platform/soc/waves/pipeline_recorder.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace pes {

struct SampleWindow {
    unsigned hart = 0;
    Cycle trigger = 0;      ///< of the sample
    Cycle from = 0, to = 0; ///< the cycles from .. to - 1
    /// That are in the pipeline in one of these cycles, in the order in which they were fetched.
    std::vector<LoggedInstruction> instructions{};
    std::size_t sampled = 0; ///< which of them
};

class SampleWindows final : private PipelineLog {
  public:
    static constexpr Cycle kBefore = 20;   ///< cycles in front of the trigger
    static constexpr Cycle kBehind = 60;   ///< and from it on
    static constexpr Cycle kLongest = 400; ///< if the instruction is in the pipeline for longer

    /// Keeps at most `most` windows. `period` is the sampler's first one; later ones are multiples.
    SampleWindows(unsigned hart, std::size_t most, std::uint64_t period)
        : index_(hart), most_(most), unit_(period) {}

    void attach(Hart& hart) { hart_ = &hart; }

    /// How many events before the next trigger, which is due in `left` events, begin() is to be
    /// called: `left` for at once; nothing if that sample gets no window.
    std::optional<std::uint64_t> lead(Cycle now, std::uint64_t left, std::uint64_t period) const;
    /// Begins to record in a few cycles.
    void begin(Cycle now);
    /// A sample is due, whose instruction captured() will tell.
    void triggered(std::uint64_t tag, Cycle cycle, std::uint64_t period);
    void captured(std::uint64_t tag, const SeenInstruction* instruction);

    const std::vector<SampleWindow>& windows() const { return windows_; }

  private:
    /// Cycles from begin() to the first decode that is recorded: longer than it takes until a
    /// crossing is known.
    static constexpr Cycle kDelay = 64;
    static constexpr Cycle kPatience = 20'000;  ///< of a recording, for the trigger
    static constexpr Cycle kRemembered = 4'000; ///< of instructions that have left
    /// At most so many cycles, and so much of the run, are recorded.
    static constexpr Cycle kBudget = 100'000, kShare = 400;
    static constexpr std::uint64_t kLead = 512; ///< events

    LoggedInstruction::Handle add(LoggedInstruction instruction) override;
    void end(unsigned) override {}
    void finish() override {}
    std::uint64_t instructions() const override { return seen_.size(); }

    struct Sample {
        std::uint64_t tag;
        Cycle trigger;
        Address pc = 0;
        Cycle decode = kNever; ///< kNever: not captured yet
    };

    void look(Cycle now);
    std::optional<SampleWindow> window(Cycle now) const;
    void keep(SampleWindow window);
    void stop(Cycle now);

    const unsigned index_;
    const std::size_t most_;
    const std::uint64_t unit_;
    Hart* hart_ = nullptr;
    std::optional<PipelineRecorder> recorder_;
    bool records_ = false;
    Cycle begun_ = 0;
    Cycle known_from_ = kNever; ///< nothing older than the first one is in the pipeline any more
    std::deque<LoggedInstruction> seen_;
    std::optional<Sample> sample_;

    // Samples are numbered by the first period: one of a longer period counts for several.
    std::uint64_t number_ = 0;  ///< of the sample before
    std::uint64_t spacing_ = 1; ///< of those with a window
    std::uint64_t target_ = 1;  ///< the next one
    std::uint64_t lead_ = kLead;
    Cycle spent_ = 0;
    std::vector<SampleWindow> windows_;
};

} // namespace pes

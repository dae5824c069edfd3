// SPDX-License-Identifier: Apache-2.0
// A hart's sampler on the host's side: the plan that it follows, and the samples that it keeps.
#pragma once

#include "hw/common/retirement.h"
#include "hw/core/truth/instruction_window.h"
#include "hw/interface/maps/sample_record.h"
#include "platform/profile/stack_table.h"
#include "platform/program/call_frames.h"
#include "platform/sampling/method.h"
#include "platform/sampling/sample_limit.h"
#include "platform/sampling/stack_snapshot.h"
#include "platform/soc/hart_tap.h"

#include <cstdint>
#include <map>
#include <memory>
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
    const CallFrames* frames = nullptr; ///< with them, samples have call stacks, ...
    StackTable* stacks = nullptr;       ///< ... which are kept here
    bool snapshots = false;             ///< or, in user mode, what call stacks are found from later
};

struct TakenSample {
    SampleRecord record{};
    std::uint64_t satp = 0; ///< of the address space
    Address data = 0;       ///< of the sampled instruction's access; 0: not known, or none
    std::size_t stack = 0;  ///< number in the plan's table, if there is one
    std::shared_ptr<const StackSnapshot> snapshot{}; ///< with plan.snapshots; null: none
};

class RecordingTap : public HartTap {
  public:
    explicit RecordingTap(const SamplingPlan& plan) : plan_(plan), period_(plan.period) {}

    void attach(Hart& hart) override { hart_ = &hart; }

    /// In the order in which they were captured.
    const std::vector<TakenSample>& samples() const { return samples_; }
    /// Is told of every sample from now on.
    void limit(SampleLimit& limit) { limit_ = &limit; }
    /// Doubles the period and drops every second sample, as if the period had always been so long.
    void thin();

    std::uint64_t period() const { return period_; }
    /// With plan.skids, of methods that sample by events: how often the instruction of a sample
    /// retired so many behind the one that caused the trigger; also of samples that thin() has
    /// dropped.
    const std::map<std::int64_t, std::uint64_t>& skids() const { return skids_; }

  protected:
    const SamplingPlan& plan() const { return plan_; }
    Hart& hart() const { return *hart_; }
    void add(const TakenSample& sample);
    void add_skid(std::int64_t instructions) { ++skids_[instructions]; }

  private:
    /// What a record stands for when the one before it, which it replaces, is dropped.
    virtual std::uint64_t joined_weight(const SampleRecord& dropped,
                                        const SampleRecord& kept) const = 0;
    virtual void period_changed() {}

    /// Registers, memory and pc belong together when an instruction has ended, and not when a
    /// sample is captured: its stack is taken at the next end.
    class StackTaker final : public HartObserver {
      public:
        explicit StackTaker(RecordingTap& owner) : owner_(owner) {}
        void retired(const Retirement& retirement) override {
            owner_.take_stacks(retirement.next_pc, retirement.privilege);
        }
        void trapped(const TrapTaken& trap) override { owner_.take_stacks(trap.epc, trap.from); }

      private:
        RecordingTap& owner_;
    };
    void await_stack(TakenSample& sample);
    void take_stacks(Address pc, Privilege privilege);

    const SamplingPlan plan_;
    std::uint64_t period_;
    Hart* hart_ = nullptr;
    std::vector<TakenSample> samples_;
    std::size_t awaited_ = 0; ///< the last so many have no stack yet
    StackTaker stack_taker_{*this};
    bool waits_ = false;                  ///< stack_taker_ observes
    std::optional<SampleRecord> odd_one_; ///< dropped, and not replaced yet
    SampleLimit* limit_ = nullptr;
    std::map<std::int64_t, std::uint64_t> skids_;
};

} // namespace pes

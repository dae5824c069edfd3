// SPDX-License-Identifier: Apache-2.0
// Ssplcofi: the trap of an overflow interrupt immediately follows the instruction whose event made
// the counter overflow.
//
// Interrupts skid for two reasons. First, the event of an instruction is counted, and its interrupt
// reaches mip, after younger instructions have been decoded. Therefore the counters are asked
// before each instruction whether the events so far will make one of them overflow; if so, nothing
// is decoded until the interrupt is pending. Younger instructions in the pipeline are flushed, and
// the cycles that this costs are counted. Second, an event of the instruction's fetch may be
// counted before the instruction is decoded. Then the instruction is executed before the interrupt
// is taken.
//
// An overflow of a cycle counter has no causal instruction; its interrupt is delivered as usual.
#pragma once

#include "hw/common/crossing.h"
#include "hw/core/arch/arch_state.h"
#include "hw/core/feed/attention.h"
#include "hw/core/feed/counter_feed.h"
#include "hw/core/hart_time.h"
#include "hw/core/truth/oracle.h"

#include <cstdint>
#include <optional>

namespace pes {

/// The cost of skidless interrupts.
struct SkidlessCost {
    std::uint64_t flushes = 0; ///< pipeline flushes for an interrupt
    Cycle cycles = 0;          ///< lost decode cycles
};

class SkidlessDelivery final : private SightSink {
  public:
    SkidlessDelivery(const ArchState& arch, CounterFeed& feed, HartTime& time, Attention& attention,
                     Oracle& oracle);

    /// Called before each fetch: stops decoding if an earlier instruction makes a counter overflow
    /// and the interrupt would be taken.
    void look_ahead();
    /// A counter with OF = 0 has overflowed.
    void overflowed(const Crossing& crossing);
    /// A sampled instruction that has ended in `ended` interrupts: decoding stops likewise.
    void deliver_behind(Cycle ended);
    /// An instruction that could have been decoded in `from` was held until `to`. Counts the cost.
    void held(Cycle from, Cycle to);
    /// True if the instruction in decode caused the interrupt and therefore executes before it.
    bool comes_behind_instruction_in_hand() const;

    const SkidlessCost& cost() const { return cost_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    bool would_be_taken() const;
    void hold_behind(Cycle event);
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;

    const ArchState& arch_;
    CounterFeed& feed_;
    HartTime& time_;
    Attention& attention_;
    Oracle& oracle_;
    Cycle held_for_ = 0; ///< cycle in which the awaited interrupt reaches mip
    std::optional<SeenInstruction> cause_;
    SkidlessCost cost_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Ssplcofi: the trap of an overflow interrupt follows immediately behind the instruction whose
// event made the counter overflow.
//
// Two things make interrupts skid here. The event of an instruction is counted, and its interrupt
// reaches mip, cycles after younger instructions have been decoded: so, before each instruction,
// the counters are asked whether what has happened already will make one of them overflow, and
// then nothing is decoded until the interrupt is there. What the pipeline would have had of younger
// instructions is thrown away; the cycles that this costs are counted. And an event of its fetch
// may be counted before an instruction is decoded: then it is executed before the interrupt is
// taken.
//
// An overflow of a cycle counter has no causal instruction; its interrupt comes as ever.
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

/// What skidless interrupts have cost.
struct SkidlessCost {
    std::uint64_t flushes = 0; ///< the pipeline was emptied for an interrupt
    Cycle cycles = 0;          ///< in which it would have decoded
};

class SkidlessDelivery final : private CrossingSink, private SightSink {
  public:
    SkidlessDelivery(const ArchState& arch, CounterFeed& feed, HartTime& time, Attention& attention,
                     Oracle& oracle);

    /// Before the next instruction is fetched: decoding stops if one before it makes a counter
    /// overflow and the interrupt would be taken.
    void look_ahead();
    /// A sampled instruction that has ended in `ended` interrupts: decoding stops likewise.
    void deliver_behind(Cycle ended);
    /// An instruction that could have been decoded in `from` was held until `to`.
    void held(Cycle from, Cycle to);
    /// The instruction in decode has caused the interrupt, and so comes before it.
    bool comes_behind_instruction_in_hand() const;

    const SkidlessCost& cost() const { return cost_; }

  private:
    bool would_be_taken() const;
    void hold_behind(Cycle event);
    void crossed(const Crossing& crossing) override;
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;

    const ArchState& arch_;
    CounterFeed& feed_;
    HartTime& time_;
    Attention& attention_;
    Oracle& oracle_;
    Cycle held_for_ = 0; ///< an interrupt that reaches mip in this cycle
    std::optional<SeenInstruction> cause_;
    SkidlessCost cost_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Hands the hart's pulses to the counter bank, in single cycles or in spans, and computes when this
// must be done next.
//
// The bank lags behind the hart: pulses are certain only up to kMarkDistance cycles before the
// decode cycle of the next instruction. deadline() is the decode cycle by which the bank must be up
// to date, because an interrupt line of the counters may change.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/level.h"
#include "hw/core/feed/attention.h"
#include "hw/core/feed/interrupt_inputs.h"
#include "hw/core/timing/pulses/pulse_log.h"

#include <optional>
#include <vector>

namespace pes {

/// As a sink it receives the bank's Overflow line, which is an input of the hart itself.
class CounterFeed : private LevelSink {
  public:
    /// Cycles between the retirement that makes a counter reach its threshold and the earliest
    /// decode cycle that can see the interrupt.
    static constexpr Cycle kMarkDistance = 4;

    CounterFeed(CounterBank& bank, InterruptInputs& inputs, Attention& attention);

    PulseLog& pulses() { return pulses_; }
    const PulseLog& pulses() const { return pulses_; }
    CounterBank& bank() { return bank_; }
    const CounterBank& bank() const { return bank_; }

    Cycle deadline() const { return deadline_; }
    /// True if no counter edge can occur up to and including this cycle. deadline() is
    /// kMarkDistance + 1 cycles after the last safe one.
    bool quiet_through(Cycle cycle) const { return cycle + kMarkDistance < deadline_; }
    /// The cycle by which the log must be emptied, even if no counter edge is near.
    Cycle next_hand_over() const;
    bool due(Cycle decode) const { return decode >= deadline_ || decode >= next_hand_over(); }

    /// Closes the cycles that are certain at this decode cycle: a late pulse is moved behind them.
    /// The result does not depend on who calls this, nor on how often.
    void settle_before(Cycle decode) { pulses_.settle_before(decode, kMarkDistance); }

    /// Hands over all pulses up to and including `cycle`.
    void bring_to(Cycle cycle);
    /// Hands over all pulses that are certain at this decode cycle.
    void bring_to_decode(Cycle decode) { bring_to(decode - kMarkDistance); }
    /// Advances the bank to `cycle` with totals that are not in the log yet. False if an edge is
    /// possible before `cycle`.
    bool skip_to(Cycle cycle, const EventTotals& totals);

    /// The overflow that the logged pulses will cause, whatever follows; see CounterBank.
    std::optional<Crossing> overflow_ahead();

    void write(std::uint16_t csr, std::uint64_t value);
    /// Requests LCOFI in cycle `at`, which is later than its cause.
    void request_overflow(Cycle at);
    /// `cycle` is the last one in the previous mode.
    void change_privilege(Privilege privilege, Cycle cycle);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    void set_level(unsigned line, bool level, Cycle at) override;
    void renew_deadline();

    CounterBank& bank_;
    InterruptInputs& inputs_;
    Attention& attention_;
    PulseLog pulses_;
    std::vector<CyclePulses> coming_; ///< buffer of overflow_ahead()
    Cycle deadline_ = 0;
};

} // namespace pes

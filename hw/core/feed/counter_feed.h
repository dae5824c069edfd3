// SPDX-License-Identifier: Apache-2.0
// Hands the hart's pulses to the counter bank, in single cycles or in spans, and says when it has
// to be done next.
//
// The bank lags behind the hart: a pulse is certain only kMarkDistance cycles before the decode
// cycle of the next instruction. deadline() is the decode cycle by which the bank must have been
// brought up to date, because an interrupt line of the counters may change.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/level.h"
#include "hw/core/feed/attention.h"
#include "hw/core/feed/interrupt_inputs.h"
#include "hw/core/timing/pulse_log.h"

#include <optional>
#include <vector>

namespace pes {

/// As a sink it takes the bank's Overflow, which is an input of the hart itself.
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
    /// In the cycles that the bank has not seen, up to and including this one, no edge of the
    /// counters can lie: deadline() is kMarkDistance + 1 behind those that are safe.
    bool quiet_through(Cycle cycle) const { return cycle + kMarkDistance < deadline_; }
    /// The log has to be emptied now and then, whatever the counters do.
    Cycle next_hand_over() const;
    bool due(Cycle decode) const { return decode >= deadline_ || decode >= next_hand_over(); }

    /// Nothing more is placed in cycles that are certain at this decode cycle. Whoever asks and
    /// however often, a pulse that comes late lands in the same cycle.
    void settle_before(Cycle decode) {
        if (decode > kMarkDistance) {
            pulses_.settle_through(decode - kMarkDistance);
        }
    }

    /// Hands over all pulses up to and including `cycle`.
    void bring_to(Cycle cycle);
    /// ... up to what is certain at this decode cycle.
    void bring_to_decode(Cycle decode) { bring_to(decode - kMarkDistance); }
    /// Takes the bank to `cycle` with totals that are not in the log yet; false if an edge may lie
    /// before.
    bool skip_to(Cycle cycle, const EventTotals& totals);

    /// The overflow that what has been placed brings about, whatever comes later; see CounterBank.
    std::optional<Crossing> overflow_ahead();

    void write(std::uint16_t csr, std::uint64_t value);
    /// LCOFI is requested in cycle `at`, which is behind that of its cause.
    void request_overflow(Cycle at);
    /// `cycle` is the last one in the mode that is left.
    void change_privilege(Privilege privilege, Cycle cycle);

  private:
    void set_level(unsigned line, bool level, Cycle at) override;
    void renew_deadline();

    CounterBank& bank_;
    InterruptInputs& inputs_;
    Attention& attention_;
    PulseLog pulses_;
    std::vector<CyclePulses> coming_; ///< room for overflow_ahead()
    Cycle deadline_ = 0;
};

} // namespace pes

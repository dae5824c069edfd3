// SPDX-License-Identifier: Apache-2.0
// The pulse sources outside kBaseEvents. A source that is not counted stays silent and costs one
// test; a source that needs computation is computed only if any().
#pragma once

#include "hw/common/event.h"
#include "hw/core/timing/pulses/pulse_log.h"

namespace pes {

class FurtherPulses {
  public:
    FurtherPulses(PulseLog& pulses, EventMask sources)
        : pulses_(pulses), wanted_(sources - kBaseEvents), any_(wanted_.any()) {}

    bool any() const { return any_; }
    EventMask wanted(EventMask of) const { return wanted_ & of; }

    void pulse(Event event, Cycle cycle) {
        if (wanted_.has(event)) [[unlikely]] {
            place(event, cycle);
        }
    }
    /// The event is true in the cycles [from, to).
    void level(Event event, Cycle from, Cycle to) {
        if (wanted_.has(event)) [[unlikely]] {
            place(event, from, to);
        }
    }

  private:
    // Not inline, so that the log's functions stay inlined in the callers that run all the time.
    [[gnu::cold, gnu::noinline]] void place(Event event, Cycle cycle) {
        pulses_.pulse(event, cycle);
    }
    [[gnu::cold, gnu::noinline]] void place(Event event, Cycle from, Cycle to) {
        pulses_.level(event, from, to);
    }

    PulseLog& pulses_;
    EventMask wanted_;
    bool any_;
};

} // namespace pes

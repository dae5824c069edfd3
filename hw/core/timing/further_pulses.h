// SPDX-License-Identifier: Apache-2.0
// The pulse sources behind kBaseEvents: one that nobody counts stays silent and costs a test. What
// has to be worked out first is worked out if any().
//
// CVA6 does not have them; each is pulsed only if it is wanted:
//   IntegerLoad..FloatOther, UnconditionalJump, Compressed, FlushByCsrWrite
//                       Instruction::commit_events in the cycle of retirement
//   FlushByOther        likewise, with every other instruction behind which restart_after() fetches
//                       again; and in the cycle of Exception
//   TakenBranch, ExternalLoad, ExternalStore
//                       cycle of retirement; an access that faults does not retire
//   DirectionMispredict, TargetMispredict
//                       one of them with each BranchMispredict: of a branch, of a jump
//   DataMissOrIo        with each L1DMiss; a load outside cacheable memory in the cycle after its
//                       request, a store when it leaves the store buffer
//   LoadUseStall, MultiplyStall, DivideStall, FloatStall, CsrStall
//                       the cycles of PipelineStall, each stall as a whole under the writer of the
//                       operand that is ready last, of the first such operand if there are several.
//                       LoadUseStall has the loads and AMOs, LR and SC. With latency.alu = 1
//                       nothing else is waited for, and the five add up to PipelineStall
//   AddressStall        the cycles of PipelineStall of a load, store, AMO, LR or SC in which rs1 is
//                       not ready
//   JumpRegisterStall   the cycles of PipelineStall of a jalr
//   FetchBusy           level: from the lookup that misses L1I to the cycle before the next lookup
//                       can be asked for; instructions that a flush throws away as for L1IMiss
//   DataBusy            level: L1D read misses, page-table reads included, and external loads: the
//                       cycles beyond a hit. Stores: while the write buffer has no place. AMO, LR,
//                       SC: from the head of the scoreboard until memory has performed them
//   ExternalLoadWait    level: from the request to the cycle before the result is forwarded
//   ExternalStoreWait   level: from the cycle after retirement until the transaction is back, as
//                       far as that is known when the store leaves the store buffer
#pragma once

#include "hw/common/event.h"
#include "hw/core/timing/pulse_log.h"

namespace pes {

class FurtherPulses {
  public:
    FurtherPulses(PulseLog& pulses, EventMask sources)
        : pulses_(pulses), wanted_(sources & ~kBaseEvents) {}

    bool any() const { return wanted_ != 0; }
    EventMask wanted(EventMask of) const { return wanted_ & of; }

    void pulse(Event event, Cycle cycle) {
        if (wanted(event_bit(event)) != 0) [[unlikely]] {
            place(event, cycle);
        }
    }
    /// The event is true in the cycles [from, to).
    void level(Event event, Cycle from, Cycle to) {
        if (wanted(event_bit(event)) != 0) [[unlikely]] {
            place(event, from, to);
        }
    }

  private:
    // Apart, so that the log's functions stay part of those callers that run all the time.
    [[gnu::cold, gnu::noinline]] void place(Event event, Cycle cycle) {
        pulses_.pulse(event, cycle);
    }
    [[gnu::cold, gnu::noinline]] void place(Event event, Cycle from, Cycle to) {
        pulses_.level(event, from, to);
    }

    PulseLog& pulses_;
    EventMask wanted_;
};

} // namespace pes

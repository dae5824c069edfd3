// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/sample_registers.h"

namespace pes {

void SampleRegisters::begin_cycle() {
    for (std::optional<Crossing>& asked : asked_) {
        asked.reset();
    }
    for (std::optional<SampleCause>& named : named_) {
        if (!named) {
            continue;
        }
        const bool overflow = named->kind == Crossing::Kind::Overflow;
        write(overflow ? 0 : 2, named->pc);
        write(overflow ? 1 : 3, named->counter);
        if (!overflow) {
            write(4, named->data);
        }
        named.reset();
    }
}

/// "such that mhpmeventi.OF transitions from 0 to 1 and xip.LCOFIP transitions from 0 to 1": an
/// overflow during a pending or requested interrupt captures nothing. Of counters that overflow in
/// one cycle the lowest is captured, with delegation the lowest that is delegated.
void SampleRegisters::overflowed(const Crossing& crossing, bool requested) {
    host_->overflowed(crossing);
    const bool captures = (host_->sampled_counters() >> crossing.counter & 1) != 0;
    if (captures && !requested && !host_->overflow_pending()) {
        ask(crossing);
    }
}

void SampleRegisters::reached(const Crossing& crossing) {
    ask(crossing);
}

/// Of those in one cycle the first.
void SampleRegisters::ask(const Crossing& crossing) {
    std::optional<Crossing>& asked = asked_[index_of(crossing.kind)];
    if (!asked) {
        asked = crossing;
        host_->find_cause(crossing);
    }
}

} // namespace pes

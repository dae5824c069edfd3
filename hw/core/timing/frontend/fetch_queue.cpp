// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/frontend/fetch_queue.h"

namespace pes {

/// Instructions still on the way from L1I in `from` are not counted in the FIFO yet.
Cycle FetchQueue::ready_after_drain(Cycle from) const {
    const std::uint64_t reserve = entries_ - 2;
    for (;;) {
        if (target_free_ > from && from > target_scan_) {
            from = target_free_;
        }
        std::uint64_t pushed = sequence_;
        while (pushed > sequence_ - reserve && scanned_[pushed % kTracked] >= from) {
            --pushed;
        }
        const Cycle drained = slot_free(pushed - reserve);
        if (drained <= from) {
            return from;
        }
        from = drained;
    }
}

/// The FIFO was full when the word arrived: the instruction is requested again, both of its words
/// if it lies in two, once the queue is ready, which is after the place it needs is free, in
/// `needed`. [core/frontend/instr_queue.sv, core/instr_realign.sv]
void FetchQueue::replay(Cycle needed) {
    --sequence_; // not queued yet
    Cycle cycle = ready_from(std::max(scan + 1, needed));
    cycle = in_two_words_ ? ready_from(cycle + 1) : cycle;
    ++sequence_;
    next_request = cycle + 1;
    scan = cycle + lookup_cycles_;
    scanned_[sequence_ % kTracked] = scan;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/frontend.h"

#include <algorithm>

namespace pes {

Frontend::Frontend(const TimingConfig& config, PulseLog& pulses, DataCache& data_cache)
    : queue_entries_(config.queue_entries), lookup_cycles_(config.lookup_cycles),
      queue_cycles_(config.queue_cycles), miss_cycles_(config.miss_cycles()), l1i_(config.l1i),
      pulses_(pulses), data_cache_(data_cache) {}

/// Instructions still on the way from L1I in `from` are not counted in the FIFO yet.
Cycle Frontend::ready_after_drain(Cycle from) const {
    const std::uint64_t reserve = queue_entries_ - 2;
    for (;;) {
        std::uint64_t pushed = sequence_;
        while (pushed > sequence_ - reserve && instructions_[pushed % kTracked].scan >= from) {
            --pushed;
        }
        const Cycle drained = slot_free(pushed - reserve);
        if (drained <= from) {
            return from;
        }
        from = drained;
    }
}

void Frontend::request(Address word, Address physical, const PageWalk* walk) {
    Cycle cycle = ready_from(next_request_);
    word_ = word;
    if (walk == nullptr && l1i_.access(physical) == Lookup::Hit) [[likely]] {
        pulses_.level(Event::L1IAccess, cycle, cycle + 1);
        next_request_ = cycle + 1;
        scan_ = cycle + lookup_cycles_;
        return;
    }
    const Cycle first = cycle;
    Cycle extra = miss_cycles_;
    if (walk != nullptr) {
        pulses_.pulse(Event::ItlbMiss, cycle + 1);
        cycle = data_cache_.walk(*walk, cycle + 1) - 2;
        extra = l1i_.access(physical) == Lookup::Hit ? 0 : miss_cycles_;
    }
    if (extra != 0) {
        pulses_.pulse(Event::L1IMiss, cycle + 1);
        extra += data_cache_.writes().refill_instructions(cycle + 1) - (cycle + 1);
    }
    next_request_ = cycle + 1 + extra;
    scan_ = cycle + lookup_cycles_ + (extra != 0 ? extra - 1 : 0);
    pulses_.level(Event::L1IAccess, first, next_request_);
}

/// The FIFO was full when the word arrived: it is requested again once the queue is ready, which is
/// after the slot it needs is free.
void Frontend::replay() {
    const Cycle needed = slot_free(sequence_ - queue_entries_);
    --sequence_; // not queued yet
    const Cycle cycle = ready_from(std::max(scan_ + 1, needed));
    ++sequence_;
    pulses_.level(Event::L1IAccess, cycle, cycle + 1);
    next_request_ = cycle + 1;
    scan_ = cycle + lookup_cycles_;
}

void Frontend::follow_prediction() {
    if (ready_from(next_request_) == next_request_) { // sequential requests, killed by the jump
        pulses_.level(Event::L1IAccess, next_request_, scan_);
    }
    target_free_ = last_target_free_;
    last_target_free_ = slot_free(sequence_);
    target_scan_ = scan_;
    next_request_ = scan_;
    word_ = kNoWord;
}

Cycle Frontend::next_offered(Address pc, unsigned length) const {
    const Address last = pc + length - 1;
    const Address first_word = pc / kWordBytes;
    const Address last_word = last / kWordBytes;
    if ((first_word != word_ && !l1i_.contains(pc + to_physical_)) ||
        (last_word != first_word && !l1i_.contains(last + to_physical_))) {
        return kNever;
    }
    const bool two_requests = first_word != word_ && last_word != first_word;
    return next_scan(last) + (two_requests ? 1 : 0) + queue_cycles_;
}

/// A request that is looked up in the cycle of the flush is killed before its miss goes out. The
/// translation of another page is not known here.
Cycle Frontend::discarded_word(Address address, Cycle scan, Cycle flush) {
    constexpr Address kPageMask = ~Address{0xFFF};
    const Cycle lookup = scan - lookup_cycles_ + 1;
    if (address / kWordBytes == word_) {
        return scan; // its other half is the last instruction
    }
    if (lookup >= flush || ((address ^ pc_) & kPageMask) != 0) {
        return kNever;
    }
    const Address physical = address + to_physical_;
    if (l1i_.contains(physical)) {
        return scan;
    }
    pulses_.pulse(Event::L1IMiss, lookup);
    const Cycle extra = miss_cycles_ + data_cache_.writes().refill_instructions(lookup) - lookup;
    const Cycle idle = lookup + extra;
    if (idle > flush) {
        refill_until_ = idle;
        return kNever;
    }
    l1i_.access(physical);
    return scan + extra - 1;
}

void Frontend::restart(Cycle flush, Cycle request, Cycle clearing) {
    const Cycle from = ready_from(next_request_);
    pulses_.level(Event::L1IAccess, from, std::min(flush + 1, from + queue_entries_));
    target_free_ = last_target_free_ = 0;
    next_request_ = std::max(request, refill_until_) + clearing;
    pulses_.level(Event::L1IAccess, flush + 1, next_request_); // asks, but L1I is busy
    word_ = kNoWord;
}

} // namespace pes

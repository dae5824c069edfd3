// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/frontend.h"

#include <algorithm>

namespace pes {

Frontend::Frontend(const TimingConfig& config, PulseLog& pulses, FurtherPulses further,
                   DataCache& data_cache, Tables& tables)
    : queue_entries_(config.queue_entries), lookup_cycles_(config.lookup_cycles),
      queue_cycles_(config.queue_cycles), miss_cycles_(config.miss_cycles()),
      line_offset_mask_(config.l1i.line_bytes - 1), tables_(tables), pulses_(pulses),
      further_(further), data_cache_(data_cache) {}

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

/// The word is not in L1I, or its translation not in the TLB.
void Frontend::request_slowly(Cycle cycle, Address physical, const PageWalk* walk) {
    Cycle extra = miss_cycles_;
    if (walk != nullptr) {
        pulses_.pulse(Event::ItlbMiss, cycle + 1);
        cycle = data_cache_.walk(*walk, cycle + 1) - 2;
        extra = look_up(physical) == Lookup::Hit ? 0 : miss_cycles_;
    }
    if (extra != 0) {
        pulses_.pulse(Event::L1IMiss, cycle + 1);
        extra += data_cache_.writes().refill_instructions(cycle + 1) - (cycle + 1);
        further_.level(Event::FetchBusy, cycle + 1, cycle + 1 + extra);
    }
    next_request_ = cycle + 1 + extra;
    scan_ = cycle + lookup_cycles_ + (extra != 0 ? extra - 1 : 0);
}

void Frontend::failed_walk(const PageWalk& walk) {
    const Cycle cycle = ready_from(next_request_);
    pulses_.pulse(Event::ItlbMiss, cycle + 1);
    next_request_ = data_cache_.walk(walk, cycle + 1) - 2;
}

/// The FIFO was full when the word arrived: the instruction is requested again, both of its words
/// if it lies in two, once the queue is ready, which is after the place it needs is free, in
/// `needed`. [core/frontend/instr_queue.sv, core/instr_realign.sv]
void Frontend::replay(Cycle needed) {
    --sequence_; // not queued yet
    Cycle cycle = ready_from(std::max(scan_ + 1, needed));
    cycle = in_two_words_ ? ready_from(cycle + 1) : cycle;
    ++sequence_;
    next_request_ = cycle + 1;
    scan_ = cycle + lookup_cycles_;
    instructions_[sequence_ % kTracked].scan = scan_;
}

void Frontend::queue_target() {
    target_free_ = last_target_free_;
    last_target_free_ = slot_free(sequence_);
    target_scan_ = scan_;
    ask(scan_ + 1, target_free_);
}

/// The target is requested in the scan cycle, in which the next word in sequence is looked up. A
/// miss of that word is killed before it goes out, but L1I does not take a request in this cycle.
void Frontend::follow_prediction() {
    const Address next = (word_ + 1) * kWordBytes;
    const bool missing = (next & line_offset_mask_) == 0 && next_request_ < scan_ &&
                         ready_from(next_request_) == scan_ - 1 && knows_physical(next) &&
                         !present(physical(next));
    queue_target();
    next_request_ = missing ? scan_ + 1 : scan_;
    word_ = kNoWord;
}

Cycle Frontend::next_offered(Address pc, unsigned length) {
    const Address last = pc + length - 1;
    const Address first_word = pc / kWordBytes;
    const Address last_word = last / kWordBytes;
    if ((first_word != word_ && !present(physical(pc))) ||
        (last_word != first_word && !present(physical(last)))) {
        return kNever;
    }
    if (last_word == word_) {
        return scan_ + queue_cycles_;
    }
    const bool two_requests = first_word != word_ && last_word != first_word;
    return ready_from(next_request_) + (two_requests ? 1 : 0) + lookup_cycles_ + queue_cycles_;
}

Cycle Frontend::fetch_discarded(Address pc, unsigned length, Cycle flush) {
    const Address first = pc / kWordBytes;
    const Address last = (pc + length - 1) / kWordBytes;
    for (Address word = first; word <= last; ++word) {
        if (word != word_ && !request_discarded(word, physical(word * kWordBytes), flush)) {
            return kNever;
        }
    }
    const Cycle offered = enqueue(last != first);
    return scan_ <= flush ? offered : kNever;
}

/// A request that is looked up in the cycle of the flush is killed before its miss goes out; a line
/// that returns in the cycle of the flush or later is not kept.
bool Frontend::request_discarded(Address word, Address physical, Cycle flush) {
    const Cycle cycle = ready_from(next_request_);
    const Cycle lookup = cycle + 1;
    if (lookup >= flush) {
        return false;
    }
    word_ = word;
    if (present(physical)) {
        next_request_ = lookup;
        scan_ = cycle + lookup_cycles_;
        return true;
    }
    pulses_.pulse(Event::L1IMiss, lookup);
    next_request_ = scan_ = data_cache_.writes().refill_instructions(lookup) + miss_cycles_;
    further_.level(Event::FetchBusy, lookup, next_request_);
    if (scan_ > flush) {
        refill_until_ = scan_;
        return false;
    }
    look_up(physical);
    return true;
}

void Frontend::restart(Cycle flush, Cycle request, Cycle clearing) {
    ask(flush + 1, 0);
    target_free_ = last_target_free_ = 0;
    next_request_ = std::max(request, refill_until_) + clearing;
    word_ = kNoWord;
}

} // namespace pes

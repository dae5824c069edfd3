// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/frontend/frontend.h"

#include <algorithm>
#include <span>

namespace pes {

Frontend::Frontend(const TimingConfig& config, PulseLog& pulses, FurtherPulses further,
                   DataCache& data_cache, PageWalker& walker, Tables& tables, Waits& waits)
    : queue_(config), lookup_cycles_(config.lookup_cycles), queue_cycles_(config.queue_cycles),
      miss_cycles_(config.miss_cycles()), line_offset_mask_(config.l1i.line_bytes - 1),
      tables_(tables), pulses_(pulses), further_(further), data_cache_(data_cache), walker_(walker),
      waits_(waits) {}

/// The word is not in L1I, or its translation not in the TLB.
void Frontend::request_slowly(Cycle cycle, Address physical, const PageWalk* walk) {
    Cycle extra = miss_cycles_;
    if (walk != nullptr) {
        const Cycle asked = cycle;
        cycle = walker_.walk_fetch(*walk, cycle + 1) - 2;
        waits_.add_walk(cycle - asked);
        extra = fetch_line(physical) ? 0 : miss_cycles_;
    }
    if (extra != 0) {
        pulses_.pulse(Event::L1IMiss, cycle + 1);
        extra += refill(cycle + 1) - (cycle + 1);
        further_.level(Event::FetchBusy, cycle + 1, cycle + 1 + extra);
        waits_.add_miss(extra);
    }
    queue_.next_request = cycle + 1 + extra;
    queue_.scan = cycle + lookup_cycles_ + (extra != 0 ? extra - 1 : 0);
}

void Frontend::failed_walk(const PageWalk& walk) {
    const Cycle cycle = queue_.request();
    queue_.next_request = walker_.walk_fetch(walk, cycle + 1) - (walk.fills_tlb ? 0 : 2);
    waits_.add_walk(queue_.next_request - cycle);
}

bool Frontend::walk_discarded(const PageWalk& walk, Cycle flush, WalkBehindFlush then) {
    const Cycle lookup = queue_.request() + 1;
    if (lookup >= flush) {
        return false;
    }
    const bool goes_on = then == WalkBehindFlush::GoesOn;
    const Cycle end = walker_.walk_fetch(walk, lookup, goes_on ? kNever : flush);
    queue_.next_request = end - 2;
    const bool done = queue_.next_request + 1 < flush;
    if (!done) {
        refill_until_ = goes_on ? end - (walk.fills_tlb ? 0 : 1) : flush + 2;
    }
    return done;
}

/// Each word asks the walker again; L1I is busy for one more cycle with the request that the flush
/// kills.
void Frontend::fail_again(const PageWalk& walk, Cycle flush) {
    Cycle request = queue_.next_request + 1;
    while (!walk.fills_tlb && request + 1 < flush) {
        request = walker_.walk_fetch(walk, request + 1, flush) - 1;
        refill_until_ = flush + 2;
    }
}

bool Frontend::misses_ahead(Address next) {
    return next_word_is_looked_up() && knows_physical(next) && !present(physical(next));
}

/// What is killed before its translation is there goes on until it is. [cva6_icache.sv,
/// KILL_ATRANS]
bool Frontend::follow_prediction_behind(const PageWalk& walk, Cycle flush) {
    const Cycle end = walker_.walk_fetch(walk, queue_.scan, flush);
    waits_.add_walk(end - queue_.scan);
    queue_target();
    const bool ends = end < flush;
    refill_until_ = ends ? end - (walk.fills_tlb ? 0 : 1) : flush + 2;
    queue_.jump(refill_until_);
    return ends;
}

Cycle Frontend::next_offered(Address pc, unsigned length) {
    const FetchQueue::Words words = FetchQueue::words_of(pc, length);
    if ((words.first != queue_.word && !present(physical(pc))) ||
        (words.two() && !present(physical(pc + length - 1)))) {
        return kNever;
    }
    if (words.last == queue_.word) {
        return queue_.scan + queue_cycles_;
    }
    const bool two_requests = words.first != queue_.word && words.two();
    return queue_.request() + (two_requests ? 1 : 0) + lookup_cycles_ + queue_cycles_;
}

Cycle Frontend::fetch_discarded(Address pc, unsigned length, Cycle flush, AtomicRequest* atomic) {
    const FetchQueue::Words words = FetchQueue::words_of(pc, length);
    for (Address word = words.first; word <= words.last; ++word) {
        if (word != queue_.word &&
            !request_discarded(word, physical(word * kWordBytes), flush, atomic)) {
            return kNever;
        }
        flush = atomic != nullptr ? atomic->flush() : flush;
    }
    const Cycle offered = enqueue(words.two());
    return queue_.scan <= flush ? offered : kNever;
}

/// A request that is looked up in the cycle of the flush is killed before its miss goes out; a line
/// that returns in the cycle of the flush or later is not kept.
bool Frontend::request_discarded(Address word, Address physical, Cycle flush,
                                 AtomicRequest* atomic) {
    const Cycle cycle = queue_.request();
    const Cycle lookup = cycle + 1;
    if (lookup >= flush) {
        return false;
    }
    queue_.word = word;
    if (present(physical)) {
        queue_.arrive(word, cycle);
        return true;
    }
    pulses_.pulse(Event::L1IMiss, lookup);
    queue_.next_request = queue_.scan = refill_beside(atomic, lookup) + miss_cycles_;
    flush = atomic != nullptr ? atomic->flush() : flush;
    further_.level(Event::FetchBusy, lookup, queue_.next_request);
    if (queue_.scan > flush) {
        refill_until_ = queue_.scan;
        return false;
    }
    fetch_line(physical);
    return true;
}

void Frontend::fetch_nowhere(Cycle flush) {
    constexpr Cycle kAnswer = 5;
    const Cycle cycle = queue_.request();
    if (cycle + 1 < flush) {
        refill_until_ = std::max(refill_until_, cycle + kAnswer);
    }
}

const Frontend::AskedAhead* Frontend::asked_ahead(Cycle lookup) const {
    const auto found =
        std::find_if(asked_ahead_.begin(), asked_ahead_.end(),
                     [lookup](const AskedAhead& line) { return line.asked == lookup; });
    return found == asked_ahead_.end() ? nullptr : &*found;
}

Cycle Frontend::refill(Cycle lookup) {
    const AskedAhead* const line = asked_ahead(lookup);
    return line != nullptr ? line->sent : data_cache_.writes().refill_instructions(lookup);
}

/// Before or after an AMO whose retirement discards the fetched instructions.
Cycle Frontend::refill_beside(AtomicRequest* atomic, Cycle lookup) {
    WriteBuffer& port = data_cache_.writes();
    const bool before = atomic != nullptr && port.code_before(*atomic, lookup);
    if (atomic != nullptr && !before) {
        port.send(*atomic);
    }
    const Cycle sent = refill(lookup);
    if (before) {
        atomic->wait_for_port(port.port_free(atomic->head + 1));
    }
    return sent;
}

bool Frontend::BeforeData::is_new(Address line) {
    const auto known = std::span(lines).first(std::min(count, lines.size()));
    const bool added = std::ranges::find(known, line) == known.end();
    if (added) {
        lines[count++ % lines.size()] = line;
    }
    return added;
}

bool Frontend::go_ahead(FetchQueue& ahead, Address pc, unsigned length, BeforeData& data) {
    const FetchQueue::Words words = FetchQueue::words_of(pc, length);
    for (Address word = words.first; word <= words.last; ++word) {
        if (word == ahead.word) {
            continue;
        }
        const Cycle cycle = ahead.request();
        const Cycle lookup = cycle + 1;
        if (lookup > data.until) {
            return false;
        }
        const bool new_line = !ahead.in_word() || (word * kWordBytes & line_offset_mask_) == 0;
        const Address place = physical(word * kWordBytes);
        if (new_line && !present(place) && data.is_new(place & ~line_offset_mask_)) {
            const Cycle sent = refill(lookup);
            if (asked_ahead(lookup) == nullptr) {
                asked_ahead_[ahead_count_++ % kAhead] = {.asked = lookup, .sent = sent};
            }
            ahead.word = word;
            ahead.next_request = ahead.scan = sent + miss_cycles_;
            data.until = before_data(data.asked).until;
            continue;
        }
        ahead.arrive(word, cycle);
    }
    return true;
}

void Frontend::restart(Cycle flush, Cycle request, Cycle clearing) {
    asked_ahead_.fill({}); // what follows asks in its own cycles
    ask(flush + 1, 0);
    queue_.restart(std::max(request, refill_until_) + clearing);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The fetch side: 32-bit words from L1I into the instruction queue (fetch_queue.h has their
// timing).
//
// A predicted target is requested in the scan cycle of the jump, so that a taken jump costs one
// bubble. While L1I waits for a line it accepts no request; the word that missed is scanned in the
// cycle in which L1I accepts the next request.
//
// The model is driven by the instructions that decode, and by those that are fetched and discarded,
// up to the cycle of the flush: their misses go to memory. A line that returns in that cycle or
// later is not kept, and L1I accepts no request until it has returned.
#pragma once

#include "hw/core/timing/frontend/fetch_queue.h"
#include "hw/core/timing/memory/data_cache.h"
#include "hw/core/timing/memory/page_walker.h"
#include "hw/core/timing/pulses/further_pulses.h"
#include "hw/core/timing/pulses/pulse_log.h"
#include "hw/core/timing/timing_config.h"
#include "hw/core/truth/waits.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pes {

class Frontend {
  public:
    static constexpr Address kWordBytes = FetchQueue::kWordBytes;

    Frontend(const TimingConfig& config, PulseLog& pulses, FurtherPulses further,
             DataCache& data_cache, PageWalker& walker, Tables& tables, Waits& waits);

    /// Fetches the next instruction in program order; returns the first cycle in which the queue
    /// offers it to decode.
    Cycle fetch(Address pc, Address physical, unsigned length, const PageWalk* walk,
                const SecondHalf* second) {
        const FetchQueue::Words words = FetchQueue::words_of(pc, length);
        fetch_word(pc, physical, walk);
        if (words.two()) {
            const Address aligned = (physical & ~(kWordBytes - 1)) + kWordBytes;
            second == nullptr ? request(words.last, aligned, nullptr)
                              : request(words.last, second->physical, second->walk);
        }
        page_ = {.pc = pc, .to_physical = physical - pc};
        return enqueue(words.two());
    }

    /// The word of the pc, if the instruction before does not lie in it as well.
    void fetch_word(Address pc, Address physical, const PageWalk* walk) {
        if (const Address word = pc / kWordBytes; word != queue_.word) {
            request(word, physical & ~(kWordBytes - 1), walk);
        }
    }

    /// The next fetch faults after this walk.
    void failed_walk(const PageWalk& walk);
    /// A fetch that is discarded in `flush` needs a page walk. Returns whether the walk completes
    /// before; a walk that goes on delays the next fetch.
    enum class WalkBehindFlush : std::uint8_t { GoesOn, Ends };
    bool walk_discarded(const PageWalk& walk, Cycle flush, WalkBehindFlush then);
    /// Whether the next word is looked up in a cycle up to `flush`.
    bool looks_up_before(Cycle flush) const { return queue_.request() < flush; }
    /// The following fetches until `flush` fault too.
    void fail_again(const PageWalk& walk, Cycle flush);
    /// The first cycle in which decode sees the fault of the next fetch.
    Cycle faulting_fetch() const { return queue_.request() + lookup_cycles_ + queue_cycles_; }

    /// The instruction fetched last leaves the queue in `decode`.
    void pop(Cycle decode) { queue_.pop(decode); }

    /// The cycle in which the instruction fetched last is scanned and predicted.
    Cycle scan() const { return queue_.scan; }

    /// True if the next instruction in sequence may be in the same fetch word.
    bool in_word() const { return queue_.in_word(); }

    /// When the queue offers the next instruction in sequence; kNever if L1I misses.
    Cycle next_offered(Address pc, unsigned length);

    /// See FetchQueue.
    Cycle place_target() { return queue_.place_target(); }
    /// The target is requested in the scan cycle, in which the next word in sequence is looked up.
    /// A miss of that word is killed before it goes out, but L1I does not take a request in this
    /// cycle.
    void follow_prediction() {
        const Address next = word_behind();
        const bool missing = (next & line_offset_mask_) == 0 && misses_ahead(next);
        queue_target();
        queue_.jump(missing ? queue_.scan + 1 : queue_.scan);
    }
    /// The same, but the next word in sequence begins a page whose translation takes this walk: L1I
    /// waits for its end, which is two cycles after `flush` if that comes before. Returns whether
    /// the walk comes to its end.
    bool follow_prediction_behind(const PageWalk& walk, Cycle flush);
    /// True if the word behind the one scanned last begins a page, and is looked up in the scan
    /// cycle.
    bool asks_for_next_page() const {
        return (word_behind() & ~kPageMask) == 0 && next_word_is_looked_up();
    }
    Address word_behind() const { return (queue_.word + 1) * kWordBytes; }
    /// A return whose target the frontend does not know. It takes an entry of the target FIFO all
    /// the same.
    void queue_target() {
        queue_.queue_target();
        ask(queue_.scan + 1, queue_.target_free());
    }
    /// True if the target FIFO has no entry for a target in the word scanned last.
    bool target_waits() const { return queue_.target_free() > queue_.scan; }
    /// The frontend continues at an address without a program, and L1I waits for that line until
    /// `flush`.
    void jump_nowhere() { queue_.jump(queue_.scan); }
    void fetch_nowhere(Cycle flush);
    static constexpr Address next_word(Address pc) {
        return (pc + kWordBytes - 1) & ~(kWordBytes - 1);
    }

    /// Fetches an instruction that is discarded in `flush`. Returns the cycle in which the queue
    /// would offer it, kNever if it is not scanned by then. Otherwise like fetch().
    Cycle fetch_discarded(Address pc, unsigned length, Cycle flush, AtomicRequest* atomic);

    /// True if `pc` is in the page of the last fetch, whose translation is known.
    bool knows_physical(Address pc) const { return ((pc ^ page_.pc) & kPageMask) == 0; }
    Address physical(Address pc) const { return pc + page_.to_physical; }
    /// The page of the last fetch. Discarded instructions may be in another one.
    struct Page {
        Address pc = 0;          ///< some address in it
        Address to_physical = 0; ///< physical minus virtual address
    };
    Page page() const { return page_; }
    void turn_to(const Page& page) { page_ = page; }

    const FetchQueue& queue() const { return queue_; }
    /// Data are requested from memory in `asked`; a line of code that is looked up by `until` goes
    /// out before.
    struct BeforeData {
        Cycle asked, until;
        std::array<Address, 4> lines{}; ///< that go out before, the latest ones
        std::size_t count = 0;          ///< of all of them

        /// Notes the line. False if it is one of them.
        bool is_new(Address line);
    };
    BeforeData before_data(Cycle asked) {
        return {.asked = asked, .until = data_cache_.writes().code_before_data(asked)};
    }
    /// Runs the frontend ahead while the instruction fetched last waits for `data`. `ahead` starts
    /// as a copy of queue() and advances to the instruction at `pc`. If L1I does not have its line,
    /// the line is requested now, and its fetch finds that done. False if that request is sent
    /// after the data's.
    bool go_ahead(FetchQueue& ahead, Address pc, unsigned length, BeforeData& data);

    /// Everything fetched after the last instruction is flushed in `flush`. The first new request
    /// is in `request`.
    void restart(Cycle flush, Cycle request, Cycle clearing = 0);

    /// The part of a restored state that depends on the instruction fetched last.
    struct Place {
        Address pc = 0;
        Address physical = 0;
        unsigned length = 0;
    };

    Cycle earliest_request() const { return queue_.earliest_request(); }
    Cycle asks_from() const { return asks_from_; }

    /// See timing_state.h. `decode` is that of the last instruction.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle decode) {
        queue_.relative_state(archive);
        archive.cycle(asks_from_);
        archive.cycle(refill_until_, decode + 2);
        const Cycle earliest = earliest_request();
        for (std::uint64_t age = kAhead; age != 0; --age) {
            AskedAhead& line = asked_ahead_[(ahead_count_ - age) % kAhead];
            archive.cycle(line.asked, earliest);
            if (line.asked > earliest) {
                archive.cycle(line.sent);
            }
        }
    }
    void state(class Archive& archive); ///< of a checkpoint
    void place(const Place& last) {
        page_ = {.pc = last.pc, .to_physical = last.physical - last.pc};
        if (in_word()) {
            queue_.word = FetchQueue::words_of(last.pc, last.length).last;
        }
    }

  private:
    static constexpr Address kPageMask = ~Address{0xFFF};
    static constexpr std::uint64_t kAhead = 4;

    /// A line that go_ahead() has requested from memory.
    struct AskedAhead {
        Cycle asked = 0;
        Cycle sent = 0; ///< to memory
    };

    bool present(Address physical) { return tables_.ask<Query::HasFetchLine>(physical) != 0; }
    /// The same, and a line that is not is filled.
    bool fetch_line(Address physical) { return tables_.ask<Query::FetchLine>(physical) != 0; }

    /// The scanned instruction is pushed. Until the next one is, the queue is ready (and the
    /// frontend asks) except while a FIFO is full.
    Cycle enqueue(bool in_two_words) {
        const Cycle again = queue_.ready_behind_next();
        const Cycle offered = queue_.push(in_two_words);
        ask(queue_.scan + 1, again);
        return offered;
    }

    /// The frontend requests in the cycles up to `until` that are not settled yet, and not again
    /// before `again`.
    void ask(Cycle until, Cycle again) {
        if (until > asks_from_) {
            pulses_.level(Event::L1IAccess, asks_from_, until);
            asks_from_ = until;
        }
        asks_from_ = std::max(asks_from_, again);
    }

    bool next_word_is_looked_up() const {
        return queue_.next_request < queue_.scan && queue_.request() == queue_.scan - 1;
    }
    /// Whether a lookup of the next word in sequence, which begins a line, misses in the scan
    /// cycle.
    bool misses_ahead(Address next);
    const AskedAhead* asked_ahead(Cycle lookup) const;
    /// A miss that is looked up in `lookup`. Returns the cycle in which its refill is sent.
    Cycle refill(Cycle lookup);
    void request(Address word, Address physical, const PageWalk* walk) {
        const Cycle cycle = queue_.request();
        if (walk == nullptr && fetch_line(physical)) [[likely]] {
            queue_.arrive(word, cycle);
        } else {
            queue_.word = word;
            request_slowly(cycle, physical, walk);
        }
    }
    void request_slowly(Cycle cycle, Address physical, const PageWalk* walk);
    bool request_discarded(Address word, Address physical, Cycle flush, AtomicRequest* atomic);
    Cycle refill_beside(AtomicRequest* atomic, Cycle lookup);

    FetchQueue queue_;
    Cycle lookup_cycles_;
    Cycle queue_cycles_;
    Cycle miss_cycles_;
    Address line_offset_mask_;
    Page page_;
    std::array<AskedAhead, kAhead> asked_ahead_{}; ///< the latest ones
    std::uint64_t ahead_count_ = kAhead;
    Cycle refill_until_ = 0; ///< first cycle without the refill of a line that is not wanted
    Cycle asks_from_ = 0;    ///< first cycle for which L1IAccess is not settled
    Tables& tables_;
    PulseLog& pulses_;
    FurtherPulses further_;
    DataCache& data_cache_;
    PageWalker& walker_;
    Waits& waits_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The fetch side: 32-bit words from L1I into the instruction queue.
//
// Timing of one word:  request F -> lookup F + 1 -> scan and push F + 2 -> offered to decode F + 3.
// One request a cycle while the queue is ready. The queue is two FIFOs filled in turn; it is ready
// while neither is full as registered, and a word that arrives at a full FIFO is fetched again
// ("replay"). At most two predicted-taken instructions may be queued (target FIFO); the word of a
// third is fetched again likewise. A predicted target is requested in the scan cycle of the jump,
// so that a taken jump costs one bubble. While L1I waits for a line it takes no request; the word
// that missed is scanned in the cycle in which it takes the next one.
//
// The model is driven by the instructions that decode, and by those that are fetched and thrown
// away, as far as the cycle of the flush: their misses go to memory. A line that returns in that
// cycle or later is not kept, and L1I takes no request until it has returned.
#pragma once

#include "hw/core/timing/data_cache.h"
#include "hw/core/timing/further_pulses.h"
#include "hw/core/timing/pulse_log.h"
#include "hw/core/timing/timing_config.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pes {

class Frontend {
  public:
    static constexpr Address kWordBytes = 4;

    Frontend(const TimingConfig& config, PulseLog& pulses, FurtherPulses further,
             DataCache& data_cache, Tables& tables);

    /// Fetches the next instruction in program order; returns the first cycle in which the queue
    /// offers it to decode.
    Cycle fetch(Address pc, Address physical, unsigned length, const PageWalk* walk) {
        const Address first = pc / kWordBytes;
        const Address last = (pc + length - 1) / kWordBytes;
        const Address aligned = physical & ~(kWordBytes - 1);
        if (first != word_) {
            request(first, aligned, walk);
            walk = nullptr;
        }
        if (last != first) {
            request(last, aligned + kWordBytes, walk);
        }
        pc_ = pc;
        to_physical_ = physical - pc;
        return enqueue(last != first);
    }

    /// The next fetch faults, after this walk.
    void failed_walk(const PageWalk& walk);
    /// The first cycle in which decode would see that the next fetch faults.
    Cycle faulting_fetch() const {
        return ready_from(next_request_) + lookup_cycles_ + queue_cycles_;
    }

    /// The instruction fetched last leaves the queue in `decode`.
    void pop(Cycle decode) { instructions_[sequence_ % kTracked].slot_free = decode + 1; }

    /// The cycle in which the instruction fetched last is scanned and predicted.
    Cycle scan() const { return scan_; }

    /// What follows in sequence may be in the same fetch word.
    bool in_word() const { return word_ != kNoWord; }

    /// When the queue offers what follows in sequence; kNever if its words are not in L1I.
    Cycle next_offered(Address pc, unsigned length);

    /// The instruction fetched last is predicted to jump: its word is fetched again if there is no
    /// place for its target. Returns the first cycle in which the queue offers it.
    Cycle place_target() {
        if (target_free_ > scan_) [[unlikely]] {
            replay(target_free_);
        }
        return scan_ + queue_cycles_;
    }
    /// ... and then the target is fetched.
    void follow_prediction();
    /// It is a return, but the frontend does not know where to: it takes a place for its target all
    /// the same.
    void queue_target();
    static constexpr Address next_word(Address pc) {
        return (pc + kWordBytes - 1) & ~(kWordBytes - 1);
    }

    /// An instruction that `flush` throws away. Returns the cycle in which the queue would offer
    /// it, kNever if it is not scanned by then. Like fetch() otherwise.
    Cycle fetch_discarded(Address pc, unsigned length, Cycle flush);

    /// The translation of the page fetched from last.
    bool knows_physical(Address pc) const { return ((pc ^ pc_) & kPageMask) == 0; }
    Address physical(Address pc) const { return pc + to_physical_; }

    /// Everything fetched after the last instruction is flushed in `flush`; fetching starts again
    /// in `request`.
    void restart(Cycle flush, Cycle request, Cycle clearing = 0);

    /// Sets what a restored state takes from the instruction fetched last.
    struct Place {
        Address pc = 0;
        Address physical = 0;
        unsigned length = 0;
    };

    /// No request is made before the next one, or the scan of a word that may hold a jump.
    Cycle earliest_request() const {
        return word_ == kNoWord ? next_request_ : std::min(next_request_, scan_);
    }

    /// See timing_state.h. `decode` is that of the last instruction.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle decode) {
        bool in_word = word_ != kNoWord;
        archive.flag(in_word);
        archive.cycle(next_request_);
        archive.cycle(asks_from_);
        if (in_word) {
            archive.cycle(scan_);
        }
        if constexpr (!Archive::kSaves) {
            word_ = in_word ? 0 : kNoWord; // which one: place()
        }
        const Cycle earliest = earliest_request();
        for (std::uint64_t age = 0; age < kTracked; ++age) {
            Queued& entry = instructions_[(sequence_ - age) % kTracked];
            archive.cycle(entry.slot_free, earliest);
            archive.cycle(entry.scan, earliest - 1);
        }
        archive.cycle(last_target_free_, earliest);
        archive.cycle(target_free_, earliest);
        if (target_free_ > earliest) {
            archive.cycle(target_scan_);
        }
        archive.cycle(refill_until_, decode + 2);
    }
    void place(const Place& last) {
        pc_ = last.pc;
        to_physical_ = last.physical - last.pc;
        word_ = word_ == kNoWord ? kNoWord : (last.pc + last.length - 1) / kWordBytes;
    }

  private:
    static constexpr Address kNoWord = ~Address{0};
    static constexpr Address kPageMask = ~Address{0xFFF};
    static constexpr std::uint64_t kTracked = 16;

    struct Queued {
        Cycle scan = 0;
        Cycle slot_free = 0; ///< first cycle in which its slot counts as empty
    };

    Cycle slot_free(std::uint64_t sequence) const {
        return instructions_[sequence % kTracked].slot_free;
    }

    /// The first cycle from `from` on in which the queue is ready for a request: the FIFO that was
    /// filled last is not full as registered, and neither is the target FIFO.
    Cycle ready_from(Cycle from) const {
        if (target_free_ > from && from > target_scan_) [[unlikely]] {
            from = target_free_;
        }
        if (slot_free(sequence_ - (queue_entries_ - 2)) <= from) {
            return from;
        }
        return ready_after_drain(from);
    }

    bool present(Address physical) { return tables_.ask<Query::HasFetchLine>(physical) != 0; }
    Lookup look_up(Address physical) {
        return static_cast<Lookup>(tables_.ask<Query::FetchLine>(physical));
    }

    /// The scanned instruction is pushed. Until the next one is, the queue is ready (and the
    /// frontend asks) except while a FIFO is full.
    Cycle enqueue(bool in_two_words) {
        in_two_words_ = in_two_words;
        ++sequence_;
        if (slot_free(sequence_ - queue_entries_) > scan_) [[unlikely]] {
            replay(slot_free(sequence_ - queue_entries_));
        }
        instructions_[sequence_ % kTracked].scan = scan_;
        ask(scan_ + 1, slot_free(sequence_ - (queue_entries_ - 2)));
        return scan_ + queue_cycles_;
    }

    /// The frontend asks up to `until` as far as that is not settled yet, and then not before
    /// `again`.
    void ask(Cycle until, Cycle again) {
        if (until > asks_from_) {
            pulses_.level(Event::L1IAccess, asks_from_, until);
            asks_from_ = until;
        }
        asks_from_ = std::max(asks_from_, again);
    }

    Cycle ready_after_drain(Cycle from) const;
    void request(Address word, Address physical, const PageWalk* walk) {
        const Cycle cycle = ready_from(next_request_);
        word_ = word;
        if (walk == nullptr && look_up(physical) == Lookup::Hit) [[likely]] {
            next_request_ = cycle + 1;
            scan_ = cycle + lookup_cycles_;
        } else {
            request_slowly(cycle, physical, walk);
        }
    }
    void request_slowly(Cycle cycle, Address physical, const PageWalk* walk);
    bool request_discarded(Address word, Address physical, Cycle flush);
    void replay(Cycle needed);

    std::array<Queued, kTracked> instructions_{};
    std::uint64_t sequence_ = kTracked; ///< of the instruction fetched last
    std::uint64_t queue_entries_;
    Cycle lookup_cycles_;
    Cycle queue_cycles_;
    Cycle miss_cycles_;
    Address line_offset_mask_;
    Address pc_ = 0;            ///< of the instruction fetched last
    Address to_physical_ = 0;   ///< its physical less its virtual address
    Cycle refill_until_ = 0;    ///< first cycle without the refill of a line that is not wanted
    bool in_two_words_ = false; ///< the instruction in hand
    Address word_ = kNoWord;    ///< fetched last
    Cycle scan_ = 0;            ///< of that word
    Cycle next_request_ = 0;
    Cycle asks_from_ = 0;   ///< first cycle for which L1IAccess is not settled
    Cycle target_scan_ = 0; ///< of the last predicted jump
    Cycle target_free_ = 0; ///< slot_free of the one before
    Cycle last_target_free_ = 0;
    Tables& tables_;
    PulseLog& pulses_;
    FurtherPulses further_;
    DataCache& data_cache_;
};

} // namespace pes

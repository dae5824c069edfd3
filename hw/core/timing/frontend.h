// SPDX-License-Identifier: Apache-2.0
// The fetch side: 32-bit words from L1I into the instruction queue.
//
// Timing of one word:  request F -> lookup F + 1 -> scan and push F + 2 -> offered to decode F + 3.
// One request a cycle while the queue is ready. The queue is two FIFOs filled in turn; it is ready
// while neither is full as registered, and a word that arrives at a full FIFO is fetched again
// ("replay"). At most two predicted-taken instructions may be queued (target FIFO). A predicted
// target is requested in the scan cycle of the jump, so that a taken jump costs one bubble.
//
// The model is driven by the instructions that decode. Words beyond a flush are looked up too, as
// far as the cycle of the flush: their misses go to memory. A line that returns after the flush is
// not kept, and L1I takes no request until it has returned.
#pragma once

#include "hw/core/timing/cache.h"
#include "hw/core/timing/data_cache.h"
#include "hw/core/timing/pulse_log.h"
#include "hw/core/timing/timing_config.h"

#include <array>
#include <cstdint>

namespace pes {

class Frontend {
  public:
    static constexpr Address kWordBytes = 4;
    static constexpr Address word_end(Address pc) { return (pc | (kWordBytes - 1)) + 1; }

    Frontend(const TimingConfig& config, PulseLog& pulses, DataCache& data_cache);

    /// Fetches the next instruction in program order; returns the first cycle in which the queue
    /// offers it to decode.
    Cycle fetch(Address pc, Address physical, unsigned length, const PageWalk* walk) {
        const Address first = pc / kWordBytes;
        const Address last = (pc + length - 1) / kWordBytes;
        const Address word_physical = physical & ~(kWordBytes - 1);
        if (first != word_) {
            request(first, word_physical, walk);
            walk = nullptr;
        }
        if (last != first) {
            request(last, word_physical + kWordBytes, walk);
        }
        pc_ = pc;
        to_physical_ = physical - pc;
        ++sequence_;
        if (slot_free(sequence_ - queue_entries_) > scan_) [[unlikely]] {
            replay();
        }
        instructions_[sequence_ % kTracked].scan = scan_;
        return scan_ + queue_cycles_;
    }

    /// The first cycle in which decode would see that the next fetch faults.
    Cycle faulting_fetch() const {
        return ready_from(next_request_) + lookup_cycles_ + queue_cycles_;
    }

    /// The instruction fetched last leaves the queue in `decode`.
    void pop(Cycle decode) { instructions_[sequence_ % kTracked].slot_free = decode + 1; }

    /// The cycle in which the instruction fetched last is scanned and predicted.
    Cycle scan() const { return scan_; }

    /// The cycle in which the word at `address` is scanned if it is fetched next in sequence.
    Cycle next_scan(Address address) const {
        return address / kWordBytes == word_ ? scan_ : ready_from(next_request_) + lookup_cycles_;
    }
    /// ... and if it is the target of a jump that is predicted in the cycle `scan`.
    Cycle target_scan(Cycle scan) const { return scan + lookup_cycles_; }

    /// When the queue offers what follows in sequence; kNever if its words are not in L1I.
    Cycle next_offered(Address pc, unsigned length) const;

    /// The instruction fetched last is predicted to jump.
    void follow_prediction();

    /// The word at `address`, to be scanned in `scan`, is fetched and will be thrown away in
    /// `flush`. Returns the cycle in which it is scanned, kNever if it does not come before that.
    Cycle discarded_word(Address address, Cycle scan, Cycle flush);

    /// Everything fetched after the last instruction is flushed in `flush`; fetching starts again
    /// in `request`.
    void restart(Cycle flush, Cycle request, Cycle clearing = 0);

    void invalidate_cache() { l1i_.invalidate_all(); }

  private:
    static constexpr Address kNoWord = ~Address{0};
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

    Cycle ready_after_drain(Cycle from) const;
    void request(Address word, Address physical, const PageWalk* walk);
    void replay();

    std::array<Queued, kTracked> instructions_{};
    std::uint64_t sequence_ = kTracked; ///< of the instruction fetched last
    std::uint64_t queue_entries_;
    Cycle lookup_cycles_;
    Cycle queue_cycles_;
    Cycle miss_cycles_;
    Address pc_ = 0;          ///< of the instruction fetched last
    Address to_physical_ = 0; ///< its physical less its virtual address
    Cycle refill_until_ = 0;  ///< first cycle without the refill of a line that is not wanted
    Address word_ = kNoWord;  ///< fetched last
    Cycle scan_ = 0;          ///< of that word
    Cycle next_request_ = 0;
    Cycle target_scan_ = 0; ///< of the last predicted jump
    Cycle target_free_ = 0; ///< slot_free of the one before
    Cycle last_target_free_ = 0;
    Cache l1i_;
    PulseLog& pulses_;
    DataCache& data_cache_;
};

} // namespace pes

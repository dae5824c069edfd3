// SPDX-License-Identifier: Apache-2.0
// The instruction queue between L1I and decode, and the requests that fill it: pure time.
//
// Timing of one word:  request F -> lookup F + 1 -> scan and push F + 2 -> offered to decode F + 3.
// One request per cycle while the queue is ready. The queue is two FIFOs filled in turn. It is
// ready while neither is full as registered; a word that arrives at a full FIFO is fetched again
// ("replay"). At most two predicted-taken instructions may be queued (target FIFO); the word of a
// third is fetched again too.
//
// A plain value: a copy can run ahead.
#pragma once

#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pes {

class FetchQueue {
  public:
    static constexpr Address kNoWord = ~Address{0};
    static constexpr Address kWordBytes = 4;

    /// The words of an instruction, by number.
    struct Words {
        Address first;
        Address last;
        bool two() const { return first != last; }
    };
    static constexpr Words words_of(Address pc, unsigned length) {
        return {.first = pc / kWordBytes, .last = (pc + length - 1) / kWordBytes};
    }

    explicit FetchQueue(const TimingConfig& config)
        : entries_(config.queue_entries), lookup_cycles_(config.lookup_cycles),
          queue_cycles_(config.queue_cycles) {}

    Address word = kNoWord; ///< fetched last
    Cycle scan = 0;         ///< of that word
    Cycle next_request = 0; ///< first cycle in which L1I takes one

    bool in_word() const { return word != kNoWord; }

    /// The cycle in which the next word is requested.
    Cycle request() const { return ready_from(next_request); }

    /// The word requested in `cycle` is in L1I.
    void arrive(Address number, Cycle cycle) {
        word = number;
        next_request = cycle + 1;
        scan = cycle + lookup_cycles_;
    }

    /// Pushes the scanned instruction; its word is fetched again if there is no room. Returns the
    /// first cycle in which it is offered to decode.
    Cycle push(bool in_two_words) {
        const std::uint64_t sequence = sequence_ + 1;
        in_two_words_ = in_two_words;
        sequence_ = sequence;
        if (const Cycle needed = slot_free(sequence - entries_); needed > scan) [[unlikely]] {
            replay(needed);
        }
        scanned_[sequence % kTracked] = scan;
        return scan + queue_cycles_;
    }
    /// The instruction pushed last leaves in `decode`.
    void pop(Cycle decode) { slot_free_[sequence_ % kTracked] = decode + 1; }
    /// First cycle after the push in which the queue has a free slot; the same for the next push.
    Cycle ready_again() const { return slot_free(sequence_ - (entries_ - 2)); }
    Cycle ready_behind_next() const { return slot_free(sequence_ + 1 - (entries_ - 2)); }

    /// The instruction pushed last is predicted to jump: its word is fetched again if the target
    /// FIFO is full. Returns as push().
    Cycle place_target() {
        if (target_free_ > scan) [[unlikely]] {
            replay(target_free_);
        }
        return scan + queue_cycles_;
    }
    /// Puts its target into the target FIFO.
    void queue_target() {
        target_free_ = last_target_free_;
        last_target_free_ = slot_free(sequence_);
        target_scan_ = scan;
    }
    Cycle target_free() const { return target_free_; }

    /// The target is requested in `cycle`.
    void jump(Cycle cycle) {
        next_request = cycle;
        word = kNoWord;
    }
    void restart(Cycle request) {
        target_free_ = last_target_free_ = 0;
        jump(request);
    }

    /// No request is made before the earlier of next_request and the scan of the last word.
    Cycle earliest_request() const {
        return word == kNoWord ? next_request : std::min(next_request, scan);
    }

    /// The first cycle from `from` on in which the queue is ready for a request: the FIFO that was
    /// filled last is not full as registered, and neither is the target FIFO.
    Cycle ready_from(Cycle from) const {
        if ((target_free_ > from && from > target_scan_) || ready_again() > from) [[unlikely]] {
            return ready_after_drain(from);
        }
        return from;
    }

    /// See timing_state.h.
    template <typename Archive>
    void relative_state(Archive& archive);
    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::uint64_t kTracked = 16;

    Cycle slot_free(std::uint64_t sequence) const { return slot_free_[sequence % kTracked]; }
    Cycle ready_after_drain(Cycle from) const;
    void replay(Cycle needed);

    std::array<Cycle, kTracked> scanned_{};   ///< of each instruction, by its number
    std::array<Cycle, kTracked> slot_free_{}; ///< first cycle in which its slot counts as empty
    bool in_two_words_ = false;               ///< the instruction pushed last
    std::uint64_t sequence_ = kTracked;       ///< of the instruction pushed last
    std::uint64_t entries_;
    Cycle lookup_cycles_;
    Cycle queue_cycles_;
    Cycle target_scan_ = 0; ///< of the last predicted jump
    Cycle target_free_ = 0; ///< slot_free of the one before
    Cycle last_target_free_ = 0;
};

template <typename Archive>
void FetchQueue::relative_state(Archive& archive) {
    if constexpr (Archive::kSaves) {
        next_request = request(); // until then the queue is not ready
    }
    bool inside = in_word();
    archive.flag(inside);
    archive.cycle(next_request);
    if (inside) {
        archive.cycle(scan);
    }
    if constexpr (!Archive::kSaves) {
        word = inside ? 0 : kNoWord; // which one: Frontend::place()
    }
    const Cycle earliest = earliest_request();
    for (std::uint64_t age = 0; age < kTracked; ++age) {
        const std::uint64_t index = (sequence_ - age) % kTracked;
        if constexpr (Archive::kSaves) { // older ones are not later; what was thrown away has left
            if (slot_free_[index] <= earliest && scanned_[index] < earliest) {
                archive.zeros(2 * (kTracked - age));
                break;
            }
        }
        archive.cycle(slot_free_[index], earliest);
        archive.cycle(scanned_[index], earliest - 1);
    }
    archive.cycle(last_target_free_, earliest);
    archive.cycle(target_free_, earliest);
    if (target_free_ > earliest) {
        archive.cycle(target_scan_);
    }
}

} // namespace pes

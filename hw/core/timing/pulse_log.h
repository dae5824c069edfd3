// SPDX-License-Identifier: Apache-2.0
// Collects event pulses that arrive slightly out of order and ahead of the finished cycle, and
// gives them back cycle by cycle or as exact totals.
//
// The pipeline model works instruction by instruction, so its stamps go back and forth by a few
// cycles: an instruction's retirement is logged before the fetch of the next one. Each source
// counts at most once in a cycle; two instructions may retire in one.
//
// Storage. Cycles that are not handed over yet each have a slot: the next kSlots of them in a ring,
// which is all that the hart normally needs, those further ahead (a memory or device slower than
// that) in an ordered map. Totals are kept at insertion, a query subtracts what lies ahead of it.
// Levels longer than kLongLevel cycles (a wait for an interrupt may last millions) are intervals,
// disjoint from the slots. So a query for any cycle from the last one handed over on is exact, and
// an older one breaks the contract and aborts. The owner hands over at least every kSlots / 2
// cycles, or the map does the ring's work slowly.
//
// Late pulses. settle_through(c) says that nothing more is placed in the cycles up to c. It follows
// the instructions, not the hand-over, so that a pulse lands in the same cycle whether the counters
// are fed in single cycles or in long spans. A pulse for an earlier cycle moves to the first later
// cycle in which its source is free; it gives way, and moves on, if the source then really pulses
// there. A level moves as a whole, and the next one of its source does not begin before its end. So
// nothing is lost and nothing counts twice.
#pragma once

#include "hw/common/event.h"

#include <array>
#include <bit>
#include <cstddef>
#include <map>

namespace pes {

class PulseLog {
  public:
    static constexpr std::size_t kSlots = 1024;

    void pulse(Event event, Cycle cycle) {
        if (!is_regular(cycle)) [[unlikely]] {
            pulse_irregular(static_cast<std::uint32_t>(event_bit(event)), cycle);
            return;
        }
        insert(ring_slot(cycle), event);
    }

    void pulse(EventMask events, Cycle cycle) {
        if (!is_regular(cycle)) [[unlikely]] {
            pulse_irregular(static_cast<std::uint32_t>(events), cycle);
            return;
        }
        insert(ring_slot(cycle), static_cast<std::uint32_t>(events));
    }

    /// The event is true in the cycles [from, to).
    void level(Event event, Cycle from, Cycle to) {
        if (from >= to) {
            return;
        }
        Cycle& moved_until = level_moved_until_[static_cast<std::size_t>(event)];
        const Cycle first = earliest_ > moved_until ? earliest_ : moved_until;
        if (from < first) {
            const Cycle late = first - from;
            moved_ += late < to - from ? late : to - from;
            from += late;
            to += late;
            moved_until = to;
        }
        if (to - from == 1 && is_regular(from)) [[likely]] {
            insert(ring_slot(from), event);
        } else {
            raise(event, from, to);
        }
    }

    void retire(Cycle cycle) { retire(0, cycle); }

    /// One instruction retires and its classes pulse.
    void retire(EventMask classes, Cycle cycle) {
        if (!is_regular(cycle)) [[unlikely]] {
            retire_irregular(static_cast<std::uint32_t>(classes), cycle);
            return;
        }
        ++retired_;
        insert(ring_slot(cycle), static_cast<std::uint32_t>(classes), kOneRetired);
    }

    /// Nothing more is placed in the cycles up to and including `cycle`.
    void settle_through(Cycle cycle) {
        if (cycle >= earliest_) {
            earliest_ = cycle + 1;
            update_regular_from();
        }
    }

    /// Everything up to and including `cycle` has been handed over.
    void close(Cycle cycle) {
        settle_through(cycle);
        first_open_ = cycle + 1;
        if (!far_.empty()) [[unlikely]] {
            bring_near();
        }
    }

    CyclePulses at(Cycle cycle) const;
    EventTotals totals_through(Cycle cycle) const;

    /// How many pulses came late and were moved.
    std::uint64_t moved() const { return moved_; }

  private:
    static constexpr Cycle kLongLevel = 64;
    static constexpr std::size_t kIntervals = 32;
    static constexpr unsigned kMaskBits = 30;
    static_assert(kEventCount <= kMaskBits);

    static constexpr unsigned kMovedShift = 32;
    static constexpr std::uint32_t kEventBits = (1u << kMaskBits) - 1;
    static constexpr std::uint32_t kNobody = 1u << 31;
    static constexpr std::uint64_t kOneRetired = std::uint64_t{1} << kMaskBits;

    /// One word of state, so that the host forwards the store of one pulse to the load of the next:
    /// the events, above them the number of retired instructions, and in the upper half those of
    /// the events that belong to an earlier cycle.
    struct Slot {
        Cycle cycle = kNever;
        std::uint64_t state = 0;

        std::uint32_t events() const { return static_cast<std::uint32_t>(state) & kEventBits; }
        std::uint32_t moved() const { return static_cast<std::uint32_t>(state >> kMovedShift); }
        unsigned retired() const { return static_cast<std::uint32_t>(state) >> kMaskBits; }
    };

    struct Interval {
        Cycle from = 0, to = 0;
        Event event = Event::None;
    };

    /// The ring has a slot for this cycle, no interval covers it and it is not settled.
    bool is_regular(Cycle cycle) const { return cycle >= regular_from_ && is_near(cycle); }

    bool is_near(Cycle cycle) const { return cycle - first_open_ < kSlots; }

    Slot& ring_slot(Cycle cycle) {
        newest_ = cycle > newest_ ? cycle : newest_;
        Slot& slot = ring_[cycle % kSlots];
        if (slot.cycle != cycle) {
            slot = Slot{};
            slot.cycle = cycle;
        }
        return slot;
    }

    void insert(Slot& slot, std::uint32_t events, std::uint64_t retired = 0) {
        const std::uint64_t before = slot.state;
        slot.state = (before + retired) | events;
        count(events & ~static_cast<std::uint32_t>(before));
        const std::uint32_t displaced = events & static_cast<std::uint32_t>(before >> kMovedShift);
        if (displaced != 0) [[unlikely]] {
            slot.state &= ~(std::uint64_t{displaced} << kMovedShift);
            settle(displaced, slot.cycle + 1);
        }
    }

    /// The same for one event, without a loop.
    void insert(Slot& slot, Event event) {
        const auto number = static_cast<unsigned>(event);
        const std::uint64_t before = slot.state;
        slot.state = before | event_bit(event);
        counts_[number] += ~before >> number & 1;
        if ((before >> (kMovedShift + number) & 1) != 0) [[unlikely]] {
            slot.state &= ~(event_bit(event) << kMovedShift);
            settle(static_cast<std::uint32_t>(event_bit(event)), slot.cycle + 1);
        }
    }

    /// Usually none or one; which of the two cannot be predicted, so both take the same way: none
    /// counts in a place that nobody reads.
    void count(std::uint32_t fresh) {
        ++counts_[static_cast<std::size_t>(std::countr_zero(fresh | kNobody))];
        for (fresh &= fresh - 1; fresh != 0; fresh &= fresh - 1) {
            ++counts_[static_cast<std::size_t>(std::countr_zero(fresh))];
        }
    }

    void pulse_irregular(std::uint32_t events, Cycle cycle);
    void retire_irregular(std::uint32_t classes, Cycle cycle);
    void raise(Event event, Cycle from, Cycle to);
    void long_level(Event event, Cycle from, Cycle to);

    /// Gives each of the events the first cycle from `from` on in which it does not yet pulse.
    void settle(std::uint32_t events, Cycle from);
    /// Takes an event's pulses in [from, to) out again; returns how many of them had been moved.
    std::uint64_t withdraw(Event event, Cycle from, Cycle to);
    /// Merges with the event's intervals it touches, and counts what is new.
    void add_interval(Interval interval);
    std::uint32_t covered(Cycle cycle) const;

    /// The slot of a cycle that is not handed over.
    Slot& any_slot(Cycle cycle);
    void bring_near();
    const Slot* find(Cycle cycle) const;
    void update_regular_from() {
        regular_from_ = earliest_ > covered_until_ ? earliest_ : covered_until_;
    }

    std::array<Slot, kSlots> ring_{};
    std::array<std::uint64_t, 32> counts_{}; ///< index = Event
    std::uint64_t retired_ = 0;
    Cycle newest_ = 0;        ///< latest cycle with a ring slot
    Cycle regular_from_ = 0;  ///< first cycle that is neither settled nor under an interval
    Cycle first_open_ = 0;    ///< first cycle not handed over
    Cycle earliest_ = 0;      ///< first cycle in which a pulse may be placed, >= first_open_
    Cycle covered_until_ = 0; ///< no interval reaches this cycle
    std::uint64_t moved_ = 0;
    std::array<Cycle, kEventCount> level_moved_until_{}; ///< end of the last level that was moved

    std::map<Cycle, Slot> far_; ///< beyond the ring
    std::array<Interval, kIntervals> intervals_{};
    std::size_t interval_count_ = 0;
};

} // namespace pes

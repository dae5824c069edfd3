// SPDX-License-Identifier: Apache-2.0
// Collects event pulses, which arrive slightly out of order, and returns them cycle by cycle or as
// exact totals.
//
// The pipeline model works instruction by instruction, so pulses go back and forth by a few
// cycles: an instruction's retirement is logged before the fetch of the next one. Each source
// counts at most once per cycle; up to two instructions may retire in one.
//
// Storage. A span is 64 cycles, one bit per cycle and source, so that a level is one mask for each
// span. Spans that are not handed over yet are in a ring, single pulses further ahead (a slower
// memory or device) in an ordered map of spans, and what a level covers beyond the ring is one
// interval, however long it is. Totals include all pulses; a query subtracts those after its cycle.
// So a query for any cycle from the last one handed over on is exact; a query for an older one
// breaks the contract and aborts. The owner should hand over at least every kSlots / 2 cycles;
// otherwise the slower map is used.
//
// Late pulses. settle_through(c) closes the cycles up to c. It follows the instructions, not the
// hand-over, so that a pulse is counted in the same cycle whether the counters are fed in single
// cycles or in long spans. A pulse for a closed cycle moves to the first later cycle in which its
// source is free, and moves on if the source then really pulses there. A level moves as a whole,
// and the next level of its source does not begin before its end. So nothing counts twice, and
// nothing is lost, with one exception: what is decoded behind a WFI that waited for hours raises
// levels that lasted as long. Of the closed cycles of a level at most kMostMoved move; the others
// would be counted while quite different code runs, and are lost().
#pragma once

#include "hw/common/event.h"
#include "hw/core/timing/pulses/pulse_span.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <vector>

namespace pes {

/// A source pulses in the cycles [from, to).
struct PlacedPulse {
    Event event;
    Cycle from, to;
};

class PulseLog {
  public:
    static constexpr std::size_t kSlots = 1024;     ///< cycles in the ring
    static constexpr Cycle kMostMoved = kSlots / 2; ///< closed cycles of a level that are moved

    void pulse(Event event, Cycle cycle) {
        if (!is_regular(cycle)) [[unlikely]] {
            pulse_irregular(event, cycle);
            return;
        }
        Span& span = ring_span(cycle);
        span.sources |= event_bit(event);
        insert_one(span, static_cast<std::size_t>(event), cycle);
    }

    void pulse(EventMask events, Cycle cycle) {
        events.for_each([this, cycle](Event event) { pulse(event, cycle); });
    }

    /// The event is true in the cycles [from, to).
    [[gnu::always_inline]] void level(Event event, Cycle from, Cycle to) {
        if (from >= to) {
            return;
        }
        Cycle& moved_until = level_moved_until_[static_cast<std::size_t>(event)];
        const Cycle first = std::max(earliest_, moved_until);
        if (from < first) [[unlikely]] {
            const Cycle late = first - from;
            to -= lose(from, to);
            moved_ += std::min(late, to - from);
            from += late;
            to += late;
            moved_until = to;
            levels_moved_ |= event_bit(event);
        }
        if (Span::first_of(from) == Span::first_of(to - 1) && is_near(from)) [[likely]] {
            Span& span = ring_span(from);
            span.sources |= event_bit(event);
            insert(span, static_cast<std::size_t>(event), Span::bits_of(from, to), to);
        } else {
            raise(event, from, to);
        }
    }

    void retire(Cycle cycle) { retire({}, cycle); }

    /// One instruction retires and its classes pulse.
    void retire(RetiredMask classes, Cycle cycle) {
        if (!is_regular(cycle)) [[unlikely]] {
            retire_irregular(classes, cycle);
            return;
        }
        ++retired_;
        Span& span = ring_span(cycle);
        const std::uint64_t bit = Span::bit_of(cycle);
        span.retired_twice |= span.retired & bit;
        span.retired |= bit;
        span.sources |= classes;
        classes.for_each([this, &span, cycle](Event event) {
            insert_one(span, static_cast<std::size_t>(event), cycle);
        });
    }

    /// One that was placed in this cycle, which is not settled, does not retire in it. What its
    /// classes have of another one in this cycle goes with it: both are placed anew.
    void take_back(RetiredMask classes, Cycle cycle);

    /// No more pulses are placed in the cycles up to and including `cycle`.
    void settle_through(Cycle cycle) { earliest_ = std::max(earliest_, cycle + 1); }

    bool is_settled(Cycle cycle) const { return cycle < earliest_; }

    /// Everything up to and including `cycle` has been handed over.
    void close(Cycle cycle) {
        settle_through(cycle);
        open_from(cycle + 1);
        if (!far_.empty() || !far_levels_.empty()) [[unlikely]] {
            bring_near();
        }
    }

    /// The first cycle that is not handed over.
    Cycle first_open() const { return first_open_; }

    /// All pulses so far, in any cycle.
    std::uint64_t total(std::size_t source) const { return counts_[source]; }
    std::uint64_t retired() const { return retired_; }

    CyclePulses at(Cycle cycle) const;
    EventTotals totals_through(Cycle cycle) const;

    /// A cycle after all pulses that are not handed over, at most 63 cycles later than necessary.
    Cycle behind_all() const;

    /// Adds pulses of replayed blocks to the totals (see relative_state()).
    void add(const EventTotals& more);

    /// See timing_state.h; defined in pulse_log_state.h. The state is the pulses in `first`, the
    /// first uncertain cycle, or later. A restored log has handed over all earlier ones.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle first);

    /// Number of late pulses that were moved.
    std::uint64_t moved() const { return moved_; }
    /// Cycles of late levels that are not counted.
    std::uint64_t lost() const { return lost_; }

    /// `journal` receives all pulses from now on, except retirements without a class.
    void set_journal(std::vector<PlacedPulse>* journal) { journal_ = journal; }

  private:
    static constexpr Cycle kSpanCycles = PulseSpan::kCycles;
    static constexpr std::size_t kSpans = kSlots / kSpanCycles;

    using Span = PulseSpan;
    using Track = PulseSpan::Track;

    /// True if the cycle is not settled and in the ring.
    bool is_regular(Cycle cycle) const { return cycle >= earliest_ && is_near(cycle); }

    /// True if the cycle, which is not handed over, is in the ring.
    bool is_near(Cycle cycle) const { return cycle < ring_end_; }

    void open_from(Cycle cycle) {
        first_open_ = cycle;
        ring_end_ = Span::first_of(cycle) + kSlots;
    }

    Span& ring_span(Cycle cycle) {
        Span& span = ring_[cycle / kSpanCycles % kSpans];
        if (span.first != Span::first_of(cycle)) [[unlikely]] {
            span.reuse(cycle);
        }
        return span;
    }

    /// Sets the cycles `bits` of one span. Moved pulses of the source in these cycles move on, from
    /// `next` on.
    void insert(Span& span, std::size_t source, std::uint64_t bits, Cycle next) {
        Track& track = span.tracks[source];
        counts_[source] += static_cast<std::uint64_t>(std::popcount(bits & ~track.pulsed));
        track.pulsed |= bits;
        if (journal_ != nullptr) [[unlikely]] {
            note(source, next - static_cast<Cycle>(std::popcount(bits)), next);
        }
        if (const std::uint64_t displaced = track.moved & bits; displaced != 0) [[unlikely]] {
            track.moved &= ~bits;
            settle(source, static_cast<std::uint64_t>(std::popcount(displaced)), next);
        }
    }
    void insert_one(Span& span, std::size_t source, Cycle cycle) {
        Track& track = span.tracks[source];
        const std::uint64_t bit = Span::bit_of(cycle);
        counts_[source] += (track.pulsed & bit) == 0 ? 1 : 0;
        track.pulsed |= bit;
        if (journal_ != nullptr) [[unlikely]] {
            note(source, cycle, cycle + 1);
        }
        if ((track.moved & bit) != 0) [[unlikely]] {
            track.moved &= ~bit;
            settle(source, 1, cycle + 1);
        }
    }

    /// Returns by how much a late level [from, to) becomes shorter.
    Cycle lose(Cycle from, Cycle to);
    void pulse_irregular(Event event, Cycle cycle);
    void retire_irregular(RetiredMask classes, Cycle cycle);
    void raise(Event event, Cycle from, Cycle to);
    /// The part of a level that lies beyond the ring. Returns the number of moved pulses that it
    /// displaces.
    std::uint64_t raise_far(Event event, Cycle from, Cycle to);
    void pulse_far(Event event, Cycle cycle);
    /// The far level of the source that covers this cycle, or null.
    const PlacedPulse* far_level(std::size_t source, Cycle cycle) const;

    /// Gives each of `count` pulses of a source the first cycle from `from` on in which it does not
    /// yet pulse.
    void settle(std::size_t source, std::uint64_t count, Cycle from);

    [[gnu::noinline]] void note(std::size_t source, Cycle from, Cycle to) {
        journal_->push_back({.event = static_cast<Event>(source), .from = from, .to = to});
    }

    /// The span of a cycle that is not handed over.
    Span& any_span(Cycle cycle);
    void bring_near();
    const Span* find(Cycle cycle) const;

    void forget_levels_moved_before(Cycle cycle);
    bool nothing_from(Cycle cycle) const;
    void erase_from(Cycle cycle);

    std::array<Span, kSpans> ring_{};
    std::array<std::uint64_t, kEventCount> counts_{}; ///< index = Event
    std::uint64_t retired_ = 0;
    Cycle first_open_ = 0;    ///< first cycle not handed over
    Cycle ring_end_ = kSlots; ///< first cycle behind the ring
    Cycle earliest_ = 0;      ///< first cycle in which a pulse may be placed, >= first_open_
    std::uint64_t moved_ = 0;
    std::uint64_t lost_ = 0;
    std::array<Cycle, kEventCount> level_moved_until_{}; ///< end of the last level that was moved
    EventMask levels_moved_{};                           ///< sources for which there was one

    std::vector<PlacedPulse>* journal_ = nullptr;

    std::map<Cycle, Span> far_; ///< beyond the ring, by first cycle
    /// What levels cover beyond the ring: not in far_, none within or next to another of its
    /// source.
    std::vector<PlacedPulse> far_levels_;
};

} // namespace pes

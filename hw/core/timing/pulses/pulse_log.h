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
//
// Where a late level goes matters only to a counter, and remains a part of the pipeline's state for
// as many cycles as it is late. So the closed cycles of a level that no counter counts stay where
// they are: they are in the totals at once. See spread().
#pragma once

#include "hw/common/event.h"
#include "hw/core/timing/pulses/pulse_changes.h"
#include "hw/core/timing/pulses/pulse_span.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace pes {

/// A source pulses in the cycles [from, to).
struct PlacedPulse {
    Event event;
    Cycle from, to;
    void state(class Archive& archive);
};

class PulseLog {
  public:
    static constexpr std::size_t kSlots = 1024;     ///< cycles in the ring
    static constexpr Cycle kMostMoved = kSlots / 2; ///< closed cycles of a level that are moved

    void pulse(Event event, Cycle cycle);

    void pulse(EventMask events, Cycle cycle) {
        events.for_each([this, cycle](Event event) { pulse(event, cycle); });
    }

    /// The event is true in the cycles [from, to).
    void level(Event event, Cycle from, Cycle to);

    void retire(Cycle cycle) { retire({}, cycle); }

    /// One instruction retires and its classes pulse.
    void retire(RetiredMask classes, Cycle cycle);

    /// One that was placed in this cycle, which is not settled, does not retire in it. What its
    /// classes have of another one in this cycle goes with it: both are placed anew.
    void take_back(RetiredMask classes, Cycle cycle);

    /// Closed cycles of levels of these sources are only in the totals.
    void keep_late(EventMask sources) { kept_late_ = sources; }
    EventMask kept_late() const { return kept_late_; }
    /// From now on late levels of these sources move. False if they did already.
    bool spread(EventMask sources) {
        const EventMask kept = kept_late_ - sources;
        return std::exchange(kept_late_, kept) != kept;
    }

    /// No more pulses are placed in the cycles up to and including `cycle`.
    void settle_through(Cycle cycle) { earliest_ = std::max(earliest_, cycle + 1); }

    /// The same through the cycle `distance` before `cycle`. Cycle 0 is always settled.
    void settle_before(Cycle cycle, Cycle distance);

    bool is_settled(Cycle cycle) const { return cycle < earliest_; }

    /// Everything up to and including `cycle` has been handed over.
    void close(Cycle cycle);

    /// The first cycle that is not handed over.
    Cycle first_open() const { return first_open_; }

    /// All pulses so far, in any cycle.
    std::uint64_t total(std::size_t source) const { return counts_[source]; }
    const std::array<std::uint64_t, kEventCount>& totals() const { return counts_; }
    std::uint64_t retired() const { return retired_; }

    CyclePulses at(Cycle cycle) const;
    EventTotals totals_through(Cycle cycle) const;

    /// A cycle after all pulses that are not handed over, at most 63 cycles later than necessary.
    Cycle behind_all() const;

    /// Adds pulses of replayed blocks to the totals (see relative_state()): of the first sources,
    /// with the instructions in the place of None.
    void add(std::span<const std::uint16_t> more);

    // --- For the fast path: pulses in `first`, the first uncertain cycle, or later --------------

    /// See timing_state.h; defined in pulse_log_state.h. Without the pulses.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle first);
    /// The pulses that can still make a difference: those not before their source's floor. What a
    /// block counts depends on no others as long as it places none before the floors.
    template <typename Writer>
    Writer visible_state(Writer writer, Cycle first);
    void state(class Archive& archive); ///< of a checkpoint
    void set_floors(const PulseFloors& floors);
    void drop_floors() {
        floors_ = {};
        watch();
    }
    /// A pulse was placed before a floor that was set.
    bool went_below_floors() const { return below_floors_; }

    void snapshot(Cycle first, PulseSnapshot& snapshot) const;
    void changes_since(const PulseSnapshot& before, Cycle first,
                       std::vector<PulseChange>& changes) const;
    /// What lies before `first` is not asked for any more.
    void hand_over_before(Cycle first);
    /// Changes of a block behind which `base` is the first uncertain cycle, as far as they are not
    /// before `first`. Totals stay.
    void apply(std::span<const PulseChange> changes, Cycle base, Cycle first);
    /// The pulses of a snapshot from `from` on.
    static EventTotals ahead_in(const PulseSnapshot& snapshot, Cycle from);

    /// Number of late pulses that were moved.
    std::uint64_t moved() const { return moved_; }
    /// Cycles of late levels that are not counted.
    std::uint64_t lost() const { return lost_; }

    /// `journal` receives all pulses from now on, except retirements without a class and what is
    /// only in the totals.
    void set_journal(std::vector<PlacedPulse>* journal) {
        journal_ = journal;
        watch();
    }

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

    Span& ring_span(Cycle cycle);

    /// Sets a cycle of its span. A moved pulse of the source in this cycle moves on.
    void insert_one(Span& span, std::size_t source, Cycle cycle);
    [[gnu::cold, gnu::noinline]] void displace(Span& span, std::size_t source, Cycle cycle);

    // What is placed must be looked at if it may lie before a floor, or if there is a journal.
    // Mostly there are neither, so that one comparison is all that a pulse has to do with them.
    bool is_watched(Cycle cycle) const { return cycle < watched_before_; }
    void watch() { watched_before_ = journal_ != nullptr ? kNever : floors_.latest(); }
    /// What is placed in the cycle may meet what is there.
    void look_at(std::size_t source, Cycle cycle) {
        below_floors_ = below_floors_ || cycle < floors_.of(source);
    }
    /// The same of what is placed in [from, to), for the journal too.
    void look_at(std::size_t source, Cycle from, Cycle to);
    void flip(std::uint8_t track, Cycle cycle, std::uint64_t bits);

    /// Returns by how much a late level [from, to) becomes shorter.
    Cycle lose(Cycle from, Cycle to);
    [[gnu::noinline]] void pulse_slowly(Event event, Cycle cycle);
    [[gnu::noinline]] void pulse_slowly(RetiredMask events, Cycle cycle) { pulse(events, cycle); }
    [[gnu::noinline]] void retire_slowly(RetiredMask classes, Cycle cycle);
    [[gnu::cold, gnu::noinline]] void raise_late(Event event, Cycle from, Cycle to);
    void raise(Event event, Cycle from, Cycle to);
    /// Of a late level that does not move: returns its first cycle that is not closed.
    Cycle count_closed(Event event, Cycle from, Cycle to);
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

    std::array<Span, kSpans> ring_{};
    Cycle newest_ = 0;                                ///< no span of the ring in use begins later
    std::array<std::uint64_t, kEventCount> counts_{}; ///< index = Event
    std::uint64_t retired_ = 0;
    Cycle first_open_ = 0;    ///< first cycle not handed over
    Cycle ring_end_ = kSlots; ///< first cycle behind the ring
    Cycle earliest_ = 0;      ///< first cycle in which a pulse may be placed, >= first_open_
    std::uint64_t moved_ = 0;
    std::uint64_t lost_ = 0;
    std::array<Cycle, kEventCount> level_moved_until_{}; ///< end of the last level that was moved
    EventMask levels_moved_{};                           ///< sources for which there was one
    EventMask kept_late_{};                              ///< sources whose late levels do not move

    PulseFloors floors_;
    bool below_floors_ = false;
    Cycle watched_before_ = 0; ///< pulses before this cycle are looked at

    std::vector<PlacedPulse>* journal_ = nullptr;

    std::map<Cycle, Span> far_; ///< beyond the ring, by first cycle
    /// What levels cover beyond the ring: not in far_, none within or next to another of its
    /// source.
    std::vector<PlacedPulse> far_levels_;
};

} // namespace pes

#include "hw/core/timing/pulses/pulse_log_inline.h"

// SPDX-License-Identifier: Apache-2.0
// The pulse log against a map that follows the same rules in the plainest way.
#include "hw/core/timing/pulses/pulse_log.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck.h>
#include <set>
#include <vector>

namespace pes {
namespace {

constexpr Cycle kLongLevel = 64; // lengths above this cover pulses instead of giving way

/// One source: the cycles in which it pulses, and which of these are moved ones.
struct NaiveSource {
    std::map<Cycle, bool> cycles; // true = moved
    std::set<Cycle> covered;      // by a long level

    bool is_set(Cycle cycle) const { return cycles.contains(cycle) || covered.contains(cycle); }

    void settle(Cycle from) {
        while (is_set(from)) {
            ++from;
        }
        cycles[from] = true;
    }

    void pulse(Cycle cycle) {
        const bool displaces = cycles.contains(cycle) && cycles[cycle];
        cycles[cycle] = false;
        if (displaces) {
            settle(cycle + 1);
        }
    }

    void cover(Cycle from, Cycle to) {
        unsigned displaced = 0;
        for (Cycle cycle = from; cycle < to; ++cycle) {
            if (const auto found = cycles.find(cycle); found != cycles.end()) {
                displaced += found->second ? 1 : 0;
                cycles.erase(found);
            }
            covered.insert(cycle);
        }
        for (; displaced != 0; --displaced) {
            settle(to);
        }
    }

    std::uint64_t through(Cycle last) const {
        std::uint64_t count = 0;
        for (const auto& [cycle, moved] : cycles) {
            count += cycle <= last ? 1 : 0;
        }
        for (const Cycle cycle : covered) {
            count += cycle <= last ? 1 : 0;
        }
        return count;
    }
};

class NaiveLog {
  public:
    void pulse(Event event, Cycle cycle) {
        NaiveSource& source = sources_[event];
        if (cycle < open_) {
            source.settle(open_);
        } else if (!source.covered.contains(cycle)) {
            source.pulse(cycle);
        }
    }

    void level(Event event, Cycle from, Cycle to) {
        const Cycle first = std::max(open_, moved_until_[event]);
        if (from < first) {
            to += first - from;
            from = first;
            moved_until_[event] = to;
        }
        if (to - from > kLongLevel) {
            sources_[event].cover(from, to);
            return;
        }
        for (Cycle cycle = from; cycle < to; ++cycle) {
            pulse(event, cycle);
        }
    }

    void retire(Cycle cycle) {
        if (cycle < open_) {
            cycle = open_;
            while (retired_[cycle] == 2) {
                ++cycle;
            }
        }
        ++retired_[cycle];
    }

    void settle_through(Cycle cycle) { open_ = std::max(open_, cycle + 1); }

    CyclePulses at(Cycle cycle) {
        CyclePulses pulses;
        for (const auto& [event, source] : sources_) {
            pulses.events |= source.is_set(cycle) ? event_bit(event) : EventMask();
        }
        pulses.retired = static_cast<std::uint8_t>(retired_[cycle]);
        return pulses;
    }

    EventTotals through(Cycle last) const {
        EventTotals totals;
        for (const auto& [event, source] : sources_) {
            totals.events[static_cast<std::size_t>(event)] = source.through(last);
        }
        for (const auto& [cycle, count] : retired_) {
            totals.retired += cycle <= last ? count : 0;
        }
        return totals;
    }

    unsigned retired_in(Cycle cycle) { return retired_[cycle]; }

  private:
    std::map<Event, NaiveSource> sources_;
    std::map<Cycle, unsigned> retired_;
    std::map<Event, Cycle> moved_until_;
    Cycle open_ = 0;
};

/// Drives both with the pipeline's habits: a frontier that moves on, stamps a little behind and
/// ahead of it, levels short and long, rare jumps, and a hand-over that follows closely. A slow
/// memory adds pulses and levels beyond the log's ring.
void both_agree(bool with_jumps, bool slow_memory = false) {
    PulseLog log;
    NaiveLog naive;
    Cycle frontier = 300;
    Cycle closed = 0;
    const auto steps = *rc::gen::inRange(1, 400);
    for (int step = 0; step < steps; ++step) {
        const Event event = static_cast<Event>(*rc::gen::inRange(1, 4));
        const Cycle cycle = frontier - 24 + *rc::gen::inRange<Cycle>(0, 48);
        switch (*rc::gen::inRange(0, slow_memory ? 14 : 10)) {
        case 0:
        case 1:
        case 2:
            log.pulse(event, cycle);
            naive.pulse(event, cycle);
            break;
        case 3:
        case 4:
            if (naive.retired_in(cycle) < 2) {
                log.retire(cycle);
                naive.retire(cycle);
            }
            break;
        case 5: {
            const Cycle length = *rc::gen::inRange<Cycle>(1, 12);
            log.level(event, cycle, cycle + length);
            naive.level(event, cycle, cycle + length);
            break;
        }
        case 6: {
            const Cycle length = *rc::gen::inRange<Cycle>(kLongLevel + 1, 200);
            log.level(event, cycle, cycle + length);
            naive.level(event, cycle, cycle + length);
            break;
        }
        case 10: {
            const Cycle ahead = cycle + *rc::gen::inRange<Cycle>(0, 3 * PulseLog::kSlots);
            const Cycle length = *rc::gen::inRange<Cycle>(kLongLevel + 1, 3 * PulseLog::kSlots);
            log.level(event, ahead, ahead + length);
            naive.level(event, ahead, ahead + length);
            break;
        }
        case 11: {
            const Cycle ahead = cycle + *rc::gen::inRange<Cycle>(0, 4 * PulseLog::kSlots);
            log.pulse(event, ahead);
            naive.pulse(event, ahead);
            break;
        }
        case 7:
            log.settle_through(frontier - 8);
            naive.settle_through(frontier - 8);
            break;
        case 8:
            frontier += *rc::gen::inRange<Cycle>(0, 8);
            if (with_jumps && *rc::gen::inRange(0, 20) == 0) {
                frontier += *rc::gen::inRange<Cycle>(200, 3000);
            }
            break;
        default:
            for (; closed + 8 < frontier; ++closed) {
                RC_ASSERT(log.at(closed + 1).events == naive.at(closed + 1).events);
                RC_ASSERT(log.at(closed + 1).retired == naive.at(closed + 1).retired);
            }
            log.close(closed);
            naive.settle_through(closed);
            RC_ASSERT(log.totals_through(closed).events == naive.through(closed).events);
            RC_ASSERT(log.totals_through(closed).retired == naive.through(closed).retired);
            break;
        }
    }
    const Cycle end = frontier + (slow_memory ? 2 * PulseLog::kSlots : 1000);
    RC_ASSERT(log.totals_through(end).events == naive.through(end).events);
    RC_ASSERT(log.totals_through(end).retired == naive.through(end).retired);
}

TEST(PulseLogProperty, AgreesWithTheNaiveLogInSteadyFlow) {
    EXPECT_TRUE(rc::check([] { both_agree(false); }));
}

TEST(PulseLogProperty, AgreesWithTheNaiveLogAcrossJumps) {
    EXPECT_TRUE(rc::check([] { both_agree(true); }));
}

TEST(PulseLogProperty, AgreesWithTheNaiveLogFarAhead) {
    EXPECT_TRUE(rc::check([] { both_agree(true, true); }));
}

} // namespace
} // namespace pes

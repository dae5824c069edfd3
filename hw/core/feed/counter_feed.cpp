// SPDX-License-Identifier: Apache-2.0
#include "hw/core/feed/counter_feed.h"

#include <algorithm>

namespace pes {

namespace {

/// A request of the counters is in mip when that of a threshold would be, so that both ways of
/// sampling see the program at the same place; it could not come earlier (kMarkDistance).
constexpr Cycle kRequestToMip = CounterFeed::kMarkDistance - 1;
/// Spans shorter than this are ticked rather than advanced.
constexpr Cycle kWorthAdvancing = 16;
/// Pulses are handed over at least this often, so that the log's ring is enough for them.
constexpr Cycle kHandOver = PulseLog::kSlots / 2;

/// Often late, and each level comes behind the one before: where they go changes no total.
constexpr EventMask kLate = event_bit(Event::L1IAccess);

Cycle later(Cycle base, Cycle by) {
    return base > kNever - by ? kNever : base + by;
}

} // namespace

CounterFeed::CounterFeed(CounterBank& bank, InterruptInputs& inputs, Attention& attention)
    : bank_(bank), inputs_(inputs), attention_(attention) {
    bank_.connect(BankLine::Overflow, *this);
    pulses_.close(bank_.now());
    pulses_.keep_late(kLate - bank_.counted());
    renew_deadline();
}

Cycle CounterFeed::next_hand_over() const {
    return later(pulses_.first_open(), kHandOver);
}

void CounterFeed::bring_to(Cycle cycle) {
    Cycle now = bank_.now();
    // The log does not tell apart any more what lies before this. Blocks have passed it by, and
    // only because no edge could be there.
    const Cycle passed_by = std::min(pulses_.first_open() - 1, cycle);
    if (now < passed_by) {
        bank_.advance(pulses_.totals_through(passed_by), passed_by);
        now = passed_by;
    }
    // A single cycle is a tick() at worst, which costs less than to ask for room.
    if (now + 1 < cycle && bank_.safe_cycles() < cycle - now) {
        const PulseRoom room = bank_.room();
        if (room.cycle >= cycle) { // counters in RTL never have any
            const EventTotals totals = pulses_.totals_through(cycle);
            if (room.holds(totals, cycle)) {
                bank_.advance(totals, cycle);
                now = cycle;
            }
        }
    }
    while (now < cycle) {
        const Cycle left = cycle - now;
        const Cycle span = std::min(bank_.safe_cycles(), left);
        if (span >= kWorthAdvancing || (span != 0 && span == left)) {
            now += span;
            bank_.advance(pulses_.totals_through(now), now);
        } else {
            ++now;
            bank_.tick(pulses_.at(now), now);
        }
    }
    pulses_.close(cycle);
    renew_deadline();
}

bool CounterFeed::skip_to(Cycle cycle, const EventTotals& totals) {
    if (!quiet_through(cycle)) {
        const PulseRoom room = bank_.room();
        if (room.cycle < cycle || !room.holds(totals, cycle)) {
            return false;
        }
    }
    bank_.advance(totals, cycle);
    renew_deadline();
    return true;
}

/// What blocks have passed by is handed over first: no edge lies there.
std::optional<Crossing> CounterFeed::overflow_ahead() {
    const Cycle end = pulses_.behind_all();
    if (bank_.room().holds(pulses_.totals_through(kNever), end)) {
        return std::nullopt;
    }
    if (bank_.now() + 1 < pulses_.first_open()) {
        bring_to(pulses_.first_open() - 1);
    }
    coming_.clear();
    for (Cycle cycle = bank_.now() + 1; cycle < end; ++cycle) {
        coming_.push_back(pulses_.at(cycle));
    }
    return bank_.overflow_ahead(coming_);
}

void CounterFeed::write(std::uint16_t csr, std::uint64_t value) {
    bank_.write(csr, value);
    if (pulses_.spread(bank_.counted())) {
        bank_.set_totals(pulses_.totals_through(bank_.now()));
    }
    renew_deadline();
}

void CounterFeed::change_privilege(Privilege privilege, Cycle cycle) {
    // An access that was refused has brought the counters up to its cycle; its trap may lie before
    // that. Filters see the new mode from the next cycle on then.
    bank_.set_privilege(privilege, std::max(cycle, bank_.now() + 1) + 1);
    renew_deadline();
}

void CounterFeed::renew_deadline() {
    deadline_ = later(later(bank_.now(), bank_.safe_cycles()), kMarkDistance + 1);
    attention_.ask_by(deadline_);
}

void CounterFeed::set_level(unsigned, bool, Cycle at) {
    request_overflow(at);
}

void CounterFeed::request_overflow(Cycle at) {
    inputs_.set(Interrupt::CounterOverflow, true, at + kRequestToMip);
}

} // namespace pes

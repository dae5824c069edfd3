// SPDX-License-Identifier: Apache-2.0
#include "hw/core/truth/oracle.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace pes {

namespace {

constexpr std::size_t kTogether = 8; ///< sources that are looked at at once: few have pulsed

/// In vectors, which the compiler does not find.
[[gnu::always_inline]] inline bool differ(const std::uint64_t* totals, const std::uint64_t* seen) {
    using Pair [[gnu::vector_size(16)]] = std::uint64_t;
    Pair changed{};
    for (std::size_t at = 0; at != kTogether; at += sizeof(Pair) / sizeof(std::uint64_t)) {
        Pair total, before;
        std::memcpy(&total, totals + at, sizeof total);
        std::memcpy(&before, seen + at, sizeof before);
        changed |= total ^ before;
    }
    return (changed[0] | changed[1]) != 0;
}

} // namespace

Oracle::Oracle(PulseLog& pulses, Ledger ledger, Window window) : pulses_(pulses), ledger_(ledger) {
    if (window == Window::Kept) {
        window_.emplace();
        pulses.set_journal(&placed_);
    }
}

void Oracle::enter(const TruthTable::Context& context) {
    here_ = context;
    if (ledger_ == Ledger::Kept) {
        change_page(false);
    }
}

void Oracle::change_page(bool global) {
    in_global_page_ = global;
    context_ = table_.number_of(
        {.privilege = here_.privilege, .satp = global ? TruthTable::kEverySpace : here_.satp});
}

void Oracle::begin(Address pc) {
    close();
    row_ = row_at(pc);
    if (window_) {
        window_->begin({.context = here_, .pc = pc});
    }
}

void Oracle::decoded(Cycle cycle) {
    if (window_) {
        window_->decoded(cycle);
    }
    if (flush_ != kNoFlush) {
        charge_pulses(event_bit(Event::FetchEmpty));
    }
}

void Oracle::close() {
    charge_pulses({});
}

/// All pulses logged so far belong to the current instruction or earlier ones.
void Oracle::ask(const SightQuestion& question) {
    close();
    window_->ask(question);
}

/// Pulses of the sources `flushed` are charged to the instruction that flushed, the others to the
/// current instruction.
void Oracle::charge_pulses(EventMask flushed) {
    if (ledger_ == Ledger::Kept) {
        for (std::size_t first = 0; first < kEventCount; first += kTogether) {
            const std::size_t from = std::min(first, kEventCount - kTogether);
            if (differ(pulses_.totals().data() + from, seen_.data() + from)) {
                charge_sources(from, from + kTogether, flushed);
            }
        }
    }
    if (window_) {
        name_pulses(flushed);
    }
}

void Oracle::charge_sources(std::size_t first, std::size_t end, EventMask flushed) {
    for (std::size_t source = first; source < end; ++source) {
        const std::uint64_t total = pulses_.total(source);
        if (total != seen_[source]) {
            const auto event = static_cast<Event>(source);
            charge(flushed.has(event) ? row_of(flusher()) : row_, TruthTable::column_of(event),
                   static_cast<std::int64_t>(total - seen_[source]));
            seen_[source] = total;
        }
    }
}

void Oracle::name_pulses(EventMask flushed) {
    for (const PlacedPulse& pulse : placed_) {
        window_->pulsed(flushed.has(pulse.event) ? flusher() : Owner::InHand, pulse.event,
                        pulse.from, pulse.to);
    }
    placed_.clear();
}

void Oracle::skip_pulses() {
    seen_ = pulses_.totals();
}

void Oracle::resume(std::uint64_t retired, std::span<const RunInstruction> last) {
    if (!window_) {
        return;
    }
    close();
    const bool moved = window_->resume(retired, here_, last);
    if (moved && ledger_ == Ledger::None) {
        last_ = last.back().retired;
        since_retirement_.clear();
    }
}

void Oracle::charge(TruthRow row, std::uint16_t column, std::int64_t amount) {
    if (ledger_ == Ledger::None) {
        return;
    }
    if (!collecting_) {
        table_.add(row, column, static_cast<std::uint64_t>(amount));
        return;
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int16_t>::max();
    while (amount != 0) {
        const std::int64_t part = std::clamp(amount, -kMost, kMost);
        charges_.push_back(
            {.row = row, .column = column, .amount = static_cast<std::int16_t>(part)});
        amount -= part;
    }
}

/// The cycles [from, to).
void Oracle::charge_cycles(Owner owner, CycleReason reason, Cycle from, Cycle to) {
    const TruthRow row = row_of(owner);
    charge(row, TruthTable::column_of(reason), 2 * static_cast<std::int64_t>(to - from));
    since_retirement_.push_back({.row = row, .reason = reason, .cycles = to - from});
    if (window_) {
        window_->charged(owner, from, to);
    }
}

/// Charges the cycles between the last retirement and `cycle`. Cycles of the fetch are charged to
/// the instruction that flushed the pipeline, if one did; cycles without a known reason are `rest`.
void Oracle::charge_until(Cycle cycle, const Waits& waits, CycleReason rest) {
    Cycle from = last_ + 1;
    for (const Wait& wait : waits.list()) {
        const Cycle to = std::min(wait.until, cycle);
        if (from >= to) {
            continue;
        }
        if (flush_ != kNoFlush) {
            charge_cycles(flusher(), wait.reason == CycleReason::Base ? flush_ : wait.reason, from,
                          to);
        } else {
            charge_cycles(Owner::InHand, wait.reason, from, to);
        }
        from = to;
    }
    if (from < cycle) {
        charge_cycles(Owner::InHand, rest, from, cycle);
    }
}

void Oracle::retire(Cycle cycle, const Waits& waits) {
    constexpr std::uint16_t kBase = TruthTable::column_of(CycleReason::Base);
    charge(row_, TruthTable::kRetired, 1);
    if (cycle == last_) {
        charge(last_row_, kBase, -1);
        charge(row_, kBase, 1);
    } else {
        charge_until(cycle, waits, CycleReason::Base);
        charge_cycles(Owner::InHand, CycleReason::Base, cycle, cycle + 1);
    }
    last_ = cycle;
    last_row_ = row_;
    flush_ = kNoFlush;
    since_retirement_.clear();
    if (window_) {
        window_->retired(cycle);
    }
}

void Oracle::trap(Cycle cycle, const Waits& waits, CycleReason reason) {
    charge_until(cycle, waits, reason);
    charge_cycles(Owner::InHand, reason, cycle, cycle + 1);
    last_ = cycle;
    last_row_ = row_;
    flush_ = reason;
    if (window_) {
        window_->trapped();
    }
}

void Oracle::hold_through(Cycle cycle, CycleReason reason) {
    if (cycle > last_) {
        charge_cycles(Owner::Last, reason, last_ + 1, cycle + 1);
        last_ = cycle;
    }
}

/// Traps that are taken after the end of the run.
void Oracle::take_back(Cycle end) {
    for (; last_ > end && !since_retirement_.empty(); since_retirement_.pop_back()) {
        const Part& part = since_retirement_.back();
        const Cycle cycles = std::min(part.cycles, last_ - end);
        charge(part.row, TruthTable::column_of(part.reason),
               -2 * static_cast<std::int64_t>(cycles));
        last_ -= cycles;
    }
}

void Oracle::finish(Cycle cycle, Address pc, bool waits) {
    close();
    take_back(cycle);
    if (waits) {
        hold_through(cycle, CycleReason::Idle);
    } else if (cycle > last_) {
        row_ = row_at(pc);
        charge_cycles(flush_ == kNoFlush ? Owner::InHand : flusher(), flush_, last_ + 1, cycle + 1);
    }
    last_ = cycle;
    if (window_) {
        window_->finish();
    }
}

bool Oracle::begin_block() {
    close();
    if (ledger_ == Ledger::None) {
        flush_ = kNoFlush; // the first instruction that retires ends that of the one before
        pulses_.set_journal(nullptr);
        return false;
    }
    charges_.clear();
    collecting_ = true;
    return true;
}

void Oracle::end_block() {
    collecting_ = false;
    pulses_.set_journal(window_ ? &placed_ : nullptr);
}

std::span<const Charge> Oracle::collected() {
    close();
    return charges_;
}

void Oracle::commit() {
    close();
    for (const Charge& charge : charges_) {
        table_.add(charge, 1);
    }
}

} // namespace pes

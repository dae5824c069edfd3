// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/tlm_bank.h"

#include "hw/hpm/bank_bounds.h"
#include "hw/hpm/invariant.h"

#include <algorithm>
#include <bit>

namespace pes {
namespace {

/// A bound that is at least this far away need not be renewed.
constexpr Cycle kFarAhead = 4096;

constexpr std::uint64_t kControlReset =
    csr::kMhpmmcontrolFullEnable | std::uint64_t{8} << csr::kMhpmmcontrolRecordShift;
constexpr std::uint64_t kControlStored =
    csr::kMhpmmcontrolFullEnable | csr::kMhpmmcontrolRecordMask << csr::kMhpmmcontrolRecordShift;

/// Calls `visit(index)` for each set bit, lowest first.
template <typename Visit>
void for_each_bit(std::uint64_t bits, Visit visit) {
    for (; bits != 0; bits &= bits - 1) {
        visit(static_cast<unsigned>(std::countr_zero(bits)));
    }
}

} // namespace

TlmCounterBank::TlmCounterBank(const CounterConfig& config) : ModelBank(config) {
    buffer_control_ = kControlReset;
    require(config.programmable <= kMaxProgrammable && config.width >= kMinCounterWidth &&
                config.width <= kMaxCounterWidth,
            "counter bank: configuration out of range", 0);
    implemented_ = 1U << kCycleIndex | 1U << kInstretIndex;
    counters_[kCycleIndex].selected = kCycleSource;
    counters_[kInstretIndex].selected = kRetiredSource;
    for (unsigned i = 0; i < config.programmable; ++i) {
        implemented_ |= 1U << (kFirstProgrammable + i);
        counters_[kFirstProgrammable + i].limit = low_bits(config.width);
        write_event(counters_[kFirstProgrammable + i], kFirstProgrammable + i, 0);
    }
    reconnect(counters_[kCycleIndex], kCycleIndex);
    reconnect(counters_[kInstretIndex], kInstretIndex);
    compare(false);
}

std::uint64_t TlmCounterBank::read(std::uint16_t csr) const {
    const CounterCsr target = decode_counter_csr(csr);
    // Counters that do not exist keep their reset value 0 because land_write() drops their writes.
    const Counter& counter = counters_[target.index];
    switch (target.kind) {
    case CounterRegister::Counter:
        return value(counter);
    case CounterRegister::Event:
        return counter.selector | std::uint64_t{overflowed_ >> target.index & 1U}
                                      << csr::kMhpmeventOverflowBit;
    case CounterRegister::Filter:
        return counter.selector;
    case CounterRegister::Overflow:
        return overflowed_;
    case CounterRegister::Inhibit:
        return inhibit_;
    case CounterRegister::Threshold:
        return counter.threshold;
    case CounterRegister::BufferBase:
        return buffer_base_;
    case CounterRegister::BufferSize:
        return buffer_size_;
    case CounterRegister::BufferOffset:
        return buffer_offset_;
    case CounterRegister::BufferControl:
        return read_control();
    case CounterRegister::Sample:
        return samples_->read(target.index);
    case CounterRegister::None:
        break;
    }
    broken_invariant("counter bank: read of a CSR it does not own", csr);
}

void TlmCounterBank::write(std::uint16_t csr, std::uint64_t value) {
    require(owns(csr), "counter bank: write of a CSR it does not own", csr);
    require(!pending_, "counter bank: two CSR writes in one cycle", now_ + 1);
    pending_ = PendingWrite{decode_counter_csr(csr), value};
}

void TlmCounterBank::tick(const CyclePulses& pulses, Cycle cycle) {
    require(cycle == now_ + 1, "counter bank: tick() skips or repeats a cycle", cycle);
    if (tap_) {
        tap_->before(*this, pulses);
    }
    if (samples_) {
        samples_->begin_cycle();
    }
    count(pulses, cycle);
    if (debug_) [[unlikely]] {
        freeze(pulses);
    }
    if (pending_) {
        freeze_for_write(pulses);
        // The written value wins over the increment: that counter does not overflow.
        const bool counter = pending_->target.kind == CounterRegister::Counter;
        const bool overflowed = overflow(counter ? 1U << pending_->target.index : 0);
        written_ = pending_->target;
        before_write_ = counters_[written_->index];
        land_write();
        enter_mode();
        compare(overflowed);
        written_.reset();
    } else if (cycle > quiet_until_) {
        const bool overflowed = overflow(0);
        enter_mode();
        compare(overflowed);
    }
    if (wave_) {
        wave_->ticked(*this);
    }
    if (tap_) {
        tap_->after(*this, pulses);
    }
}

void TlmCounterBank::advance(const EventTotals& totals, Cycle cycle) {
    require(cycle >= now_ && (cycle - now_ <= safe_cycles() || room().holds(totals, cycle)),
            "counter bank: advance() beyond safe_cycles() and room()", cycle);
    now_ = cycle;
    set_totals(totals);
    if (samples_) {
        samples_->begin_cycle();
    }
    if (tap_) {
        tap_->advanced(totals.retired);
    }
    if (cycle + kFarAhead <= quiet_until_ && !wave_) {
        return; // no line, mode or overflow before that
    }
    const bool threshold = interrupt(BankLine::Threshold).level;
    const bool overflowed = overflow(0);
    enter_mode();
    compare(overflowed);
    require(interrupt(BankLine::Threshold).level == threshold && !overflowed,
            "counter bank: an interrupt line changed inside a safe span", cycle);
    if (wave_) {
        wave_->advanced(*this);
    }
}

void TlmCounterBank::set_totals(const EventTotals& totals) {
    std::copy(totals.events.begin(), totals.events.end(), totals_.begin());
    totals_[kNoSource] = 0;
    totals_[kRetiredSource] = totals.retired;
    totals_[kCycleSource] = now_;
}

EventMask TlmCounterBank::counted() const {
    EventMask sources;
    for (unsigned index = 0; index < config_.programmable; ++index) {
        sources |= counters_[kFirstProgrammable + index].sources;
    }
    if (pending_ && pending_->target.kind == CounterRegister::Event) {
        sources |= sources_of(config_, pending_->value);
    }
    return sources;
}

Cycle TlmCounterBank::safe_cycles() const {
    if (pending_ || unions_ != 0 || lines_[BankLine::Overflow].level) {
        return 0;
    }
    const Cycle safe = quiet_until_ - std::min(quiet_until_, now_);
    return wave_ ? std::min(safe, wave_->quiet_cycles(now_)) : safe;
}

std::uint32_t TlmCounterBank::reached() const {
    std::uint32_t result = 0;
    for_each_bit(armed_, [&](unsigned i) {
        const bool high = value(counters_[i]) >= counters_[i].threshold;
        result |= std::uint32_t{high} << i;
    });
    return result;
}

PulseRoom TlmCounterBank::room() const {
    if (pending_ || wave_ || unions_ != 0 || lines_[BankLine::Threshold].level ||
        lines_[BankLine::Overflow].level) {
        return {};
    }
    const Cycle change = privilege_.next_change();
    PulseRoom room{.cycle = change == kNever ? kNever : change - 1};
    const auto bound = [&](const Counter& counter, std::uint64_t pulses) {
        if (pulses >= kUnbounded) {
            return; // no run gets near it
        }
        const std::uint64_t total = totals_[counter.source] + pulses; // no union runs
        if (counter.source == kCycleSource) {
            room.cycle = std::min(room.cycle, total);
        } else if (counter.source == kRetiredSource) {
            room.retired = std::min(room.retired, total);
        } else {
            room.bound(static_cast<Event>(counter.source), total);
        }
    };
    for_each_bit(armed_, [&](unsigned i) {
        const Counter& counter = counters_[i];
        if (counter.source != kNoSource && counter.threshold <= counter.limit) {
            bound(counter, counter.threshold - value(counter) - 1);
        }
    });
    for_each_bit(requesting_, [&](unsigned i) {
        const Counter& counter = counters_[i];
        if (counter.source != kNoSource) {
            bound(counter, counter.limit - value(counter));
        }
    });
    return room;
}

/// A copy to which nothing is connected counts them.
std::optional<Crossing> TlmCounterBank::overflow_ahead(std::span<const CyclePulses> coming) const {
    class First final : public CrossingSink {
      public:
        void crossed(const Crossing& crossing) override {
            if (!found && crossing.kind == Crossing::Kind::Overflow && has_causes(crossing)) {
                found = crossing;
            }
        }
        std::optional<Crossing> found;
    };
    First first;
    TlmCounterBank copy(config_);
    static_cast<TlmBankState&>(copy) = *this;
    copy.watch_crossings(first);
    for (const CyclePulses& pulses : coming) {
        copy.tick(pulses, copy.now_ + 1);
        if (first.found) {
            break;
        }
    }
    return first.found;
}

void TlmCounterBank::attach_wave(WaveSink& sink, std::string_view scope) {
    attach_register_wave(sink, scope);
    if (sink.wants(SampleWave::kGroup)) {
        tap_.emplace(config_, SampleWave(sink, scope));
    }
}

void TlmCounterBank::attach_register_wave(WaveSink& sink, std::string_view scope) {
    if (sink.wants(BankWave::kGroup)) {
        wave_.emplace(sink, scope, config_, *this);
    }
}

void TlmCounterBank::count(const CyclePulses& pulses, Cycle cycle) {
    (pulses.events - event_bit(Event::None)).for_each([this](Event source) {
        ++totals_[static_cast<std::size_t>(source)];
    });
    totals_[kRetiredSource] += pulses.retired;
    totals_[kCycleSource] = cycle;
    for_each_bit(unions_, [&](unsigned i) {
        totals_[counters_[i].source] += step_of(counters_[i], pulses);
    });
    now_ = cycle;
}

std::uint64_t TlmCounterBank::step_of(const Counter& counter, const CyclePulses& pulses) {
    switch (counter.source) {
    case kNoSource:
        return 0;
    case kRetiredSource:
        return pulses.retired;
    case kCycleSource:
        return 1;
    default:
        break;
    }
    if (counter.source < kFirstUnion) {
        return pulses.events.has(static_cast<Event>(counter.source)) ? 1 : 0;
    }
    const EventMask live = pulses.events | event_bit(Event::Cycles) |
                           (pulses.retired != 0 ? event_bit(Event::Instructions) : EventMask());
    return (live & counter.sources).any() ? 1 : 0;
}

/// Removes the pulses of the cycle just counted from every programmable counter.
void TlmCounterBank::freeze(const CyclePulses& pulses) {
    for (unsigned i = 0; i < config_.programmable; ++i) {
        Counter& counter = counters_[kFirstProgrammable + i];
        counter.total_at_base += step_of(counter, pulses);
    }
}

void TlmCounterBank::freeze_for_write(const CyclePulses& pulses) {
    const CounterCsr target = pending_->target;
    const bool strobe =
        target.index >= kFirstProgrammable &&
        (target.kind == CounterRegister::Counter || target.kind == CounterRegister::Event);
    if (config_.write_freezes && strobe && !debug_) {
        freeze(pulses);
    }
}

/// Sets OF of the counters with OF = 0 that have wrapped since the last call, except those in
/// `without`. True if there is one.
bool TlmCounterBank::overflow(std::uint32_t without) {
    bool found = false;
    for_each_bit(requesting_ & ~without, [&](unsigned i) {
        Counter& counter = counters_[i];
        const std::uint64_t counted = totals_[counter.source] - counter.total_at_base;
        if (counted > counter.limit - counter.base) {
            overflowed_ |= 1U << i;
            requesting_ &= ~(1U << i);
            found = true;
            if (tells()) {
                tell_overflow(i);
            }
        }
    });
    return found;
}

void TlmCounterBank::set_privilege(Privilege mode, Cycle from) {
    require(from > now_ + 1, "counter bank: a mode begins in the past", from);
    if (filtered_ == 0 && !pending_) { // a filter that comes later comes after this change
        privilege_.set(mode);
        return;
    }
    privilege_.announce(mode, from);
    quiet_until_ = std::min(quiet_until_, from - 2);
}

void TlmCounterBank::set_mode(Privilege mode) {
    privilege_.set(mode);
    for_each_bit(filtered_, [this](unsigned i) { reconnect(counters_[i], i); });
    quiet_until_ = now_; // other counters run now: the next tick() renews the bound
}

/// The mode of the next cycle: counters stop and continue according to their filters.
void TlmCounterBank::enter_mode() {
    if (privilege_.enter(now_ + 1)) [[unlikely]] {
        for_each_bit(filtered_, [this](unsigned i) { reconnect(counters_[i], i); });
    }
}

/// Applies the write of the cycle just counted; it wins over the increment.
void TlmCounterBank::land_write() {
    const PendingWrite write = *pending_;
    pending_.reset();
    const unsigned index = write.target.index;
    if (write.target.kind == CounterRegister::Sample) {
        samples_->write(index, write.value);
        return;
    }
    Counter& counter = counters_[index];
    if (!implemented(index)) {
        return; // read-only zero
    }
    switch (write.target.kind) {
    case CounterRegister::Counter:
        rebase(counter, write.value);
        break;
    case CounterRegister::Event:
        write_event(counter, index, write.value);
        break;
    case CounterRegister::Inhibit:
        write_inhibit(write.value);
        break;
    case CounterRegister::Threshold:
        counter.threshold = write.value;
        armed_ = (armed_ & ~(1U << index)) | std::uint32_t{write.value != 0} << index;
        break;
    case CounterRegister::BufferBase:
        buffer_base_ = write.value;
        break;
    case CounterRegister::BufferSize:
        buffer_size_ = write.value;
        break;
    case CounterRegister::BufferOffset:
        buffer_offset_ = write.value;
        break;
    case CounterRegister::BufferControl:
        buffer_control_ = write.value & kControlStored;
        break;
    case CounterRegister::Filter:
        write_filter(counter, index, write.value);
        break;
    case CounterRegister::Overflow: // read-only
    case CounterRegister::Sample:
    case CounterRegister::None:
        break;
    }
}

void TlmCounterBank::write_inhibit(std::uint64_t value) {
    const std::uint32_t before = inhibit_;
    inhibit_ = static_cast<std::uint32_t>(value) & implemented_;
    for_each_bit(before ^ inhibit_, [this](unsigned i) { reconnect(counters_[i], i); });
}

TlmCounterBank::Source TlmCounterBank::source_of(EventMask sources, unsigned index) {
    if (sources.count() > 1) {
        return static_cast<Source>(kFirstUnion + index - kFirstProgrammable);
    }
    return static_cast<Source>(sources.first());
}

void TlmCounterBank::write_event(Counter& counter, unsigned index, std::uint64_t value) {
    counter.sources = sources_of(config_, value);
    counter.selected = source_of(counter.sources, index);
    const std::uint32_t bit = 1U << index;
    const bool overflowed = config_.sscofpmf && (value & csr::kMhpmeventOverflow) != 0;
    overflowed_ = overflowed ? overflowed_ | bit : overflowed_ & ~bit;
    const bool requests = config_.sscofpmf && !overflowed && counter.selected != kNoSource;
    requesting_ = requests ? requesting_ | bit : requesting_ & ~bit;
    const std::uint64_t inhibits = config_.sscofpmf ? csr::kMhpmeventInhibits : 0;
    write_filter(counter, index, value & (config_.profile->selector_mask | inhibits));
}

void TlmCounterBank::write_filter(Counter& counter, unsigned index, std::uint64_t value) {
    const bool fixed = index < kFirstProgrammable;
    counter.selector = fixed ? value & csr::kMhpmeventInhibits : value;
    const bool filters = (counter.selector & csr::kMhpmeventInhibits) != 0;
    filtered_ = (filtered_ & ~(1U << index)) | std::uint32_t{filters} << index;
    reconnect(counter, index);
}

void TlmCounterBank::rebase(Counter& counter, std::uint64_t value) {
    counter.base = value & counter.limit;
    counter.total_at_base = totals_[counter.source];
}

/// Keeps the value and applies `selected`, the inhibit bit and the filters from the next cycle on.
void TlmCounterBank::reconnect(Counter& counter, unsigned index) {
    const std::uint64_t kept = value(counter);
    counter.source = stands_still(counter, index) ? kNoSource : counter.selected;
    const bool several = counter.source >= kFirstUnion;
    unions_ = (unions_ & ~(1U << index)) | std::uint32_t{several} << index;
    rebase(counter, kept);
}

/// Updates the lines from the registers and renews the bound that safe_cycles() returns.
void TlmCounterBank::compare(bool overflowed) {
    std::uint32_t reached = 0;
    Cycle rise = kUnbounded; // least span before a comparator that is low goes up
    Cycle wrap = kUnbounded; // least span before an overflow is requested
    Cycle fall = 0;          // greatest span for which a comparator that is high stays so
    for_each_bit(armed_, [&](unsigned i) {
        const Counter& counter = counters_[i];
        const std::uint64_t present = value(counter);
        const bool running = counter.source != kNoSource;
        if (present >= counter.threshold) {
            reached |= 1U << i;
            fall = std::max(fall, running ? (counter.limit - present) >> rate_shift(counter)
                                          : kUnbounded);
        } else if (running && counter.threshold <= counter.limit) {
            rise = std::min(rise, (counter.threshold - present - 1) >> rate_shift(counter));
        }
    });
    for_each_bit(requesting_, [&](unsigned i) {
        const Counter& counter = counters_[i];
        if (counter.source != kNoSource) {
            wrap = std::min(wrap, (counter.limit - value(counter)) >> rate_shift(counter));
        }
    });
    const bool high = reached != 0;
    if (tells()) {
        tell_reached(reached);
        fall = std::min(fall, rise);
    }
    quiet_until_ = now_ + std::min({high ? fall : rise, wrap, kUnbounded});
    quiet_until_ = std::min(quiet_until_, privilege_.next_change() - 2);
    if (overflowed) {
        quiet_until_ = now_; // the next cycle takes the request back
    }
    lines_.set(BankLine::Overflow, overflowed, now_ + 1);
    lines_.set(BankLine::Threshold, high, now_ + 1);
    lines_.set(BankLine::BufferFull, buffer_full(), now_ + 1);
}

/// A counter that has not been written has counted its way to the threshold; one whose selector has
/// been written counted what that said before.
void TlmCounterBank::tell_reached(std::uint32_t reached) {
    const bool rises = !lines_[BankLine::Threshold].level;
    for_each_bit(reached & ~told_, [&](unsigned i) {
        const bool concerned = written_ && written_->index == i;
        const bool written = concerned && (written_->kind == CounterRegister::Counter ||
                                           written_->kind == CounterRegister::Threshold);
        const bool selected = concerned && written_->kind == CounterRegister::Event;
        const Counter& counter = counters_[i];
        const Crossing crossing =
            crossing_of(i, Crossing::Kind::Threshold, selected ? before_write_ : counter,
                        written ? std::nullopt : std::optional(value(counter) - counter.threshold));
        for (CrossingSink* watcher : watchers_) {
            watcher->crossed(crossing);
        }
        if (samples_ && rises) {
            samples_->reached(crossing);
        }
    });
    told_ = reached;
}

void TlmCounterBank::tell_overflow(unsigned index) {
    const Counter& counter = counters_[index];
    const Crossing crossing = crossing_of(index, Crossing::Kind::Overflow, counter, value(counter));
    for (CrossingSink* watcher : watchers_) {
        watcher->crossed(crossing);
    }
    if (samples_) {
        samples_->overflowed(crossing, lines_[BankLine::Overflow].level);
    }
}

/// `counting`: with the selector that has counted; `beyond`: nothing if a write has made it cross.
Crossing TlmCounterBank::crossing_of(unsigned index, Crossing::Kind kind, const Counter& counting,
                                     std::optional<std::uint64_t> beyond) const {
    const bool several = counting.selected >= kFirstUnion;
    const EventMask sources =
        several ? counting.sources : event_bit(static_cast<Event>(counting.selected));
    return {.counter = index,
            .kind = kind,
            .selector = index < kFirstProgrammable ? 0 : counting.selector,
            .sources = beyond ? sources : EventMask(),
            .cycle = now_,
            .beyond = static_cast<unsigned>(beyond.value_or(0))};
}

void TlmCounterBank::take_over(const CounterBank& other, const PrivilegeTrack& privilege) {
    now_ = other.now();
    totals_[kCycleSource] = now_;
    privilege_ = privilege;
    inhibit_ = static_cast<std::uint32_t>(other.peek(csr::kMcountinhibit));
    for (unsigned place = 0; place < config_.programmable; ++place) {
        const unsigned index = kFirstProgrammable + place;
        write_event(counters_[index], index, other.peek(event_csr(index)));
        rebase(counters_[index], other.peek(counter_csr(index)));
    }
    compare(false);
}

std::uint64_t TlmCounterBank::read_control() const {
    return buffer_control_ | (buffer_full() ? csr::kMhpmmcontrolFull : 0);
}

/// size != 0 and offset + record > size, without the sum, which could wrap.
bool TlmCounterBank::buffer_full() const {
    const std::uint64_t record =
        (buffer_control_ >> csr::kMhpmmcontrolRecordShift & csr::kMhpmmcontrolRecordMask) * 8;
    const bool enabled = (buffer_control_ & csr::kMhpmmcontrolFullEnable) != 0;
    return enabled && buffer_size_ != 0 &&
           (record > buffer_size_ || buffer_offset_ > buffer_size_ - record);
}

} // namespace pes

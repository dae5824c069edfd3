// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/tlm_bank.h"

#include "hw/hpm/invariant.h"

#include <algorithm>
#include <bit>

namespace pes {
namespace {

/// Answer of safe_cycles() when nothing is armed; leaves room for now() to be added.
constexpr Cycle kUnbounded = Cycle{1} << 62;

constexpr std::uint64_t kControlReset =
    csr::kMhpmmcontrolFullEnable | std::uint64_t{8} << csr::kMhpmmcontrolRecordShift;
constexpr std::uint64_t kControlStored =
    csr::kMhpmmcontrolFullEnable | csr::kMhpmmcontrolRecordMask << csr::kMhpmmcontrolRecordShift;

constexpr std::uint64_t low_bits(unsigned count) {
    return ~std::uint64_t{0} >> (64 - count);
}

/// Calls `visit(index)` for each set bit, lowest first.
template <typename Visit>
void for_each_bit(std::uint64_t bits, Visit visit) {
    for (; bits != 0; bits &= bits - 1) {
        visit(static_cast<unsigned>(std::countr_zero(bits)));
    }
}

} // namespace

TlmCounterBank::TlmCounterBank(const CounterConfig& config)
    : config_(config), buffer_control_(kControlReset) {
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
    compare();
}

std::uint64_t TlmCounterBank::read(std::uint16_t csr) const {
    const CounterCsr target = decode_counter_csr(csr);
    // Counters that do not exist keep their reset value 0 because land_write() drops their writes.
    const Counter& counter = counters_[target.index];
    switch (target.kind) {
    case CounterRegister::Counter:
        return value(counter);
    case CounterRegister::Event:
        return counter.selector;
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
    count(pulses, cycle);
    if (pending_) {
        land_write(pulses);
        compare();
    } else if (cycle > quiet_until_) {
        compare();
    }
    if (wave_) {
        wave_->ticked(*this);
    }
}

void TlmCounterBank::advance(const EventTotals& totals, Cycle cycle) {
    require(cycle >= now_ && (cycle - now_ <= safe_cycles() || room().holds(totals, cycle)),
            "counter bank: advance() beyond safe_cycles() and room()", cycle);
    std::copy(totals.events.begin(), totals.events.end(), totals_.begin());
    totals_[kNoSource] = 0;
    totals_[kRetiredSource] = totals.retired;
    totals_[kCycleSource] = cycle;
    now_ = cycle;
    const bool threshold = interrupt(BankLine::Threshold).level;
    compare();
    require(interrupt(BankLine::Threshold).level == threshold,
            "counter bank: an interrupt line changed inside a safe span", cycle);
    if (wave_) {
        wave_->advanced(*this);
    }
}

Cycle TlmCounterBank::safe_cycles() const {
    if (pending_) {
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
    if (pending_ || wave_ || lines_[BankLine::Threshold].level) {
        return {};
    }
    std::array<std::uint64_t, kSourceCount> most{};
    most.fill(kNever);
    for_each_bit(armed_, [&](unsigned i) {
        const Counter& counter = counters_[i];
        if (counter.source != kNoSource && counter.threshold <= counter.limit) {
            std::uint64_t& source = most[counter.source];
            source =
                std::min(source, totals_[counter.source] + counter.threshold - value(counter) - 1);
        }
    });
    PulseRoom room{.totals = {.events = {}, .retired = most[kRetiredSource]},
                   .cycle = most[kCycleSource]};
    std::copy_n(most.begin(), kEventCount, room.totals.events.begin());
    return room;
}

void TlmCounterBank::attach_wave(WaveSink& sink, std::string_view scope) {
    if (sink.wants("hpm")) {
        wave_.emplace(sink, scope, config_, *this);
    }
}

void TlmCounterBank::count(const CyclePulses& pulses, Cycle cycle) {
    for_each_bit(pulses.events & ~event_bit(Event::None), [this](unsigned i) { ++totals_[i]; });
    totals_[kRetiredSource] += pulses.retired;
    totals_[kCycleSource] = cycle;
    now_ = cycle;
}

/// Takes the pulses of the cycle just counted back from every programmable counter.
void TlmCounterBank::freeze(EventMask events) {
    for (unsigned i = 0; i < config_.programmable; ++i) {
        Counter& counter = counters_[kFirstProgrammable + i];
        if (counter.source != kNoSource) {
            counter.total_at_base += events >> counter.source & 1U;
        }
    }
}

/// The write of the cycle just counted takes its place: it wins over the increment.
void TlmCounterBank::land_write(const CyclePulses& pulses) {
    const PendingWrite write = *pending_;
    pending_.reset();
    const unsigned index = write.target.index;
    Counter& counter = counters_[index];
    const bool programmable = index >= kFirstProgrammable;
    const auto kind = write.target.kind;
    if (config_.write_freezes && programmable &&
        (kind == CounterRegister::Counter || kind == CounterRegister::Event)) {
        freeze(pulses.events);
    }
    if (!implemented(index)) {
        return; // read-only zero
    }
    switch (kind) {
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
    case CounterRegister::None:
        break;
    }
}

void TlmCounterBank::write_inhibit(std::uint64_t value) {
    const std::uint32_t before = inhibit_;
    inhibit_ = static_cast<std::uint32_t>(value) & implemented_;
    for_each_bit(before ^ inhibit_, [this](unsigned i) { reconnect(counters_[i], i); });
}

void TlmCounterBank::write_event(Counter& counter, unsigned index, std::uint64_t value) {
    counter.selector = value & config_.profile->selector_mask;
    const EventRow* row = find_selector(*config_.profile, counter.selector);
    counter.selected = row == nullptr ? kNoSource : static_cast<Source>(row->source);
    reconnect(counter, index);
}

void TlmCounterBank::rebase(Counter& counter, std::uint64_t value) {
    counter.base = value & counter.limit;
    counter.total_at_base = totals_[counter.source];
}

/// Keeps the value and follows `selected` and the inhibit bit from the next cycle on.
void TlmCounterBank::reconnect(Counter& counter, unsigned index) {
    const std::uint64_t kept = value(counter);
    counter.source = inhibited(index) ? kNoSource : counter.selected;
    rebase(counter, kept);
}

/// Brings both lines to what the registers say and renews the bound behind safe_cycles().
void TlmCounterBank::compare() {
    bool high = false;
    Cycle rise = kUnbounded; // least span before a comparator that is low goes up
    Cycle fall = 0;          // greatest span for which a comparator that is high stays so
    for_each_bit(armed_, [&](unsigned i) {
        const Counter& counter = counters_[i];
        const std::uint64_t present = value(counter);
        const unsigned rate_shift = i == kInstretIndex ? 1 : 0;
        const bool running = counter.source != kNoSource;
        if (present >= counter.threshold) {
            high = true;
            fall = std::max(fall, running ? (counter.limit - present) >> rate_shift : kUnbounded);
        } else if (running && counter.threshold <= counter.limit) {
            rise = std::min(rise, (counter.threshold - present - 1) >> rate_shift);
        }
    });
    quiet_until_ = now_ + std::min(high ? fall : rise, kUnbounded);
    lines_.set(BankLine::Threshold, high, now_ + 1);
    lines_.set(BankLine::BufferFull, buffer_full(), now_ + 1);
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

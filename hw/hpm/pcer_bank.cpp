// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/pcer_bank.h"

#include "hw/hpm/bank_bounds.h"
#include "hw/hpm/invariant.h"

#include <algorithm>
#include <bit>

namespace pes {
namespace {

constexpr std::uint64_t kLargest = low_bits(kPcerWidth);
constexpr std::uint32_t kModeStored = csr::kPcmrEnable | csr::kPcmrSaturate;

} // namespace

PcerBank::PcerBank(const CounterConfig& config) : ModelBank(config) {
    require(config.programmable == kPcerCounters && config.width == kPcerWidth,
            "PCER counter bank: configuration out of range", 0);
    for (const EventRow& row : *config.profile) {
        require(row.selector < kPcerCounters, "PCER counter bank: no such bit of PCER",
                row.selector);
        events_[row.selector] = static_cast<Source>(row.source);
        stored_ |= 1U << row.selector;
    }
}

std::uint64_t PcerBank::value(const Counter& counter) const {
    const std::uint64_t exact = counter.base + totals_[counter.source] - counter.total_at_base;
    return (mode_ & csr::kPcmrSaturate) != 0 ? std::min(exact, kLargest) : exact & kLargest;
}

std::uint64_t PcerBank::read(std::uint16_t csr) const {
    const PcerCsr target = decode_pcer_csr(csr);
    switch (target.kind) {
    case PcerRegister::Mode:
        return mode_;
    case PcerRegister::Enable:
        return enabled_;
    case PcerRegister::Counter:
        return value(counters_[shared() ? 0 : target.index]);
    case PcerRegister::All:
        return shared() ? value(counters_[0]) : 0;
    case PcerRegister::None:
        break;
    }
    broken_invariant("PCER counter bank: read of a CSR it does not own", csr);
}

void PcerBank::write(std::uint16_t csr, std::uint64_t value) {
    require(owns(csr) && machine_pcer_csr(csr) == csr,
            "PCER counter bank: write of a CSR it does not own", csr);
    require(!pending_, "PCER counter bank: two CSR writes in one cycle", now_ + 1);
    pending_ = PendingWrite{decode_pcer_csr(csr), value};
}

void PcerBank::tick(const CyclePulses& pulses, Cycle cycle) {
    require(cycle == now_ + 1, "PCER counter bank: tick() skips or repeats a cycle", cycle);
    (pulses.events - event_bit(Event::None)).for_each([this](Event source) {
        ++totals_[static_cast<std::size_t>(source)];
    });
    totals_[kRetiredSource] += pulses.retired;
    totals_[kCycleSource] = cycle;
    const EventMask retirement = pulses.retired != 0 ? event_bit(Event::Instructions) : EventMask();
    totals_[kAnySource] += ((pulses.events | retirement) & live_).any() ? 1 : 0;
    now_ = cycle;
    if (pending_) {
        land_write();
    }
    if (wave_) {
        wave_->ticked(*this);
    }
}

void PcerBank::advance(const EventTotals& totals, Cycle cycle) {
    require(cycle >= now_ && (cycle - now_ <= safe_cycles() || room().holds(totals, cycle)),
            "PCER counter bank: advance() beyond safe_cycles() and room()", cycle);
    std::copy(totals.events.begin(), totals.events.end(), totals_.begin());
    totals_[kNoSource] = 0;
    totals_[kRetiredSource] = totals.retired;
    totals_[kCycleSource] = cycle;
    now_ = cycle;
    if (wave_) {
        wave_->advanced(*this);
    }
}

Cycle PcerBank::safe_cycles() const {
    if (pending_ || needs_ticks()) {
        return 0;
    }
    return wave_ ? std::min(kUnbounded, wave_->quiet_cycles(now_)) : kUnbounded;
}

PulseRoom PcerBank::room() const {
    if (pending_ || needs_ticks() || wave_) {
        return {};
    }
    return {.cycle = kNever};
}

void PcerBank::attach_register_wave(WaveSink& sink, std::string_view scope) {
    if (sink.wants(BankWave::kGroup)) {
        wave_.emplace(sink, scope, config_, *this);
    }
}

void PcerBank::finish() {
    if (wave_) {
        wave_->advanced(*this);
    }
}

void PcerBank::set_debug(bool debug) {
    settle();
    debug_ = debug;
    connect();
}

/// The write takes effect at the end of its cycle, whose pulses still count under the old
/// registers.
void PcerBank::land_write() {
    const std::uint64_t counter = pending_->value & kLargest;
    switch (pending_->target.kind) {
    case PcerRegister::Mode:
        settle();
        mode_ = static_cast<std::uint32_t>(pending_->value) & kModeStored;
        connect();
        break;
    case PcerRegister::Enable:
        settle();
        enabled_ = static_cast<std::uint32_t>(pending_->value) & stored_;
        connect();
        break;
    case PcerRegister::Counter:
        rebase(counters_[shared() ? 0 : pending_->target.index], counter);
        break;
    case PcerRegister::All:
        for (Counter& each : counters_) {
            rebase(each, counter);
        }
        break;
    case PcerRegister::None:
        broken_invariant("PCER counter bank: a write without a register", now_);
    }
    pending_.reset();
}

void PcerBank::rebase(Counter& counter, std::uint64_t value) {
    counter.base = value;
    counter.total_at_base = totals_[counter.source];
}

/// Re-bases all counters before the registers that they depend on change.
void PcerBank::settle() {
    for (Counter& counter : counters_) {
        rebase(counter, value(counter));
    }
}

/// After PCMR, PCER or the debug pin have changed.
void PcerBank::connect() {
    const bool runs = (mode_ & csr::kPcmrEnable) != 0 && !debug_;
    for (unsigned n = 0; n < kPcerCounters; ++n) {
        const bool counts = runs && !shared() && (enabled_ >> n & 1U) != 0;
        counters_[n].source = counts ? events_[n] : kNoSource;
    }
    live_ = {};
    if (shared() && runs) {
        for (std::uint32_t left = enabled_; left != 0; left &= left - 1) {
            live_ |= event_bit(
                static_cast<Event>(events_[static_cast<unsigned>(std::countr_zero(left))]));
        }
        live_.remove(Event::None);
        counters_[0].source = shared_source();
    }
    for (Counter& counter : counters_) {
        counter.total_at_base = totals_[counter.source];
    }
}

/// A total that equals the count of the events in live_, if there is one. With cycles enabled there
/// is a pulse in each cycle, whatever else is enabled. Instructions count 2 in some cycles, the OR
/// of events does not.
PcerBank::Source PcerBank::shared_source() const {
    if (!live_.any()) {
        return kNoSource;
    }
    if (live_.has(Event::Cycles)) {
        return kCycleSource;
    }
    const bool alone = live_.count() == 1 && !live_.has(Event::Instructions);
    return alone ? static_cast<Source>(live_.first()) : kAnySource;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/rtl_bank.h"

#include "hw/hpm/invariant.h"
#include "hw/hpm/tlm_bank.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pes {

RtlCounterBank::RtlCounterBank(const CounterConfig& config, std::unique_ptr<RtlModel> model)
    : HpmBank(config), model_(std::move(model)), pins_(config) {
    model_->reset();
}

void RtlCounterBank::write(std::uint16_t csr, std::uint64_t value) {
    require(owns(csr), "RTL counter bank: write of a CSR it does not own", csr);
    require(!write_pending_, "RTL counter bank: two CSR writes in one cycle", now_ + 1);
    write_pending_ = true;
    no_overflow_before_ = 0;
    pins_.access(csr, true);
    pins_.set_write_data(value);
}

void RtlCounterBank::tick(const CyclePulses& pulses, Cycle cycle) {
    require(cycle == now_ + 1, "RTL counter bank: tick() skips or repeats a cycle", cycle);
    const RtlModel::Inputs& inputs = pins_.inputs();
    if (!write_pending_) {
        pins_.access(read_pending_.value_or(watched_), false);
    }
    write_pending_ = false;
    read_pending_.reset();
    pins_.drive(pulses, cycle);
    if (host_ != nullptr && inputs.write &&
        decode_counter_csr(inputs.csr).kind == CounterRegister::Event) {
        selector_before_ = model_->read(inputs.csr);
    }
    if (rtl_wave_) {
        rtl_wave_->show(inputs, cycle);
    }
    model_->cycle(inputs, outputs_);
    now_ = cycle;
    if (host_ != nullptr) {
        tell_samples();
    }
    lines_.set(BankLine::Threshold, outputs_.threshold_irq, now_ + 1);
    lines_.set(BankLine::BufferFull, outputs_.buffer_full_irq, now_ + 1);
    lines_.set(BankLine::Overflow, outputs_.overflow_irq, now_ + 1);
    if (wave_) {
        wave_->ticked(*this);
    }
    if (sample_wave_) {
        sample_wave_->show(sample(), now_ + 1);
    }
}

CapturedSample RtlCounterBank::sample() const {
    return {.reached = outputs_.sample_reached,
            .cycle = outputs_.sample_cycle,
            .pc = outputs_.sample_pc,
            .privilege = outputs_.sample_privilege};
}

void RtlCounterBank::advance(const EventTotals&, Cycle cycle) {
    require(cycle == now_, "RTL counter bank: it takes single cycles only", cycle);
}

void RtlCounterBank::attach_wave(WaveSink& sink, std::string_view scope) {
    if (sink.wants(BankWave::kGroup)) {
        wave_.emplace(sink, scope, config_, *this);
    }
    attach_pin_waves(sink, scope);
}

void RtlCounterBank::attach_pin_waves(WaveSink& sink, std::string_view scope) {
    if (config_.profile->registers == RegisterSet::Hpm && sink.wants(SampleWave::kGroup)) {
        sample_wave_.emplace(sink, scope);
    }
    if (sink.wants(RtlWave::kGroup)) {
        rtl_wave_.emplace(sink, std::string(scope) + ".rtl", *model_);
    }
}

void RtlCounterBank::finish() {
    if (wave_) {
        wave_->advanced(*this);
    }
    if (rtl_wave_) { // the registers after the last edge
        RtlModel::Inputs idle = pins_.inputs();
        idle.pulses = {};
        idle.retired = 0;
        idle.write = false;
        rtl_wave_->show(idle, now_ + 1);
    }
}

void RtlCounterBank::reset() {
    model_->reset();
    now_ = 0;
    pins_.reset();
    outputs_ = {};
    write_pending_ = false;
    read_pending_.reset();
    lines_.reset();
    no_overflow_before_ = 0;
}

// --- Sspesa -------------------------------------------------------------------------------------

/// What the pins of the cycle behind now() say.
void RtlCounterBank::tell_samples() {
    for (std::uint32_t left = outputs_.overflowed; left != 0; left &= left - 1) {
        const auto index = static_cast<unsigned>(std::countr_zero(left));
        const bool written = pins_.inputs().write && pins_.inputs().csr == event_csr(index);
        host_->overflowed(
            crossing_of(Crossing::Kind::Overflow,
                        {.asked = true,
                         .counted = true,
                         .younger = model_->read(counter_csr(index)) != 0,
                         .counter = static_cast<std::uint8_t>(index),
                         .selector = written ? selector_before_ : model_->read(event_csr(index))}));
    }
    if (outputs_.overflow.asked) {
        host_->find_cause(crossing_of(Crossing::Kind::Overflow, outputs_.overflow));
    }
    if (outputs_.threshold.asked) {
        host_->find_cause(crossing_of(Crossing::Kind::Threshold, outputs_.threshold));
    }
}

Crossing RtlCounterBank::crossing_of(Crossing::Kind kind,
                                     const RtlModel::Question& question) const {
    const EventMask sources = question.counter == kCycleIndex ? event_bit(Event::Cycles)
                              : question.counter == kInstretIndex
                                  ? event_bit(Event::Instructions)
                                  : sources_of(config_, question.selector);
    return {.counter = question.counter,
            .kind = kind,
            .selector = question.selector & ~csr::kMhpmeventOverflow,
            .sources = question.counted ? sources : EventMask(),
            .cycle = now_,
            .beyond = question.younger ? 1U : 0U};
}

/// The model counts on from the registers of the RTL. They are read only when a counter could have
/// come close to its overflow since the last time.
std::optional<Crossing> RtlCounterBank::overflow_ahead(std::span<const CyclePulses> coming) const {
    if (now_ + coming.size() < no_overflow_before_) {
        return std::nullopt;
    }
    constexpr std::uint64_t kMostPerCycle = 2;
    const std::uint64_t last = ~std::uint64_t{0} >> (kMaxCounterWidth - config_.width);
    std::uint64_t least = last;
    for (unsigned place = 0; place < config_.programmable; ++place) {
        least = std::min(least, last - model_->read(counter_csr(kFirstProgrammable + place)));
    }
    no_overflow_before_ = now_ + least / kMostPerCycle;
    if (!write_pending_ && now_ + coming.size() < no_overflow_before_) {
        return std::nullopt;
    }
    TlmCounterBank ahead(config_);
    ahead.take_over(*this, pins_.privilege());
    if (write_pending_) {
        ahead.write(pins_.inputs().csr, pins_.inputs().write_data);
        no_overflow_before_ = 0;
    }
    return ahead.overflow_ahead(coming);
}

} // namespace pes

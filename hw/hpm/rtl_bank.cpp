// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/rtl_bank.h"

#include "hw/hpm/invariant.h"

namespace pes {

RtlCounterBank::RtlCounterBank(const CounterConfig& config, std::unique_ptr<RtlModel> model)
    : HpmBank(config), model_(std::move(model)),
      pins_((EventMask{1} << pulse_pins(*config.profile)) - 1) {
    model_->reset();
}

void RtlCounterBank::write(std::uint16_t csr, std::uint64_t value) {
    require(owns(csr), "RTL counter bank: write of a CSR it does not own", csr);
    require(!write_pending_, "RTL counter bank: two CSR writes in one cycle", now_ + 1);
    write_pending_ = true;
    inputs_.csr = csr;
    inputs_.write_data = value;
}

void RtlCounterBank::tick(const CyclePulses& pulses, Cycle cycle) {
    require(cycle == now_ + 1, "RTL counter bank: tick() skips or repeats a cycle", cycle);
    inputs_.pulses = pulses.events & pins_;
    inputs_.retired = pulses.retired;
    inputs_.write = write_pending_;
    if (!write_pending_) {
        inputs_.csr = read_pending_.value_or(watched_);
    }
    write_pending_ = false;
    read_pending_.reset();
    drive_retirement(pulses.retired);
    privilege_.enter(cycle);
    inputs_.privilege = privilege_.present();
    if (rtl_wave_) {
        rtl_wave_->show(inputs_, cycle);
    }
    model_->cycle(inputs_, outputs_);
    now_ = cycle;
    lines_.set(BankLine::Threshold, outputs_.threshold_irq, now_ + 1);
    lines_.set(BankLine::BufferFull, outputs_.buffer_full_irq, now_ + 1);
    lines_.set(BankLine::Overflow, outputs_.overflow_irq, now_ + 1);
    if (wave_) {
        wave_->ticked(*this);
    }
}

void RtlCounterBank::advance(const EventTotals&, Cycle cycle) {
    require(cycle == now_, "RTL counter bank: it takes single cycles only", cycle);
}

void RtlCounterBank::attach_wave(WaveSink& sink, std::string_view scope) {
    if (sink.wants("hpm")) {
        wave_.emplace(sink, scope, config_, *this);
    }
    attach_rtl_wave(sink, scope);
}

void RtlCounterBank::attach_rtl_wave(WaveSink& sink, std::string_view scope) {
    if (sink.wants(RtlWave::kGroup)) {
        rtl_wave_.emplace(sink, std::string(scope) + ".rtl", *model_);
    }
}

void RtlCounterBank::finish() {
    if (wave_) {
        wave_->advanced(*this);
    }
    if (rtl_wave_) { // the registers after the last edge
        RtlModel::Inputs idle = inputs_;
        idle.pulses = 0;
        idle.retired = 0;
        idle.write = false;
        rtl_wave_->show(idle, now_ + 1);
    }
}

void RtlCounterBank::reset() {
    model_->reset();
    now_ = 0;
    inputs_ = {};
    outputs_ = {};
    write_pending_ = false;
    read_pending_.reset();
    lines_ = {};
    privilege_ = {};
    delivered_ = arrived_;
}

void RtlCounterBank::retired(const Retirement& retirement) {
    require(arrived_ - delivered_ < kWaiting,
            "RTL counter bank: instructions retire and no cycle passes", retirement.cycle);
    waiting_[arrived_++ % kWaiting] = {.pc = retirement.pc, .events = retirement.events};
}

/// The stream and the pulses are in the same order; which cycle a retirement counts in is for the
/// pulses to say.
void RtlCounterBank::drive_retirement(unsigned count) {
    inputs_.retire_events = {};
    for (unsigned port = 0; port < count && delivered_ != arrived_; ++port) {
        const Waiting& retirement = waiting_[delivered_++ % kWaiting];
        inputs_.retire_pc[port] = retirement.pc;
        inputs_.retire_events[port] = retirement.events & inputs_.pulses;
    }
}

} // namespace pes

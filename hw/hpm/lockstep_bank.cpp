// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/lockstep_bank.h"

#include "hw/hpm/bank_registers.h"
#include "hw/hpm/invariant.h"

#include <utility>

namespace pes {
LockstepBank::LockstepBank(const CounterConfig& config, const RtlFactory& make_rtl, Hooks hooks)
    : HpmBank(config), make_rtl_(make_rtl), hooks_(std::move(hooks)),
      model_(make_model_bank(config)), rtl_(config, make_rtl()), recorder_(rtl_.model()),
      registers_(bank_registers(config)), coverage_(config_), sample_(config_) {
    rtl_.watch(registers_[looked_at_]);
}

/// The model asks; the RTL's questions are compared with its own.
bool LockstepBank::connect_samples(SampleHost& host) {
    if (!model_->connect_samples(host)) {
        return false;
    }
    host_ = &host;
    rtl_.share_samples(host);
    registers_.insert(registers_.end(), std::begin(kSampleCsrs), std::end(kSampleCsrs));
    return true;
}

bool LockstepBank::owns(std::uint16_t csr) const {
    const bool model = model_->owns(csr);
    const bool rtl = rtl_.hit(csr);
    if (model != rtl) [[unlikely]] {
        differ({.signal = "csr_hit_o of " + csr_name(csr), .model = model, .rtl = rtl}, csr);
    }
    return model;
}

std::uint64_t LockstepBank::read(std::uint16_t csr) const {
    const std::uint64_t model = model_->read(csr);
    const std::uint64_t rtl = rtl_.read(csr);
    if (model != rtl) [[unlikely]] {
        differ(difference_in(csr, model, rtl), csr);
    }
    equal_in_[csr % kCsrNumbers] = now();
    coverage_.read(csr);
    return model;
}

void LockstepBank::write(std::uint16_t csr, std::uint64_t value) {
    model_->write(csr, value);
    rtl_.write(csr, value);
}

void LockstepBank::tick(const CyclePulses& pulses, Cycle cycle) {
    sample_.before(*model_, pulses);
    rtl_.tick(pulses, cycle); // before the model requests an interrupt or asks for a cause
    coverage_.before(*model_, rtl_.inputs());
    model_->tick(pulses, cycle);
    if (difference_) [[unlikely]] {
        return;
    }
    recorder_.record(rtl_.inputs(), cycle);
    sample_.after(*model_, rtl_.retired());
    compare();
}

void LockstepBank::advance(const EventTotals&, Cycle cycle) {
    require(cycle == now(), "lockstep counter bank: it takes single cycles only", cycle);
}

void LockstepBank::attach_wave(WaveSink& sink, std::string_view scope) {
    model_->attach_register_wave(sink, scope);
    rtl_.attach_pin_waves(sink, scope);
}

void LockstepBank::finish() {
    for (const std::uint16_t csr : registers_) {
        owns(csr);
        const std::uint64_t model = model_->peek(csr);
        const std::uint64_t rtl = rtl_.peek(csr);
        if (model != rtl) {
            Difference difference = difference_in(csr, model, rtl);
            difference.found = Difference::Found::AtEnd;
            differ(std::move(difference), csr);
        }
    }
    model_->finish();
    rtl_.finish();
}

void LockstepBank::reset() {
    model_ = make_model_bank(config_);
    if (host_ != nullptr) {
        model_->connect_samples(*host_);
    }
    rtl_.reset();
    recorder_ = RtlRecorder(rtl_.model());
    sample_.reset();
    coverage_.reset();
    equal_in_.fill(0);
}

void LockstepBank::compare() {
    const RtlModel::Outputs& rtl = rtl_.outputs();
    const auto line = [this](BankLine which) { return model_->interrupt(which).level; };
    const std::uint32_t reached = model_->reached();
    coverage_.after(*model_, rtl_.inputs(), reached);
    compare_value("csr_hit_o", model_->owns(rtl_.inputs().csr), rtl.hit);
    compare_value("threshold_irq_o", line(BankLine::Threshold), rtl.threshold_irq,
                  reached | rtl.reached);
    compare_value("buffer_full_irq_o", line(BankLine::BufferFull), rtl.buffer_full_irq);
    compare_value("overflow_irq_o", line(BankLine::Overflow), rtl.overflow_irq);
    compare_value("reached_o", reached, rtl.reached, reached ^ rtl.reached);
    const CapturedSample& sample = sample_.sample();
    compare_value("sample_reached_o", sample.reached, rtl.sample_reached,
                  sample.reached ^ rtl.sample_reached);
    compare_value("sample_cycle_o", sample.cycle, rtl.sample_cycle, sample.reached);
    compare_value("sample_pc_o", sample.pc, rtl.sample_pc, sample.reached);
    compare_value("sample_priv_o", sample.privilege, rtl.sample_privilege, sample.reached);
    if (host_ != nullptr) {
        compare_samples();
    }
    compare_shown();
}

void LockstepBank::compare_samples() const {
    static constexpr QuestionPins kOverflow{"overflow_ask_o", "overflow_counter_o",
                                            "overflow_selector_o", "overflow_counted",
                                            "overflow_younger_o"};
    static constexpr QuestionPins kThreshold{"threshold_ask_o", "threshold_counter_o",
                                             "threshold_selector_o", "threshold_counted_o",
                                             "threshold_younger_o"};
    compare_question(kOverflow, model_->samples()->asked(Crossing::Kind::Overflow),
                     rtl_.outputs().overflow);
    compare_question(kThreshold, model_->samples()->asked(Crossing::Kind::Threshold),
                     rtl_.outputs().threshold);
}

void LockstepBank::compare_question(const QuestionPins& pins, const std::optional<Crossing>& model,
                                    const RtlModel::Question& rtl) const {
    compare_value(pins.ask, model.has_value(), rtl.asked);
    if (!model || !rtl.asked) {
        return;
    }
    const std::uint32_t counters = std::uint32_t{1} << model->counter;
    compare_value(pins.counter, model->counter, rtl.counter, counters);
    compare_value(pins.selector, model->selector & config_.profile->selector_mask, rtl.selector,
                  counters);
    compare_value(pins.counted, model->sources.any(), rtl.counted, counters);
    compare_value(pins.younger, model->beyond, rtl.younger, counters);
}

/// The register on the read port: the one that software accesses, otherwise the next one in turn.
void LockstepBank::compare_shown() {
    const std::uint16_t shown = rtl_.inputs().csr;
    const std::uint64_t expected = model_->read(shown);
    const std::uint64_t rtl = rtl_.outputs().read_data;
    if (expected != rtl) [[unlikely]] {
        Difference difference = difference_in(shown, expected, rtl);
        difference.found =
            rtl_.inputs().write ? Difference::Found::AtOnce : Difference::Found::Idle;
        differ(std::move(difference));
    }
    equal_in_[shown % kCsrNumbers] = now();
    if (shown == registers_[looked_at_]) { // a write shows its own register instead
        looked_at_ = looked_at_ + 1 == registers_.size() ? 0 : looked_at_ + 1;
    }
    rtl_.watch(registers_[looked_at_]);
}

/// `counters`: the counters that the value concerns, bit = counter index.
void LockstepBank::compare_value(const char* signal, std::uint64_t model, std::uint64_t rtl,
                                 std::uint32_t counters) const {
    if (model != rtl) [[unlikely]] {
        differ({.signal = signal, .model = model, .rtl = rtl, .counters = counters});
    }
}

LockstepBank::Difference LockstepBank::difference_in(std::uint16_t csr, std::uint64_t model,
                                                     std::uint64_t rtl) const {
    Difference difference{.signal = csr_name(csr), .model = model, .rtl = rtl};
    const CounterCsr place = decode_counter_csr(csr);
    switch (config_.profile->registers == RegisterSet::Hpm ? place.kind : CounterRegister::None) {
    case CounterRegister::Counter:
    case CounterRegister::Event:
    case CounterRegister::Threshold:
    case CounterRegister::Filter:
        difference.counters = std::uint32_t{1} << place.index;
        break;
    case CounterRegister::Inhibit:
    case CounterRegister::Overflow:
        difference.counters = static_cast<std::uint32_t>(model ^ rtl);
        break;
    default:
        break;
    }
    difference.equal_in = equal_in_[csr % kCsrNumbers];
    difference.registers = registers_.size();
    return difference;
}

/// `read`: the CSR on the pins, if the cycle has only begun.
void LockstepBank::differ(Difference difference, std::optional<std::uint16_t> read) const {
    if (difference_) {
        return;
    }
    difference.cycle = now() + 1;
    difference.pc = sample_.last_pc();
    difference_ = std::move(difference);
    if (hooks_.wanted && !hooks_.wanted()) {
        return;
    }
    const std::string text =
        report(*difference_, config_, *model_, recorder_.last_pulses(), hooks_.name_of_pc) +
        write_window(read);
    if (hooks_.on_difference) {
        hooks_.on_difference(text);
    }
}

std::string LockstepBank::write_window(std::optional<std::uint16_t> read) const {
    if (!hooks_.keep_window) {
        return {};
    }
    if (!recorder_.can_replay()) {
        return "no waveform of the RTL before it: this RTL was built with options under which "
               "Verilator cannot save its state (--coverage)\n";
    }
    const auto dump = [this, read](const RtlModel::DumpText& text) {
        const std::unique_ptr<RtlModel> fresh = make_rtl_();
        recorder_.replay(*fresh, text, read);
    };
    return hooks_.keep_window(dump, *difference_);
}

} // namespace pes

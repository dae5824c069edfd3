// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/lockstep_bank.h"

#include "hw/common/host/output_file.h"
#include "hw/common/host/user_error.h"
#include "hw/hpm/invariant.h"
#include "hw/hpm/pcer_csr.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <utility>

namespace pes {
namespace {

std::string csr_name(std::uint16_t csr) {
    std::ostringstream text;
    text << "CSR 0x" << std::hex << std::uppercase << csr;
    return text.str();
}

std::vector<std::uint16_t> pcer_registers() {
    std::vector<std::uint16_t> registers{csr::kPcmr, csr::kPcer, csr::kUserPcmr, csr::kUserPcer};
    for (unsigned index = 0; index <= kPcerCounters; ++index) { // PCCR31 too
        const std::uint16_t machine = pccr_csr(index);
        const auto user = static_cast<std::uint16_t>(csr::kUserPccr0 + index);
        registers.insert(registers.end(), {machine, user});
    }
    return registers;
}

std::vector<std::uint16_t> registers_of(const CounterConfig& config) {
    if (config.profile->registers != RegisterSet::Hpm) {
        return pcer_registers();
    }
    std::vector<std::uint16_t> registers{csr::kMcycle,
                                         csr::kMinstret,
                                         csr::kMcountinhibit,
                                         csr::kMhpmthresholdCycle,
                                         csr::kMhpmthresholdInstret,
                                         csr::kMhpmmmaped,
                                         csr::kMhpmmsize,
                                         csr::kMhpmmoffset,
                                         csr::kMhpmmcontrol};
    if (config.sscofpmf) {
        registers.push_back(csr::kScountovf);
    }
    if (config.smcntrpmf) {
        registers.insert(registers.end(), {csr::kMcyclecfg, csr::kMinstretcfg});
    }
    // One more than there are, to see that the next one is not there.
    const unsigned end = std::min(kFirstProgrammable + config.programmable + 1, kCounterLimit);
    for (unsigned index = kFirstProgrammable; index < end; ++index) {
        registers.insert(registers.end(),
                         {counter_csr(index), event_csr(index), threshold_csr(index)});
    }
    return registers;
}

/// "  cycle 17: 2 retired, load, integer, write CSR 0xB03 = 0x2a".
void print(std::ostream& out, const PmuProfile& profile, const RtlModel::Inputs& inputs,
           Cycle cycle) {
    out << "  cycle " << std::dec << cycle << ": " << unsigned{inputs.retired} << " retired";
    for (const EventRow& row : profile) {
        if (row.source != Event::None && (inputs.pulses & event_bit(row.source)) != 0) {
            out << ", " << row.name;
        }
    }
    if (inputs.debug) {
        out << ", debug mode";
    }
    if (inputs.write) {
        out << ", write " << csr_name(inputs.csr) << " = 0x" << std::hex << inputs.write_data;
    }
    out << '\n';
}

} // namespace

LockstepBank::LockstepBank(const CounterConfig& config, const RtlFactory& make_rtl, Hooks hooks)
    : HpmBank(config), make_rtl_(make_rtl), hooks_(std::move(hooks)),
      model_(make_model_bank(config)), rtl_(config, make_rtl()), recorder_(rtl_.model()),
      registers_(registers_of(config)) {
    rtl_.watch(registers_[looked_at_]);
}

bool LockstepBank::owns(std::uint16_t csr) const {
    const bool model = model_->owns(csr);
    const bool rtl = rtl_.hit(csr);
    if (model != rtl) [[unlikely]] {
        differ("csr_hit_o of " + csr_name(csr), model ? 1 : 0, rtl ? 1 : 0, csr);
    }
    return model;
}

std::uint64_t LockstepBank::read(std::uint16_t csr) const {
    const std::uint64_t model = model_->read(csr);
    const std::uint64_t rtl = rtl_.read(csr);
    if (model != rtl) [[unlikely]] {
        differ(csr_name(csr), model, rtl, csr);
    }
    return model;
}

void LockstepBank::write(std::uint16_t csr, std::uint64_t value) {
    model_->write(csr, value);
    rtl_.write(csr, value);
}

void LockstepBank::tick(const CyclePulses& pulses, Cycle cycle) {
    model_->tick(pulses, cycle);
    rtl_.tick(pulses, cycle);
    if (difference_) [[unlikely]] {
        return;
    }
    recorder_.record(rtl_.inputs(), cycle);
    expect_sample();
    compare();
}

void LockstepBank::advance(const EventTotals&, Cycle cycle) {
    require(cycle == now(), "lockstep counter bank: it takes single cycles only", cycle);
}

void LockstepBank::attach_wave(WaveSink& sink, std::string_view scope) {
    model_->attach_wave(sink, scope);
    rtl_.attach_rtl_wave(sink, scope);
}

void LockstepBank::finish() {
    for (const std::uint16_t csr : registers_) {
        owns(csr);
        const std::uint64_t model = model_->peek(csr);
        const std::uint64_t rtl = rtl_.peek(csr);
        if (model != rtl) {
            differ(csr_name(csr), model, rtl, csr);
        }
    }
    model_->finish();
    rtl_.finish();
}

void LockstepBank::reset() {
    model_ = make_model_bank(config_);
    rtl_.reset();
    recorder_ = RtlRecorder(rtl_.model());
    sample_ = {};
    next_sample_.reset();
    last_pc_ = 0;
    last_privilege_ = 0;
    line_ = false;
}

/// hw/hpm/rtl/pes_sample_capture.sv, from the model's registers.
void LockstepBank::expect_sample() {
    if (next_sample_) {
        sample_ = *next_sample_;
        next_sample_.reset();
    }
    const RtlModel::Inputs& inputs = rtl_.inputs();
    if (inputs.retired != 0) {
        last_pc_ = inputs.retire_pc[inputs.retired - 1];
        last_privilege_ = static_cast<std::uint8_t>(inputs.privilege);
    }
    const bool line = model_->interrupt(BankLine::Threshold).level;
    if (line && !line_) {
        next_sample_ = Sample{.reached = model_->reached(),
                              .cycle = model_->read(csr::kMcycle),
                              .pc = last_pc_,
                              .privilege = last_privilege_};
    }
    line_ = line;
}

void LockstepBank::compare() {
    const RtlModel::Outputs& rtl = rtl_.outputs();
    compare_value("csr_hit_o", model_->owns(rtl_.inputs().csr) ? 1 : 0, rtl.hit ? 1 : 0);
    compare_value("threshold_irq_o", line_ ? 1 : 0, rtl.threshold_irq ? 1 : 0);
    compare_value("buffer_full_irq_o", model_->interrupt(BankLine::BufferFull).level ? 1 : 0,
                  rtl.buffer_full_irq ? 1 : 0);
    compare_value("overflow_irq_o", model_->interrupt(BankLine::Overflow).level ? 1 : 0,
                  rtl.overflow_irq ? 1 : 0);
    compare_value("reached_o", model_->reached(), rtl.reached);
    compare_value("sample_reached_o", sample_.reached, rtl.sample_reached);
    compare_value("sample_cycle_o", sample_.cycle, rtl.sample_cycle);
    compare_value("sample_pc_o", sample_.pc, rtl.sample_pc);
    compare_value("sample_priv_o", sample_.privilege, rtl.sample_privilege);
    const std::uint16_t shown = rtl_.inputs().csr;
    const std::uint64_t expected = model_->read(shown);
    if (expected != rtl.read_data) [[unlikely]] {
        differ(csr_name(shown), expected, rtl.read_data);
    }
    if (shown == registers_[looked_at_]) { // a write shows its own register instead
        looked_at_ = looked_at_ + 1 == registers_.size() ? 0 : looked_at_ + 1;
    }
    rtl_.watch(registers_[looked_at_]);
}

void LockstepBank::compare_value(const char* signal, std::uint64_t model, std::uint64_t rtl) const {
    if (model != rtl) [[unlikely]] {
        differ(signal, model, rtl);
    }
}

/// `read`: the CSR on the pins, if the cycle has begun only.
void LockstepBank::differ(std::string signal, std::uint64_t model, std::uint64_t rtl,
                          std::optional<std::uint16_t> read) const {
    if (difference_) {
        return;
    }
    difference_ = Difference{.cycle = now() + 1,
                             .pc = last_pc_,
                             .signal = std::move(signal),
                             .model = model,
                             .rtl = rtl};
    if (hooks_.wanted && !hooks_.wanted()) {
        return;
    }
    const std::string text = report() + write_window(read);
    if (hooks_.on_difference) {
        hooks_.on_difference(text);
    }
}

std::string LockstepBank::report() const {
    std::ostringstream out;
    out << "counters differ in cycle " << difference_->cycle << ", pc 0x" << std::hex
        << difference_->pc << ": " << difference_->signal << " is 0x" << difference_->model
        << " in the model and 0x" << difference_->rtl << " in the RTL\n";
    const std::vector<RtlRecorder::PastCycle> last = recorder_.last_pulses();
    out << "the last " << std::dec << std::ranges::count_if(last, RtlRecorder::has_pulses)
        << " cycles with pulses:\n";
    for (const RtlRecorder::PastCycle& past : last) {
        print(out, *config_.profile, past.inputs, past.cycle);
    }
    return out.str();
}

/// Leaves the whole file or none. Without it there is still the report, so that a full disk is one
/// sentence more and nothing else.
std::string LockstepBank::write_window(std::optional<std::uint16_t> read) const {
    if (hooks_.vcd.empty()) {
        return {};
    }
    try {
        OutputFile file(hooks_.vcd);
        const std::unique_ptr<RtlModel> fresh = make_rtl_();
        recorder_.replay(
            *fresh, [&file](std::string_view text) { file.write(text); }, read);
        file.commit();
    } catch (const UserError& error) {
        return "no waveform of the RTL before it: " + std::string(error.what()) + '\n';
    }
    return "the RTL before it: " + hooks_.vcd + '\n';
}

} // namespace pes

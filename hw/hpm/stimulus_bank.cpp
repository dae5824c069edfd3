// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/stimulus_bank.h"

#include "hw/hpm/bank_registers.h"
#include "hw/hpm/invariant.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pes {

StimulusBank::StimulusBank(const CounterConfig& config, std::unique_ptr<HpmBank> counting,
                           StimulusWriter::Sink sink)
    : HpmBank(config), bank_(std::move(counting)), pins_(config), file_(std::move(sink)),
      registers_(bank_registers(config)) {
    std::ranges::copy_if(registers_, std::back_inserter(existing_),
                         [this](std::uint16_t csr) { return exists(csr); });
}

bool StimulusBank::exists(std::uint16_t csr) const {
    if (config_.profile->registers != RegisterSet::Hpm) {
        return true;
    }
    return decode_counter_csr(csr).index < kFirstProgrammable + config_.programmable;
}

/// Not before the hart has asked for its registers.
void StimulusBank::begin() const {
    if (!begun_) {
        begun_ = true;
        file_.begin(config_, registers_);
    }
}

bool StimulusBank::connect_samples(SampleHost& host) {
    if (!bank_->connect_samples(host)) {
        return false;
    }
    pins_.connect(host);
    for (std::vector<std::uint16_t>* list : {&registers_, &existing_}) {
        list->insert(list->end(), std::begin(kSampleCsrs), std::end(kSampleCsrs));
    }
    return true;
}

void StimulusBank::name_cause(const SampleCause& cause) {
    bank_->name_cause(cause);
    pins_.name_cause(cause);
}

std::uint64_t StimulusBank::read(std::uint16_t csr) const {
    begin();
    const std::uint64_t value = bank_->read(csr);
    file_.software_reads(csr, value);
    return value;
}

void StimulusBank::write(std::uint16_t csr, std::uint64_t value) {
    bank_->write(csr, value);
    write_pending_ = true;
    pins_.access(csr, true);
    pins_.set_write_data(value);
}

void StimulusBank::set_privilege(Privilege mode, Cycle from) {
    bank_->set_privilege(mode, from);
    pins_.announce(mode, from);
}

void StimulusBank::tick(const CyclePulses& pulses, Cycle cycle) {
    begin();
    if (!std::exchange(write_pending_, false)) {
        pins_.access(pins_.inputs().csr, false);
    }
    pins_.drive(pulses, cycle); // before the bank asks for a cause, or tells of an overflow
    file_.cycle(pins_.inputs());
    bank_->tick(pulses, cycle);
    const auto level = [this](BankLine line) { return bank_->interrupt(line).level; };
    file_.lines(
        {level(BankLine::Threshold), level(BankLine::BufferFull), level(BankLine::Overflow)});
    if (cycle % kInterval == 0) {
        must_hold(existing_);
    }
}

void StimulusBank::advance(const EventTotals&, Cycle cycle) {
    require(cycle == now(), "recorded counter bank: it takes single cycles only", cycle);
}

void StimulusBank::must_hold(const std::vector<std::uint16_t>& registers) const {
    for (const std::uint16_t csr : registers) {
        file_.must_hold(csr, bank_->peek(csr));
    }
}

void StimulusBank::finish() {
    begin();
    must_hold(registers_);
    file_.end();
    bank_->finish();
}

HartObserver* StimulusBank::observer() {
    return &fork_.emplace(pins_.observer(), bank_->observer());
}

} // namespace pes

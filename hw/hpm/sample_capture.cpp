// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/sample_capture.h"

#include <bit>

namespace pes {

void SampleCapture::before(const CounterBank& bank, const CyclePulses& pulses) {
    if (pulses.retired < 2 || config_->profile->registers != RegisterSet::Hpm) {
        return; // no choice to make, or no thresholds
    }
    for (unsigned place = 0; place < config_->programmable; ++place) {
        const unsigned index = kFirstProgrammable + place;
        selectors_[index] = bank.peek(event_csr(index)) & config_->profile->selector_mask;
    }
}

void SampleCapture::after(const ModelBank& bank, const RtlModel::Inputs& inputs) {
    if (next_) {
        sample_ = *next_;
        next_.reset();
    }
    if (inputs.retired != 0) {
        youngest_pc_ = inputs.retire_pc[inputs.retired - 1];
        privilege_ = static_cast<std::uint8_t>(inputs.privilege);
    }
    const bool line = bank.interrupt(BankLine::Threshold).level;
    if (line && !line_) {
        next_ = CapturedSample{.reached = bank.reached(),
                               .cycle = bank.peek(csr::kMcycle),
                               .pc = takes_older(bank, inputs) ? inputs.retire_pc[0] : youngest_pc_,
                               .privilege = privilege_};
    }
    line_ = line;
}

/// Of two instructions, by the counter with the lowest index.
bool SampleCapture::takes_older(const ModelBank& bank, const RtlModel::Inputs& inputs) const {
    if (inputs.retired < 2) {
        return false;
    }
    const auto index = static_cast<unsigned>(std::countr_zero(bank.reached()));
    if (index == kCycleIndex) {
        return false;
    }
    const std::uint64_t sources =
        index == kInstretIndex
            ? source_bit(Event::Instructions)
            : sources_of(*config_->profile, selectors_[index], config_->sscofpmf);
    if ((sources & source_bit(Event::Instructions)) != 0) {
        // Both count: one short of the threshold after the older, or reached by it.
        return bank.peek(counter_csr(index)) != bank.peek(threshold_csr(index));
    }
    return (sources & inputs.retire_events[0]) != 0;
}

} // namespace pes

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

void SampleCapture::after(const ModelBank& bank, const RetiredPair& retired) {
    passed(retired);
    const bool line = bank.interrupt(BankLine::Threshold).level;
    const bool rises = line && !line_;
    line_ = line;
    if (rises) {
        next_ =
            CapturedSample{.reached = bank.reached(),
                           .cycle = bank.peek(csr::kMcycle),
                           .pc = takes_older(bank, retired) ? retired.ports[0].pc : youngest_.pc,
                           .privilege = static_cast<std::uint8_t>(youngest_.privilege)};
    }
}

void SampleCapture::passed(const RetiredPair& retired) {
    if (next_) {
        sample_ = *next_;
        next_.reset();
    }
    if (retired.count != 0) {
        youngest_ = retired.youngest();
    }
}

/// Of two instructions, by the counter with the lowest index.
bool SampleCapture::takes_older(const ModelBank& bank, const RetiredPair& retired) const {
    if (retired.count < 2) {
        return false;
    }
    const auto index = static_cast<unsigned>(std::countr_zero(bank.reached()));
    if (index == kCycleIndex) {
        return false;
    }
    const EventMask sources =
        index == kInstretIndex
            ? event_bit(Event::Instructions)
            : sources_of(*config_->profile, selectors_[index], config_->sscofpmf);
    if (sources.has(Event::Instructions)) {
        // Both count: one short of the threshold after the older, or reached by it.
        return bank.peek(counter_csr(index)) != bank.peek(threshold_csr(index));
    }
    return (sources & retired.ports[0].events).any();
}

void SampleTap::after(const ModelBank& bank, const CyclePulses& pulses) {
    retired_ += pulses.retired;
    capture_.after(bank, ports_.deliver(pulses.retired, pulses.events));
    show();
    if (capture_.changes()) {
        // The line is high in now() + 1, the capture holds the sample one cycle later.
        shown_from_ = bank.now() + 2;
    }
}

void SampleTap::advanced(std::uint64_t retired) {
    capture_.passed(ports_.pass(retired - retired_));
    retired_ = retired;
    show();
}

void SampleTap::show() {
    if (shown_from_ != kNever) {
        wave_.show(capture_.sample(), shown_from_);
        shown_from_ = kNever;
    }
}

} // namespace pes

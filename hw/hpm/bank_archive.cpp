// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of the modelled counter banks.
#include "hw/common/archive.h"
#include "hw/hpm/pcer_bank.h"
#include "hw/hpm/tlm_bank.h"

namespace pes {

void PrivilegeTrack::state(Archive& archive) {
    const auto mode_state = [&archive](Privilege& mode) {
        archive.one_of(mode, Privilege::Machine);
    };
    mode_state(present_);
    for (Change& change : changes_) {
        mode_state(change.mode);
        archive(change.from);
    }
    archive(first_, end_);
}

void TlmBankState::state(Archive& archive) {
    archive(now_, quiet_until_, totals_);
    for (Counter& counter : counters_) {
        archive(counter.base, counter.total_at_base, counter.threshold, counter.selector,
                counter.limit, counter.sources);
        archive.below(counter.source, kTotalCount);
        archive.below(counter.selected, kTotalCount);
    }
    archive(implemented_, armed_, inhibit_, overflowed_, requesting_, filtered_, unions_,
            privilege_, debug_, told_);
    archive(buffer_base_, buffer_size_, buffer_offset_, buffer_control_);
    bool pending = pending_.has_value();
    archive(pending);
    if (!pending) {
        pending_.reset();
        return;
    }
    if (!pending_) {
        pending_.emplace();
    }
    archive.one_of(pending_->target.kind, CounterRegister::Sample);
    archive.below(pending_->target.index, kCounterLimit);
    archive(pending_->value);
}

/// A write and what it replaces last for the call that counts it.
void TlmCounterBank::state(Archive& archive) {
    if (samples_ || wave_ || tap_) {
        archive.refuse("counters with precise sampling or a waveform cannot be saved");
    }
    TlmBankState::state(archive);
    archive(lines_);
}

void PcerBank::state(Archive& archive) {
    if (wave_) {
        archive.refuse("counters with a waveform cannot be saved");
    }
    archive(now_, totals_, mode_, enabled_, live_, debug_);
    for (Counter& counter : counters_) {
        archive(counter.base, counter.total_at_base);
        archive.below(counter.source, kSourceCount);
    }
    bool pending = pending_.has_value();
    archive(pending);
    if (!pending) {
        pending_.reset();
        return;
    }
    if (!pending_) {
        pending_.emplace();
    }
    archive.one_of(pending_->target.kind, PcerRegister::All);
    archive.below(pending_->target.index, kPcerCounters);
    archive(pending_->value);
}

} // namespace pes

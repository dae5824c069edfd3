// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of the modelled counter banks.
#include "hw/common/archive.h"
#include "hw/hpm/pcer_bank.h"
#include "hw/hpm/tlm_bank.h"

namespace pes {

namespace {

/// `list` lists the members of a value that is there.
template <typename Value, typename List>
void optional_state(Archive& archive, std::optional<Value>& value, List list) {
    bool present = value.has_value();
    archive(present);
    if (!present) {
        value.reset();
        return;
    }
    if (!value) {
        value.emplace();
    }
    list(*value);
}

} // namespace

void SampleRegisters::state(Archive& archive) {
    archive(values_, named_, asked_);
}

void BankWave::state(Archive& archive) {
    for (Register& entry : registers_) {
        archive(entry.published);
    }
    for (Line& entry : lines_) {
        archive(entry.published);
    }
}

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
    optional_state(archive, pending_, [&archive](PendingWrite& write) {
        archive.one_of(write.target.kind, CounterRegister::Sample);
        archive.below(write.target.index, kCounterLimit);
        archive(write.value);
    });
}

/// A write and what it replaces last for the call that counts it.
void TlmCounterBank::state(Archive& archive) {
    TlmBankState::state(archive);
    archive(lines_);
    if (samples_) {
        archive(*samples_);
    }
    if (wave_) {
        archive(*wave_);
    }
    if (tap_) {
        archive(*tap_);
    }
}

void PcerBank::state(Archive& archive) {
    archive(now_, totals_, mode_, enabled_, live_, debug_);
    for (Counter& counter : counters_) {
        archive(counter.base, counter.total_at_base);
        archive.below(counter.source, kSourceCount);
    }
    optional_state(archive, pending_, [&archive](PendingWrite& write) {
        archive.one_of(write.target.kind, PcerRegister::All);
        archive.below(write.target.index, kPcerCounters);
        archive(write.value);
    });
    if (wave_) {
        archive(*wave_);
    }
}

} // namespace pes

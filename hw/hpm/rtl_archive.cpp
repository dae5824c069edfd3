// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of counters in RTL: the model's own saved state, the pins, and what the
// next cycle brings to them. Of lockstep also the cycles that a report would show.
#include "hw/common/archive.h"
#include "hw/hpm/lockstep_bank.h"
#include "hw/hpm/rtl_bank.h"

namespace pes {

namespace {

constexpr unsigned kPorts = 2;

/// A model does not take what another one has saved.
void require_fit(Archive& archive, RtlModel& model, const std::string& state) {
    if (!model.fits(state)) {
        archive.refuse("the counters in RTL are other ones than those that were saved");
    }
}

void model_state(Archive& archive, RtlModel& model) {
    if (!model.can_save()) {
        archive.refuse("counters in RTL that were built with options under which Verilator cannot "
                       "save their state (--coverage) cannot be saved");
    }
    std::string state;
    if (archive.saves()) {
        model.save(state);
    }
    archive(state);
    if (!archive.saves()) {
        require_fit(archive, model, state);
        model.restore(state);
    }
}

} // namespace

// --- Pins ----------------------------------------------------------------------------------------

void RtlModel::Inputs::state(Archive& archive) {
    archive(pulses, retire_pc, retire_events, write_data, csr, write, debug);
    for (unsigned port = 0; port < kPorts; ++port) {
        archive.one_of(retire_class[port], RetireClass::FpSquareRoot);
        archive.below(retire_register[port], 1U << kRetireRegisterBits);
    }
    archive.below(retired, kPorts + 1);
    archive.one_of(privilege, Privilege::Machine);
    archive(overflow_pending, sampled_counters, overflow_cause, threshold_cause);
}

void RtlModel::Question::state(Archive& archive) {
    archive(asked, counted, younger, counter, selector);
}

void RtlModel::Outputs::state(Archive& archive) {
    archive(read_data, sample_cycle, sample_pc, reached, sample_reached, hit, threshold_irq,
            buffer_full_irq, overflow_irq, sample_privilege, overflowed, overflow, threshold);
}

void RetiredPair::Port::state(Archive& archive) {
    archive(pc, events);
    archive.one_of(privilege, Privilege::Machine);
    archive.one_of(kind, RetireClass::FpSquareRoot);
    archive.below(written, 1U << kRetireRegisterBits);
}

void RetirementPorts::state(Archive& archive) {
    archive(arrived_, delivered_);
    if (arrived_ - delivered_ > kWaiting) {
        archive.refuse("more retirements wait than there is room for");
    }
    for (std::uint64_t number = delivered_; number != arrived_; ++number) {
        archive(waiting_[number % kWaiting]);
    }
}

void RtlWave::state(Archive& archive) {
    for (auto& [code, parts] : parts_) {
        for (Part& part : parts) {
            archive(part.published);
        }
    }
}

// --- RTL -----------------------------------------------------------------------------------------

void RtlCounterBank::state(Archive& archive) {
    model_state(archive, *model_);
    archive(now_, pins_, outputs_, write_pending_, read_pending_, watched_, lines_,
            selector_before_, no_overflow_before_);
    if (wave_) {
        archive(*wave_);
    }
    if (sample_wave_) {
        archive(*sample_wave_);
    }
    if (rtl_wave_) {
        archive(*rtl_wave_);
    }
}

// --- Lockstep ------------------------------------------------------------------------------------

void RtlRecorder::Checkpoint::state(Archive& archive) {
    archive(state_bytes, next);
}

void RtlRecorder::PastCycle::state(Archive& archive) {
    archive(cycle, inputs);
}

void RtlRecorder::state(Archive& archive) {
    archive(before_, present_, earlier_, inputs_);
    archive.below(present_begin_, inputs_.size() + 1);
    require_fit(archive, *model_, before_.state_bytes);
    require_fit(archive, *model_, present_.state_bytes);
}

void SampleCapture::state(Archive& archive) {
    archive(sample_, next_, selectors_, youngest_, line_);
}

void SampleTap::state(Archive& archive) {
    archive(capture_, ports_, wave_, retired_, shown_from_);
}

void LockstepBank::state(Archive& archive) {
    if (difference_) {
        archive.refuse("counters that differ from their RTL cannot be saved");
    }
    archive.section("model", [this](Archive& part) { part(*model_); });
    archive.section("rtl", [this](Archive& part) { part(rtl_); });
    archive.section("recorder", [this](Archive& part) { part(recorder_); });
    archive.below(looked_at_, registers_.size());
    archive(equal_in_, coverage_, sample_);
}

} // namespace pes

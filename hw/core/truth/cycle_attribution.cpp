// SPDX-License-Identifier: Apache-2.0
#include "hw/core/truth/cycle_attribution.h"

namespace pes {

void CycleAttribution::note_begin(Address pc) {
    if (told_ != nullptr) {
        told_->begin(pc);
    }
    waits_.clear();
    registers_ = {};
}

void CycleAttribution::note_fetch(Cycle offered, Cycle decode) {
    if (told_ != nullptr) {
        told_->decoded(decode);
    }
    waits_.fetched(offered, decode);
}

void CycleAttribution::note_issue(const Issue& at) {
    waits_.until(CycleReason::Dependency, at.operands + Waits::kBehindIssue);
    waits_.until(CycleReason::Unit, at.entry + Waits::kBehindIssue);
    waits_.until(CycleReason::Dependency, at.ready + Waits::kBehindIssue);
    waits_.until(CycleReason::Unit, at.issue + Waits::kBehindIssue);
}

void CycleAttribution::note_retirement(Cycle before, Cycle ready, Cycle retired) {
    waits_.until(CycleReason::Unit, ready);
    if (told_ != nullptr) {
        told_->hold_through(before, CycleReason::Unit);
        told_->retire(retired, waits_);
    }
}

} // namespace pes

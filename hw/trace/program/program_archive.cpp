// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of an instruction trace: what readers of its messages know so far, and what
// has been collected for the next one.
#include "hw/common/archive.h"
#include "hw/trace/program/program_tracer.h"
#include "hw/trace/program/settings_archive.h"

namespace pes::trace {

void TracerOutput::state(Archive& archive) {
    archive(reference_, since_sync_, last_);
}

void EventTracer::state(Archive& archive) {
    settings_state(archive, settings_);
    archive.one_of(state_, State::Running);
    archive.one_of(code_, ControlCode::EnterReset);
    archive.one_of(privilege_, Privilege::Machine);
    archive(told_, from_, sync_, next_pc_, units_);
}

void FlowTracer::state(Archive& archive) {
    settings_state(archive, settings_);
    configure(settings_); // what follows from them
    archive.one_of(state_, State::Running);
    archive.one_of(reason_, SyncReason::PcSample);
    archive.one_of(privilege_, Privilege::Machine);
    archive.one_of(run_direction_, Direction::Taken);
    archive(from_, next_pc_, units_, history_, run_, units_since_sync_, synced_at_, calls_,
            most_units_);
    archive.one_of(branch_.type, BranchType::Interrupt);
    archive(branch_.known, branch_.direct, branch_.units, branch_.target, branch_.repeats,
            full_history_, history_repeats_);
}

void ProgramTracer::state(Archive& archive) {
    archive.one_of(kind_, Kind::Filtered);
    archive.one_of(behind_, Kind::Filtered);
    archive.one_of(reason_, SyncReason::PcSample);
    archive(filters_, wanted_, passing_, from_);
    archive(output_, flow_, events_);
    if (packets_) {
        archive(*packets_);
    }
}

} // namespace pes::trace

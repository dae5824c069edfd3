// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of a trace in packets: what has been told, and what waits for the next
// instruction.
#include "hw/common/archive.h"
#include "hw/trace/program/etrace/packet_tracer.h"
#include "hw/trace/program/settings_archive.h"

#include <algorithm>

namespace pes::trace::etrace {

void PacketTracer::Item::state(Archive& archive) {
    archive(trap, notify, pc, next_pc, cause, tval, cycle);
    archive.one_of(privilege, Privilege::Machine);
    archive.one_of(flow.kind, FlowKind::TrapReturn);
    archive.one_of(flow.link, LinkUse::ReturnAndCall);
    bool links = flow.links;
    bool constant = flow.constant;
    archive(flow.length, flow.offset, links, constant);
    flow.links = links;
    flow.constant = constant;
}

void Passed::Stretch::state(Archive& archive) {
    archive(first, last);
}

void Passed::state(Archive& archive) {
    archive(stretches_, begin_);
    archive.below(count_, kStretches + 1);
}

void PacketTracer::state(Archive& archive) {
    settings_state(archive, settings_);
    archive.one_of(state_, State::Running);
    archive.one_of(before_, Before::ReportedTrap);
    archive.one_of(privilege_, Privilege::Machine);
    archive(lost_, quiet_, from_, held_, trap_, address_, branch_map_, calls_, unresolved_, told_,
            passed_, branch_pc_, notify_, wanted_, resync_, unsupported_, packets_, units_,
            unit_limit_, jumped_, predictor_, targets_);
    // More than a map holds can only be ones that went as predicted.
    archive.below(predicted_, std::uint64_t{kMostCount} + kCountBase + 1);
    archive.below(branches_, std::max<std::uint64_t>(predicted_, kMostBranches) + 1);
}

} // namespace pes::trace::etrace

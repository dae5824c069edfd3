// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/pipeline_log.h"

namespace pes {
namespace {

/// A stage that the instruction has left in the cycle in which it came is not shown.
void enter(std::vector<PipelineStage>& stages, Cycle from, const char* name) {
    while (!stages.empty() && stages.back().from >= from) {
        stages.pop_back();
    }
    stages.push_back({.from = from, .name = name});
}

} // namespace

/// Konata draws arrows from and to stages with an X in their names.
std::vector<PipelineStage> stages_of(const LoggedInstruction& instruction) {
    std::vector<PipelineStage> stages{{.from = instruction.fetched, .name = "F"}};
    enter(stages, instruction.offered, "Q");
    enter(stages, instruction.decode, "Dc");
    if (instruction.decode + 1 <= instruction.last) {
        enter(stages, instruction.decode + 1, "Is");
    }
    if (instruction.issue < instruction.last) {
        enter(stages, instruction.issue + 1, "X");
    }
    if (instruction.request && *instruction.request > instruction.issue) {
        enter(stages, *instruction.request, "Xm");
    }
    if (instruction.complete && *instruction.complete < instruction.last) {
        enter(stages, *instruction.complete, "Wt");
    }
    if (instruction.how == LoggedInstruction::End::Retired) {
        enter(stages, instruction.last, "Cm");
    }
    return stages;
}

} // namespace pes

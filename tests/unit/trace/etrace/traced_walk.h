// SPDX-License-Identifier: Apache-2.0
// A random walk whose mode changes only where a hart's does.
#pragma once

#include "hw/interface/riscv/instruction_class.h"
#include "tests/unit/trace/random_program.h"

namespace pes::trace::test {

/// With a trap, and with a return from one.
inline std::vector<Step> walk_in_modes(RandomProgram& program, std::size_t count) {
    std::vector<Step> steps = program.walk(count);
    const auto mode_of = [](Step& step) -> Privilege& {
        return step.trap ? step.taken.from : step.retirement.privilege;
    };
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const Step& before = steps[i - 1];
        if (before.trap) {
            mode_of(steps[i]) = before.taken.to;
        } else if (classify_flow(before.retirement.raw).kind != FlowKind::TrapReturn) {
            mode_of(steps[i]) = before.retirement.privilege;
        }
    }
    return steps;
}

} // namespace pes::trace::test

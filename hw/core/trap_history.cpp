// SPDX-License-Identifier: Apache-2.0
#include "hw/core/trap_history.h"

#include "hw/core/arch/causes.h"

#include <algorithm>

namespace pes {

void TrapHistory::trapped(const TrapTaken& trap, const Situation& hart) {
    const bool exception = (trap.cause & kInterruptBit) == 0;
    loops_ = exception && retired_at_trap_ == hart.retired && trap.epc == last_vector_ &&
             trap.vector == last_vector_ && trap.from == trap.to;
    interruptible_ = hart.interruptible;
    ++traps_;
    retired_at_trap_ = hart.retired;
    last_vector_ = trap.vector;
    if (loops_) {
        handler_cause_ = trap.cause; // the trap that led here is the one to report
    } else {
        last_ = trap;
    }
}

TrapReport TrapHistory::report() const {
    TrapReport report{.cause = last_.cause,
                      .pc = last_.epc,
                      .tval = last_.tval,
                      .privilege = last_.from,
                      .handler = last_.vector,
                      .handler_cause = handler_cause_,
                      .last_instructions = {}};
    std::vector<Address>& last = report.last_instructions;
    const std::uint64_t count = std::min<std::uint64_t>(total_, kPassages);
    for (std::uint64_t index = total_ - count; index < total_; ++index) {
        const Passage& passage = passages_[index % kPassages];
        Address pc = passage.pc;
        for (unsigned instruction = 0; instruction < passage.count; ++instruction) {
            last.push_back(pc);
            pc += (passage.long_instructions >> instruction & 1) != 0 ? 4 : 2;
        }
    }
    if (last.size() > kPassages) {
        last.erase(last.begin(), last.end() - kPassages);
    }
    return report;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What the attribution of cycles, the watch of decoded instructions and the sink of passages are
// told.
#include "hw/core/timing/pipeline.h"

#include <algorithm>

namespace pes {

void Pipeline::note_issue(const Instruction& instruction, Cycle operands) {
    report_decode(instruction);
    attribution_.issued({.operands = operands,
                         .entry = scoreboard_.entry_free(),
                         .ready = ready_,
                         .issue = issue_});
    if (attribution_.passages() != nullptr) [[unlikely]] {
        PassageRegisters& registers = attribution_.registers() = PassageRegisters::of(instruction);
        if (operands > decode_ + 1) {
            registers.awaited = scoreboard_.last_operand(instruction);
        }
    }
}

void Pipeline::note_retirement(Cycle before, Cycle ready, Cycle retired) {
    attribution_.retired(before, ready, retired);
    follow_to_end(before, ready, retired);
    report_passage(ready, retired);
}

void Pipeline::report_passage(Cycle ready, Cycle ended) {
    PassageSink* const sink = attribution_.passages();
    if (sink == nullptr) [[likely]] {
        return;
    }
    const Waits& waits = attribution_.waits();
    const Cycle fetch = config_.lookup_cycles + config_.queue_cycles + waits.delay_of_fetch();
    sink->passed({.requested = waits.offered() - std::min(waits.offered(), fetch),
                  .offered = waits.offered(),
                  .decode = decode_,
                  .issue = issue_,
                  .request = request_,
                  .ready = ready,
                  .ended = ended,
                  .waits = waits.list(),
                  .registers = attribution_.registers()});
}

void Pipeline::report_decode(const Instruction& instruction) {
    if (watch_ != nullptr) {
        pc_ = next_pc_ - instruction.length;
        watch_->decoded(instruction, pc_, decode_, attribution_.waits(), code_);
    }
}

/// An access is issued when its translated address goes out.
void Pipeline::follow_to_end(Cycle before, Cycle ready, Cycle ended) {
    if (watch_ != nullptr && watch_->follows()) {
        watch_->timed(request_.value_or(issue_), ready, before, ended);
    }
}

void Pipeline::report_discarded(const Instruction& instruction, Stages at, Cycle offered,
                                Cycle flush) {
    PassageSink* const sink = attribution_.passages();
    if (sink != nullptr) [[unlikely]] {
        const Cycle fetch = config_.lookup_cycles + config_.queue_cycles;
        sink->discarded({.pc = at.pc,
                         .raw = instruction.raw,
                         .length = instruction.length,
                         .requested = offered - std::min(offered, fetch),
                         .offered = offered,
                         .decode = at.decode,
                         .issue = at.issue,
                         .flush = flush,
                         .registers = PassageRegisters::of(instruction)});
    }
}

} // namespace pes

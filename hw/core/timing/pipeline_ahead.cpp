// SPDX-License-Identifier: Apache-2.0
// The frontend runs ahead of a load that misses L1D: which lines of code it requests meanwhile.
#include "hw/core/timing/pipeline.h"

#include <algorithm>

namespace pes {

namespace {

/// For what waits for the load to retire. Cycles behind it can still be counted.
constexpr Cycle kBehindLoad = kNever / 2;

} // namespace

/// Their own results and the units they occupy are ignored.
Cycle Pipeline::issue_ahead(const Instruction& instruction, Cycle seen, std::size_t ahead) const {
    Cycle earliest = std::max({seen, scoreboard_.operands_ready(instruction),
                               std::min(scoreboard_.entry_free(ahead), kBehindLoad)});
    if (write_after_write_) {
        earliest = std::max(earliest, scoreboard_.writer_retires(instruction));
    }
    return unit_free(timing_of(instruction.timing).unit, earliest);
}

/// The current access asks memory in `asked`; lines of code that the frontend, which runs ahead,
/// has asked for before that are served first. Follows the predicted path as far as the queue has
/// room. [wt_axi_adapter.sv]
void Pipeline::data_asked(Cycle asked) {
    const Frontend::Page page = frontend_.page();
    follow_ahead(*in_hand_, asked);
    frontend_.turn_to(page);
}

std::optional<CodeAhead::FetchWalk> Pipeline::walk_before(Cycle start) {
    const Frontend::Page page = frontend_.page();
    const Stop stop = follow_ahead(*in_hand_, start);
    const bool known = frontend_.knows_physical(stop.pc);
    frontend_.turn_to(page);
    if (known || stop.lookup >= start) {
        return std::nullopt;
    }
    const PageWalk* const walk = code_.walk_code(stop.pc & ~Address{0xFFF});
    if (walk == nullptr) {
        return std::nullopt;
    }
    tables_.spoil_tape(); // the walk is no question
    return FetchWalk{.walk = *walk, .lookup = stop.lookup};
}

/// Returns where it stops.
Pipeline::Stop Pipeline::follow_ahead(const Instruction& load, Cycle asked) {
    const auto waits = [&load](const Instruction& other) {
        return load.rd != kSinkRegister &&
               (other.rs1 == load.rd || other.rs2 == load.rd || other.rs3 == load.rd);
    };
    FetchQueue ahead = frontend_.queue();
    Frontend::BeforeData data = frontend_.before_data(asked);
    Cycle decode = decode_;
    Cycle issue = issue_;
    Address pc = next_pc_;
    for (std::size_t count = 1;; ++count) {
        const Instruction* const instruction = read_code(pc);
        if (instruction == nullptr || !frontend_.go_ahead(ahead, pc, instruction->length, data)) {
            return {.pc = pc, .lookup = ahead.request() + 1};
        }
        Cycle offered = ahead.push(FetchQueue::words_of(pc, instruction->length).two());
        pc += instruction->length;
        if (is_control_flow(instruction->timing)) {
            const auto next =
                predicted_ahead(ControlFlow::of(*instruction, pc - instruction->length));
            if (!next) {
                return {.pc = pc, .lookup = kNever};
            }
            if (*next != pc) {
                offered = ahead.place_target();
                ahead.queue_target();
                ahead.jump(ahead.scan);
                pc = *next;
            }
        }
        decode = std::max({offered, decode + 1, issue});
        ahead.pop(decode);
        issue =
            std::max(issue_ahead(*instruction, decode + 1, count), waits(*instruction) ? asked : 0);
    }
}

/// The prediction for a branch in the current scan cycle, if there is one.
bool Pipeline::predicted_taken(const ControlFlow& flow) {
    const auto cold = flow.offset < 0 ? BranchDirection::Taken : BranchDirection::NotTaken;
    return predictor_.predict_branch(flow.pc, cold, flow.predicted_in(frontend_.scan())) ==
           BranchDirection::Taken;
}

/// The frontend's prediction, if it is known before the frontend gets there.
std::optional<Address> Pipeline::predicted_ahead(const ControlFlow& flow) {
    switch (flow.kind) {
    case ControlFlow::Kind::Branch:
        return predicted_taken(flow) ? flow.target() : flow.next();
    case ControlFlow::Kind::Jump:
        return flow.target();
    case ControlFlow::Kind::Indirect:
        return predictor_.predict_jump(flow.pc, flow.predicted_in(frontend_.scan()))
            .value_or(flow.next());
    default:
        return std::nullopt;
    }
}

} // namespace pes

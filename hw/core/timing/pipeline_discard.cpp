// SPDX-License-Identifier: Apache-2.0
// What is fetched behind an instruction that throws it away: a mispredicted branch when it
// resolves, everything else when it retires.
#include "hw/core/timing/pipeline.h"

#include <algorithm>

namespace pes {

/// Null also if the page is another one, whose translation is not known here.
const Instruction* Pipeline::read_code(Address pc) {
    if (!frontend_.knows_physical(pc)) {
        return nullptr;
    }
    const Address physical = frontend_.physical(pc);
    const Instruction* const instruction = code_.instruction_at(physical);
    tables_.code_at(physical, instruction);
    return instruction;
}

/// They are seen in the events of the queue and of the issue stage, and in L1I and the
/// return-address stack. Returns what the one that is left in front of issue waits for.
DiscardedInstructions::Operand Pipeline::discard(Address pc, Cycle flush) {
    DiscardedInstructions behind(scoreboard_, is_atomic(class_));
    DiscardedInstructions::Operand waited_for{};
    const auto unit_free = unit_free_;
    Cycle decode = decode_;
    Cycle issue = issue_;
    for (;;) {
        const Instruction* const instruction = read_code(pc);
        Cycle offered = kNever;
        ControlFlow flow;
        std::optional<Address> target;
        if (instruction != nullptr) {
            offered = frontend_.fetch_discarded(pc, instruction->length, flush);
        }
        if (offered != kNever && is_control_flow(instruction->timing)) {
            flow = ControlFlow::of(*instruction, pc);
            target = predict(flow, frontend_.scan());
            if (queues_target(flow, target)) {
                offered = frontend_.place_target();
            }
            offered = frontend_.scan() <= flush ? offered : kNever;
        }
        pulses_.level(Event::FetchEmpty, std::max(decode + 1, queue_kept_),
                      std::min(offered, flush + 1));
        if (offered == kNever) {
            break;
        }
        const Cycle decoded = std::max({offered, decode + 1, issue});
        decode = std::min(decoded, flush);
        frontend_.pop(decode);
        if (decoded <= flush) {
            waited_for = behind.last_operand(*instruction);
            issue = issue_discarded(behind, *instruction, decode + 1, flush);
        }
        pc = flow.kind == ControlFlow::Kind::None ? pc + instruction->length
                                                  : fetched_behind(flow, target);
    }
    unit_free_ = unit_free;
    return waited_for;
}

/// Returns when it issues, if that is before `flush`.
Cycle Pipeline::issue_discarded(DiscardedInstructions& behind, const Instruction& instruction,
                                Cycle seen, Cycle flush) {
    const auto operand = behind.last_operand(instruction);
    if (const Cycle to = std::min(operand.ready, flush + 1); seen < to) {
        pulses_.level(Event::PipelineStall, seen, to);
        if (further_.any()) [[unlikely]] {
            name_stall(instruction, seen, to, operand.writer,
                       behind.operand(instruction.rs1).ready);
        }
    }
    Cycle earliest = std::max({seen, operand.ready, behind.entry_free()});
    if (write_after_write_) {
        earliest = std::max(earliest, behind.writer_retires(instruction));
    }
    if (earliest >= flush) {
        return earliest;
    }
    const ClassTiming& timing = timing_of(instruction.timing);
    Cycle issue = unit_free(timing, earliest);
    if (timing.unit == ClassTiming::Unit::LoadStore && issue >= behind.unit_held_from()) {
        issue = kNever;
    }
    if (issue < flush) {
        behind.issue(instruction, discarded_result(behind, instruction, issue, flush));
        pulses_.level(Event::ScoreboardFull, issue + 1, std::min(behind.entry_free(), flush + 1));
    }
    return issue;
}

/// Loads are taken to hit, and what an iterative unit is given to take until the flush; the stores
/// before a load are not looked at. CSR instructions have no result before they retire.
Cycle Pipeline::discarded_result(DiscardedInstructions& behind, const Instruction& instruction,
                                 Cycle issue, Cycle flush) {
    using Unit = ClassTiming::Unit;
    const ClassTiming& timing = timing_of(instruction.timing);
    switch (timing.unit) {
    case Unit::Multiply:
        free_from(Unit::FixedLatency) = std::max(free_from(Unit::FixedLatency), issue + 2);
        if (instruction.timing == TimingClass::Divide) {
            block_fixed_latency(kNever);
            return kNever;
        }
        return issue + timing.result;
    case Unit::FpuIterative:
        free_from(Unit::FpuIterative) = kNever;
        return kNever;
    case Unit::LoadStore:
        if (!behind.enters_unit(instruction, issue)) {
            return kNever;
        }
        if (instruction.timing == TimingClass::Load) {
            const Cycle request = load_store_.request_discarded(issue + 1, flush);
            return request + config_.load_hit_cycles;
        }
        return issue + 2;
    case Unit::FixedLatency:
        if (timing.port == RetirePort::Alone) {
            block_fixed_latency(kNever);
            return kNever;
        }
        return issue + timing.result;
    case Unit::Fpu:
    case Unit::Coprocessor:
        break;
    }
    return issue + timing.result;
}

} // namespace pes

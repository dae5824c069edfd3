// SPDX-License-Identifier: Apache-2.0
// What is fetched behind an instruction that throws it away: a mispredicted branch when it
// resolves, everything else when it retires.
#include "hw/core/timing/pipeline.h"

#include <algorithm>

namespace pes {

namespace {

/// One that has been issued stays in the register in front of issue until the next one is decoded,
/// and if it reads the register that it writes, it is seen to wait for itself.
struct LeftInFront {
    Cycle from = 0;
    Cycle until = 0;

    void issued(const Instruction& instruction, Cycle issue, const DiscardedInstructions& behind) {
        from = issue + 1;
        until = reads_its_result(instruction) ? behind.operand(instruction.rd).ready : 0;
    }
    void give_way(PulseLog& pulses, Cycle to) {
        to = std::min(to, until);
        if (from < to) {
            pulses.level(Event::PipelineStall, from, to);
        }
        until = 0;
    }
};

} // namespace

/// Null also if the translation of its page would take a walk.
const Instruction* Pipeline::read_code(Address pc) {
    if (!frontend_.knows_physical(pc) && !read_page(pc)) [[unlikely]] {
        return nullptr;
    }
    const Address physical = frontend_.physical(pc);
    const Instruction* const instruction = code_.instruction_at(physical);
    tables_.code_at(physical, instruction);
    return instruction;
}

/// The frontend turns to the page of `pc`. False if its translation is not known.
[[gnu::noinline]] bool Pipeline::read_page(Address pc) {
    const Address page = pc & ~Address{0xFFF};
    const std::optional<CodePage> found = code_.code_page(page);
    tables_.code_page(page, found ? found->version : Tables::kNoPage);
    if (found) {
        frontend_.turn_to({.pc = pc, .to_physical = found->physical - page});
    }
    return found.has_value();
}

/// The frontend goes on at `next` from the page where it was. If it has looked up another one
/// since, and `next` is in the first, it looks that up again, which the TLB's replacement sees.
void Pipeline::turn_back_to(const Frontend::Page& page, Address next) {
    const bool turned = ((frontend_.page().pc ^ page.pc) & ~Address{0xFFF}) != 0;
    frontend_.turn_to(page);
    if (turned && frontend_.knows_physical(next)) [[unlikely]] {
        read_page(next);
    }
}

/// The next word in sequence begins the next page, and is looked up before the jump is known.
void Pipeline::jump_at_end_of_page(Address target, Cycle flush) {
    const Frontend::Page page = frontend_.page();
    const Address next = frontend_.word_behind();
    const PageWalk* const walk = read_page(next) ? nullptr : code_.walk_code(next);
    if (walk == nullptr) {
        frontend_.follow_prediction();
    } else {
        tables_.spoil_tape();
        if (frontend_.follow_prediction_behind(*walk, flush) && walk->fills_tlb) {
            code_.keep_walked();
        }
        frontend_.turn_to({.pc = next});
    }
    turn_back_to(page, target);
}

/// They are seen in the events of the queue and of the issue stage, in L1I and in the predictors.
/// Returns what the one that is left in front of issue waits for.
Pipeline::Operand Pipeline::discard(Address pc, Cycle flush, WalkBehindFlush walk, Address next) {
    const bool atomic_waits = is_atomic(class_) && request_;
    DiscardedInstructions behind(scoreboard_, {code_, tables_, rd_},
                                 atomic_waits ? *request_ : kNever);
    const auto unit_free = unit_free_;
    const FpuDivider divider = divider_;
    const Frontend::Page page = frontend_.page();
    const Stages last{.decode = decode_, .issue = issue_, .pc = pc_};
    const auto waited_for = discard(pc, flush, last, behind, walk);
    turn_back_to(page, next);
    unit_free_ = unit_free;
    divider_ = divider;
    load_store_.flush(flush);
    return waited_for;
}

/// It has not retired yet: when it does depends on the reads behind it that miss before it goes to
/// memory itself, or that it finds under way.
void Pipeline::discard_behind(const Instruction& atomic, AtomicRequest& at) {
    DiscardedInstructions behind(scoreboard_, {code_, tables_, rd_}, *request_);
    // What depends on it goes on as soon as the store unit has it, until it is thrown away, with
    // the second operand that is in front of the unit then: its own, or that of the next
    // instruction. [store_unit.sv]
    behind.issue(atomic, *request_ + 1, behind.known_value(atomic.rs2));
    const auto unit_free = unit_free_;
    const FpuDivider divider = divider_;
    const Frontend::Page page = frontend_.page();
    discard(next_pc_, at.flush(), {.decode = decode_, .issue = issue_, .pc = pc_}, behind,
            WalkBehindFlush::Ends, &at);
    turn_back_to(page, next_pc_);
    unit_free_ = unit_free;
    divider_ = divider;
    load_store_.flush(at.flush());
}

Pipeline::Operand Pipeline::discard(Address pc, Cycle flush, Stages last,
                                    DiscardedInstructions& behind, WalkBehindFlush walk,
                                    AtomicRequest* atomic) {
    Operand waited_for{};
    const Address flusher = last.pc;
    LeftInFront left;
    std::optional<Cycle> sampled; // one of them is, and is issued then
    Instruction refused;
    for (;;) {
        const Instruction* instruction = read_discarded(pc, flush, walk);
        if (instruction != nullptr && refuses(float_use_, *instruction)) [[unlikely]] {
            refused = offered(*instruction);
            instruction = &refused;
        }
        Cycle offered = kNever;
        ControlFlow flow;
        std::optional<Address> target;
        if (instruction != nullptr) {
            offered = frontend_.fetch_discarded(pc, instruction->length, flush, atomic);
            flush = atomic != nullptr ? atomic->flush() : flush;
        }
        if (offered != kNever && scans_as_jump(*instruction)) {
            flow = ControlFlow::of(*instruction, pc);
            offered = place_discarded(*instruction, pc, offered);
            if (frontend_.scan() <= flush) {
                target = predict(flow, frontend_.scan());
            } else {
                offered = kNever;
            }
        }
        pulses_.level(Event::FetchEmpty, std::max(last.decode + 1, queue_kept_),
                      std::min(offered, flush + 1));
        if (offered == kNever) {
            left.give_way(pulses_, flush + 1);
            if (sampled) [[unlikely]] {
                end_discarded(*sampled, flush, walk, flusher);
            }
            return waited_for;
        }
        const Cycle decoded = std::max({offered, last.decode + 1, last.issue});
        last.decode = std::min(decoded, flush);
        left.give_way(pulses_, last.decode + 1);
        frontend_.pop(last.decode);
        last.pc = pc;
        if (decoded <= flush) {
            const bool followed =
                watch_ != nullptr && watch_->decoded_in_vain(*instruction, pc, last.decode);
            if (atomic != nullptr && pc == next_pc_ && last.decode <= issue_) {
                behind.passes_on(behind.second_operand(*instruction));
            }
            waited_for = behind.last_operand(*instruction);
            last.issue = issue_discarded(behind, *instruction, pc, last.decode + 1, flush, atomic);
            flush = atomic != nullptr ? atomic->flush() : flush;
            if (last.issue < flush) {
                left.issued(*instruction, last.issue, behind);
            }
            if (followed) [[unlikely]] {
                sampled = last.issue;
            }
            report_discarded(*instruction, last, offered, flush);
        }
        const Cycle walks_end = walk == WalkBehindFlush::Ends ? flush : kNever;
        pc = flow.kind == ControlFlow::Kind::None ? pc + instruction->length
                                                  : fetched_behind(flow, target, walks_end);
        if (is_control_flow(instruction->timing) && decoded <= flush && last.issue < flush) {
            pc = resolve_discarded(behind, *instruction, flow, target, pc, last);
        }
    }
}

/// Of those thrown away one is sampled, which would issue in `issue`.
void Pipeline::end_discarded(Cycle issue, Cycle flush, WalkBehindFlush walk, Address by) {
    using Flush = SampledInstruction::Flush;
    watch_->flushed({.issued = issue < flush ? issue : kNever,
                     .flush = flush,
                     .reason = walk == WalkBehindFlush::GoesOn ? Flush::Mispredict : Flush::Other,
                     .by = by});
}

/// The stack moves when the jump has a place for its target. [core/frontend/frontend.sv]
Cycle Pipeline::place_discarded(const Instruction& jump, Address pc, Cycle offered) {
    if (!frontend_.target_waits() || !scan_takes(jump, pc, true)) {
        return offered;
    }
    const bool stack_kept = went_on_ == frontend_.scan();
    offered = frontend_.place_target();
    went_on_ = stack_kept ? frontend_.scan() : went_on_;
    return offered;
}

/// Null if the frontend does not get there.
const Instruction* Pipeline::read_discarded(Address pc, Cycle flush, WalkBehindFlush walk) {
    if (pc == kNowhere) {
        frontend_.fetch_nowhere(flush);
        return nullptr;
    }
    if (!frontend_.knows_physical(pc) && !frontend_.looks_up_before(flush)) {
        return nullptr;
    }
    const Instruction* const instruction = read_code(pc);
    const PageWalk* const walked = instruction != nullptr || frontend_.knows_physical(pc)
                                       ? nullptr
                                       : code_.walk_code(pc & ~Address{0xFFF});
    if (walked == nullptr) {
        return instruction;
    }
    tables_.spoil_tape(); // the walk and what the TLB has are no questions
    const bool done = frontend_.walk_discarded(*walked, flush, walk);
    if (!walked->fills_tlb) {
        if (done) {
            frontend_.fail_again(*walked, flush);
        }
        return nullptr;
    }
    if (done) {
        code_.keep_walked();
        return read_code(pc);
    }
    if (walk == WalkBehindFlush::GoesOn) {
        code_.keep_walked();
        frontend_.turn_to({.pc = pc});
    }
    return nullptr;
}

/// The branch or jump is issued and resolves before it is thrown away itself; `fetched` is where
/// the frontend goes on. Returns where it goes on behind that.
Address Pipeline::resolve_discarded(DiscardedInstructions& behind, const Instruction& instruction,
                                    const ControlFlow& flow, std::optional<Address> target,
                                    Address fetched, Stages last) {
    const auto outcome = behind.way_lost() ? std::nullopt : behind.resolved(instruction, flow);
    if (!outcome) {
        if (flow.kind != ControlFlow::Kind::Jump) {
            behind.lose_way();
        }
        return fetched;
    }
    const Cycle resolve = last.issue + 1;
    const bool is_branch = flow.kind == ControlFlow::Kind::Branch;
    if (is_branch) {
        const auto direction = outcome->taken ? BranchDirection::Taken : BranchDirection::NotTaken;
        predictor_.update_branch(flow.pc, direction, resolve);
    }
    if (is_branch ? target.has_value() == outcome->taken : target == outcome->next) {
        return fetched;
    }
    if (flow.kind == ControlFlow::Kind::Indirect) {
        predictor_.update_jump(flow.pc, outcome->next, resolve);
    }
    note_mispredict(flow.kind, resolve);
    const Frontend::Page page = frontend_.page();
    discard(fetched, resolve, last, behind, WalkBehindFlush::GoesOn);
    turn_back_to(page, outcome->next);
    restart_frontend(resolve);
    return outcome->next;
}

/// Returns when it issues, if that is before `flush`.
Cycle Pipeline::issue_discarded(DiscardedInstructions& behind, const Instruction& instruction,
                                Address pc, Cycle seen, Cycle flush, AtomicRequest* atomic) {
    const auto operand = behind.last_operand(instruction);
    Cycle earliest = std::max(seen, behind.entry_free());
    if (write_after_write_) {
        earliest = std::max(earliest, behind.writer_retires(instruction));
    }
    const Cycle awaited =
        ignores_operands(instruction.timing) ? std::min(operand.ready, earliest) : operand.ready;
    if (const Cycle to = std::min(awaited, flush + 1); seen < to) {
        pulses_.level(Event::PipelineStall, seen, to);
        if (further_.any()) [[unlikely]] {
            name_stall(instruction, seen, to, operand.writer,
                       behind.operand(instruction.rs1).ready);
        }
    }
    earliest = std::max(earliest, awaited);
    if (earliest >= flush) {
        return earliest;
    }
    const ClassTiming& timing = timing_of(instruction.timing);
    Cycle issue = unit_free(timing.unit, earliest);
    if (timing.unit == ClassTiming::Unit::LoadStore && issue >= behind.unit_held_from()) {
        issue = kNever;
    }
    if (issue < flush) {
        const auto value = behind.written_value(instruction, pc);
        const Cycle result = discarded_result(behind, instruction, issue, flush, atomic);
        flush = atomic != nullptr ? atomic->flush() : flush;
        behind.issue(instruction, result, value);
        pulses_.level(Event::ScoreboardFull, issue + 1, std::min(behind.entry_free(), flush + 1));
    }
    return issue;
}

/// One whose address is known reads L1D like any other; the others are taken to hit. A read that
/// misses goes on if the tag has been compared before the flush. [load_unit.sv, wt_dcache_ctrl.sv]
Cycle Pipeline::load_discarded(DiscardedInstructions& behind, const Instruction& load, Cycle flush,
                               AtomicRequest* atomic) {
    const auto address = behind.address(load);
    const auto physical = address ? code_.data_at(behind.number(*address)) : std::nullopt;
    const Tables::ComputedAccess access(tables_, address, physical);
    if (physical && behind.conflicts(*address)) {
        load_store_.wait_discarded(flush);
        return kNever;
    }
    const Cycle request = load_store_.request_discarded(physical, flush);
    if (!physical || request >= flush || tables_.ask<Query::HasDataLine>(*physical) != 0) {
        return request + config_.load_result_cycles();
    }
    if (atomic == nullptr) {
        return load_store_.refill_discarded(*physical, request);
    }
    if (request + DataCache::kRequestToMemory >= atomic->asked) {
        atomic->late = physical;
        atomic->late_operand = tables_.operand();
        load_store_.hold_port();
        return kNever;
    }
    const Cycle done = load_store_.refill_discarded(*physical, request);
    atomic->wait_for_data(done);
    return done;
}

/// What an iterative unit is given is taken to last until the flush. CSR instructions have no
/// result before they retire.
Cycle Pipeline::discarded_result(DiscardedInstructions& behind, const Instruction& instruction,
                                 Cycle issue, Cycle flush, AtomicRequest* atomic) {
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
    case Unit::LoadStore:
        if (!behind.enters_unit(instruction, issue, load_store_.arrival_of(issue))) {
            return kNever;
        }
        load_store_.issue(issue);
        if (instruction.timing == TimingClass::Load) {
            return load_discarded(behind, instruction, flush, atomic);
        }
        load_store_.take_discarded(flush);
        if (const auto address = behind.address(instruction)) {
            behind.note_store(*address);
        }
        return issue + 2;
    case Unit::FixedLatency:
        if (timing.port == RetirePort::Alone) {
            if (!waits_for_stores(class_)) { // which keeps the CSR buffer free
                block_fixed_latency(kNever);
            }
            return kNever;
        }
        return issue + timing.result;
    case Unit::Fpu:
        if (is_iterative(instruction.timing)) {
            free_from(Unit::Fpu) = divider_.take(issue, kNever).accepted;
            return kNever;
        }
        break;
    case Unit::Coprocessor:
        break;
    }
    return issue + timing.result;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What to hold in the head. There is no loop over cycles: each call computes the cycles of its
// instruction from those of the instructions before, which the parts keep:
//
//   decode_, issue_, ready_, class_, rd_, stage_    of the instruction in hand
//   frontend_, predictor_       the fetch queue; predictions that wait for their branch
//   scoreboard_, unit_free_     when registers, entries and units are free; the last retirement
//   divider_, fpu_port_         what is inside the FPU, and who waits for its way out
//   load_store_, data_cache_    buffered stores, the load port, the memory port
//   pulses_, attribution_       every event in its cycle; why each cycle passed (the truth)
//
// Each of these lists its cycles in relative_state(), which is what makes the fast path right: a
// new member that can still matter for a later instruction belongs there. What lasts longer (tags,
// predictor contents, addresses of buffered stores) is in Tables, only reached by Tables::ask().
// This file has the straight way, pipeline_memory.cpp loads and stores, pipeline_ahead.cpp what is
// fetched behind a load that misses, pipeline_discard.cpp what is thrown away, pipeline_reports.cpp
// what observers are told; pipeline_inline.h is what every instruction uses.
#include "hw/core/timing/pipeline.h"

#include <algorithm>

namespace pes {

namespace {

/// The event of a stall that waits for the result of this class; None for classes whose results
/// never cause a stall in the default configuration.
constexpr Event stall_behind(TimingClass writer) {
    switch (writer) {
    case TimingClass::Load:
    case TimingClass::Amo:
    case TimingClass::LoadReserved:
    case TimingClass::StoreConditional:
        return Event::LoadUseStall;
    case TimingClass::Multiply:
        return Event::MultiplyStall;
    case TimingClass::Divide:
        return Event::DivideStall;
    case TimingClass::Csr:
    case TimingClass::CsrRefetch:
        return Event::CsrStall;
    case TimingClass::FpMove:
    case TimingClass::FpConvert:
    case TimingClass::FpSingle:
    case TimingClass::FpDouble:
    case TimingClass::FpDivideSingle:
    case TimingClass::FpDivideDouble:
    case TimingClass::FpSqrtSingle:
    case TimingClass::FpSqrtDouble:
        return Event::FloatStall;
    default:
        return Event::None;
    }
}

} // namespace

Pipeline::Pipeline(const TimingConfig& config, PulseLog& pulses, CodeReader& code,
                   EventMask sources, Oracle* truth, DecodeWatch* watch)
    : config_(config), classes_(class_table(config)), pulses_(pulses), further_(pulses, sources),
      attribution_(truth, watch != nullptr), watch_(watch), tables_(config),
      data_cache_(config, pulses, further_, tables_), walker_(config, pulses, data_cache_, tables_),
      frontend_(config, pulses, further_, data_cache_, walker_, tables_, attribution_.waits()),
      predictor_(tables_), code_(code), load_store_(config, pulses, further_, data_cache_, walker_,
                                                    tables_, attribution_.waits(), *this),
      scoreboard_(config.scoreboard_entries, config.commit_ports),
      retired_last_(config.commit_ports),
      write_after_write_(config.generation == CoreGeneration::V5_3_0) {
    if (watch != nullptr) {
        watch->connect(further_);
    }
}

// --- Decode, issue ------------------------------------------------------------------------------

/// The divider or the CSR file is busy: nothing issues to the units that share the write port.
void Pipeline::block_fixed_latency(Cycle until) {
    using Unit = ClassTiming::Unit;
    free_from(Unit::Multiply) = until;
    free_from(Unit::FixedLatency) = std::max(free_from(Unit::FixedLatency), until);
}

/// Pulses the source that says what the stalled instruction waits for, and for which use.
void Pipeline::name_stall(const Instruction& instruction, Cycle from, Cycle to, TimingClass writer,
                          Cycle address_ready) {
    if (const Event producer = stall_behind(writer); producer != Event::None) {
        further_.level(producer, from, to);
    }
    switch (instruction.timing) {
    case TimingClass::Load:
    case TimingClass::Store:
    case TimingClass::Amo:
    case TimingClass::LoadReserved:
    case TimingClass::StoreConditional:
        further_.level(Event::AddressStall, from, std::min(address_ready, to));
        break;
    case TimingClass::Jalr:
        further_.level(Event::JumpRegisterStall, from, to);
        break;
    default:
        break;
    }
}

/// The register before issue still holds the previous instruction.
void Pipeline::stall_without_instruction() {
    const Cycle to = std::min(stale_until_, decode_ + 1);
    if (stale_from_ < to) {
        pulses_.level(Event::PipelineStall, stale_from_, to);
        if (const Event producer = stall_behind(stale_writer_); producer != Event::None) {
            further_.level(producer, stale_from_, to);
        }
    }
}

/// Operands that an instruction does not wait for count as awaited all the same.
void Pipeline::stall_without_effect(const Instruction& instruction, Cycle to) {
    const Cycle seen = decode_ + 1;
    to = std::min(scoreboard_.operands_ready(instruction), to);
    if (seen < to) {
        stall(instruction, seen, to);
    }
}

/// What decode knows to trap. A refused instruction goes to the coprocessor interface, once nobody
/// writes its destination any more, and comes back in the same cycle. [core/issue_read_operands.sv]
Cycle Pipeline::issue_trapping(const Instruction& instruction) {
    ready_ = std::max(decode_ + 1, scoreboard_.entry_free());
    if (write_after_write_) {
        ready_ = std::max(ready_, scoreboard_.writer_retires(instruction));
    }
    issue_ = unit_free(timing_of(instruction.timing).unit, ready_);
    const bool comes_back = instruction.timing == TimingClass::Illegal;
    stall_without_effect(instruction, issue_ + (comes_back ? 0 : 1));
    if (attribution_.wanted()) [[unlikely]] {
        note_issue(instruction, decode_ + 1);
    }
    class_ = instruction.timing;
    rd_ = instruction.rd;
    stage_ = Stage::Issued;
    request_.reset();
    return issue_;
}

Cycle Pipeline::serial_cycle(const Instruction& instruction) const {
    Cycle ready = issue_ + 2;
    if (waits_for_stores(instruction.timing)) { // every one has reached memory, and is known to
        ready = std::max(ready, load_store_.drained_from() + 1);
    }
    return scoreboard_.retire_cycle(ready, RetirePort::Alone);
}

/// CSR instructions act when they retire, and the value they read is in the register file one cycle
/// later. Nothing issues to the fixed-latency units until they are the oldest, even if they go on
/// waiting then. [csr_buffer.sv, commit_stage.sv]
Cycle Pipeline::finish_serial(const Instruction& instruction, EventMask events) {
    const Cycle cycle = serial_cycle(instruction);
    if (events.any()) {
        pulses_.pulse(events, cycle);
    }
    block_fixed_latency(scoreboard_.retire_cycle(issue_ + 2, RetirePort::Alone));
    attribution_.wait(CycleReason::Flush, cycle);
    return finish(instruction, cycle, cycle + 1, RetirePort::Alone);
}

/// After a FENCE.I what lies behind it may not be what the block was made of.
void Pipeline::ask_for_own_page() {
    if (tables_.on_tape()) {
        const Address page = next_pc_ & ~Address{0xFFF};
        const std::optional<CodePage> found = code_.code_page(page);
        tables_.code_page(page, found ? found->version : Tables::kNoPage);
    }
}

void Pipeline::flush_predictors() {
    if (config_.predictors_on_trap == PredictorsOnTrap::Flushed) {
        predictor_.flush();
    }
}

/// Nothing is in flight any more.
void Pipeline::empty() {
    stale_until_ = 0;
    divider_.flush();
    free_from(ClassTiming::Unit::Fpu) = 0;
    fpu_port_.flush();
}

/// After a retired instruction the frontend fetches the following instructions again; it had gone
/// on at `fetched_next`. `next`: kNowhere if the mode changes.
void Pipeline::restart_after(Cycle retired, Address fetched_next, Address next) {
    discard(fetched_next, retired, WalkBehindFlush::Ends, next);
    empty();
    restart_frontend(retired);
}

// --- Instructions that retire alone or take several cycles --------------------------------------

Cycle Pipeline::retire_serial(const Instruction& instruction) {
    switch (instruction.timing) {
    case TimingClass::CsrRefetch:
    case TimingClass::Fence: {
        const Cycle retired = finish_serial(instruction, {});
        attribution_.flush(CycleReason::Flush);
        restart_after(retired, next_pc_, next_pc_);
        return retired;
    }
    case TimingClass::SfenceVma: {
        const Cycle retired = finish_serial(instruction, event_bit(Event::TlbFlush));
        attribution_.flush(CycleReason::Flush);
        restart_after(retired, next_pc_, next_pc_);
        return retired;
    }
    case TimingClass::FenceI: {
        const Cycle retired = finish_serial(instruction, {});
        attribution_.flush(CycleReason::Flush);
        ask_for_own_page();
        discard(next_pc_, retired, WalkBehindFlush::Ends, next_pc_);
        empty();
        tables_.ask<Query::InvalidateCode>(0);
        frontend_.restart(retired, retired + 1, config_.fence_i_cycles);
        queue_kept_ = retired + 1;
        return retired;
    }
    default:
        return finish_serial(instruction, {});
    }
}

/// Returns the cycle of the result.
Cycle Pipeline::iterate(const Instruction& instruction, UnitSteps steps) {
    const ClassTiming& timing = timing_of(instruction.timing);
    if (instruction.timing == TimingClass::Divide) {
        const Cycle result = issue_ + timing.result + steps - 1;
        block_fixed_latency(result + 1);
        return result;
    }
    const bool special = steps == 0;
    const FpuDivider::Place place =
        divider_.take(issue_, special ? config_.fp_interval.special : timing.fpu_interval);
    free_from(ClassTiming::Unit::Fpu) = place.accepted;
    const Cycle latency = special ? config_.latency.fp_special : timing.result;
    return place.started - FpuDivider::kIssueToStart + latency;
}

/// A result that overtakes an older one retires after it, and so does everything that follows.
Cycle Pipeline::retire_float(const Instruction& instruction, const ClassTiming& timing,
                             Cycle result) {
    constexpr std::uint32_t kWide = 1U << 25;
    const bool wide = (instruction.raw & kWide) != 0;
    const auto put_off = [&](RegisterIndex rd, Cycle from, Cycle to) {
        scoreboard_.put_off(rd, from, to);
        retired_last_.put_off(rd, from + 1, to + 1, pulses_, scoreboard_);
    };
    result = fpu_port_.take(issue_, result, {timing.group, wide, instruction.rd}, put_off);
    return finish(instruction, result + 1, result, timing.port);
}

Cycle Pipeline::retire_indirectly(const Instruction& instruction, UnitSteps steps) {
    const ClassTiming& timing = timing_of(instruction.timing);
    if (timing.port == RetirePort::Alone) [[unlikely]] {
        return retire_serial(instruction);
    }
    Cycle result = issue_ + timing.result;
    if (is_iterative(instruction.timing)) [[unlikely]] {
        result = iterate(instruction, steps);
    }
    if (timing.group != FpuPort::Group::None) {
        return retire_float(instruction, timing, result);
    }
    return finish(instruction, result + 1, result, timing.port);
}

std::optional<Address> Pipeline::predict_jump(const ControlFlow& flow, Cycle scan) {
    std::optional<Address> target;
    const bool stack_kept = went_on_ == scan;
    switch (flow.kind) {
    case ControlFlow::Kind::Jump:
        target = flow.target();
        break;
    case ControlFlow::Kind::Return:
        target = stack_kept ? predictor_.top_return() : predictor_.pop_return();
        break;
    case ControlFlow::Kind::Indirect:
        target = predictor_.predict_jump(flow.pc, flow.predicted_in(scan));
        break;
    case ControlFlow::Kind::Branch:
    case ControlFlow::Kind::None:
        break;
    }
    if (flow.link == ControlFlow::Link::Call && !stack_kept) {
        predictor_.push_return(flow.next());
    }
    went_on_ = target ? went_on_ : scan;
    return target;
}

/// Instructions after a return in the same word are dropped even if the stack is empty; but if one
/// of them is predicted to jump, the target is the top of the empty stack, which is 0.
/// [core/frontend/frontend.sv]
Address Pipeline::fetched_behind_return(Address next) {
    frontend_.queue_target();
    const Instruction* const upper = in_upper_half(next);
    if (upper != nullptr && scan_takes(*upper, next, false)) {
        frontend_.jump_nowhere();
        return kNowhere;
    }
    return Frontend::next_word(next);
}

/// Null unless the whole instruction lies in the upper half of a fetch word.
const Instruction* Pipeline::in_upper_half(Address pc) {
    if (pc % Frontend::kWordBytes == 0 || !frontend_.knows_physical(pc)) {
        return nullptr;
    }
    const Instruction* const instruction = read_code(pc);
    return instruction != nullptr && instruction->length == 2 ? instruction : nullptr;
}

/// Whether the scan leaves the sequence after this instruction. Does not change the return-address
/// stack.
bool Pipeline::scan_takes(const Instruction& instruction, Address pc, bool returns) {
    if (!scans_as_jump(instruction)) {
        return false;
    }
    const ControlFlow flow = ControlFlow::of(instruction, pc);
    switch (flow.kind) {
    case ControlFlow::Kind::Branch:
        return predicted_taken(flow);
    case ControlFlow::Kind::Indirect:
        return predictor_.predict_jump(pc, flow.predicted_in(frontend_.scan())).has_value();
    case ControlFlow::Kind::Return:
        return returns;
    default:
        return true;
    }
}

/// The whole word scanned last is fetched again if it holds a target for which there is no room.
/// Returns the cycle in which its instruction at `pc` is offered. [core/frontend/instr_queue.sv]
Cycle Pipeline::place_word(Address pc, Cycle offered) {
    const Instruction* const instruction = read_code(pc);
    if (instruction == nullptr) {
        return offered;
    }
    bool takes = scan_takes(*instruction, pc, true);
    if (!takes) {
        const Address next = pc + instruction->length;
        const Instruction* const upper = in_upper_half(next);
        takes = upper != nullptr && scan_takes(*upper, next, true);
    }
    return takes ? frontend_.place_target() : offered;
}

/// Predicts the current jump or branch. A return takes an entry of the target FIFO even if the
/// return-address stack is empty.
[[gnu::always_inline]] inline std::optional<Address> Pipeline::scan(const ControlFlow& flow) {
    const std::optional<Address> target = predict(flow, frontend_.scan());
    if (target || flow.kind == ControlFlow::Kind::Return) {
        frontend_.place_target();
    }
    return target;
}

void Pipeline::note_mispredict(ControlFlow::Kind kind, Cycle resolve) {
    pulses_.pulse(Event::BranchMispredict, resolve);
    further_.pulse(kind == ControlFlow::Kind::Branch ? Event::DirectionMispredict
                                                     : Event::TargetMispredict,
                   resolve);
}

void Pipeline::restart_frontend(Cycle flush) {
    frontend_.restart(flush, flush + 1);
    queue_kept_ = flush + 1;
}

/// The frontend has gone on at `fetched`. Returns what that which is left in front of issue waits
/// for.
Pipeline::Operand Pipeline::mispredict(ControlFlow::Kind kind, Address fetched, Address next) {
    const Cycle resolve = issue_ + 1;
    note_mispredict(kind, resolve);
    if (watch_ != nullptr) [[unlikely]] {
        watch_->mispredicted();
    }
    const auto waited_for = discard(fetched, resolve, WalkBehindFlush::GoesOn, next);
    restart_frontend(resolve);
    return waited_for;
}

/// Resolves in the cycle after issue. Only the direction of a branch can be mispredicted, whatever
/// its target. A jump without a predicted target is mispredicted, even if it goes to the next
/// instruction. [core/branch_unit.sv]
[[gnu::always_inline]] inline Cycle Pipeline::resolve(const Instruction& instruction,
                                                      const ControlFlow& flow, Address next_pc,
                                                      bool taken) {
    const bool is_branch = flow.kind == ControlFlow::Kind::Branch;
    const std::optional<Address> target = scan(flow);
    const Address fetched = fetched_behind(flow, target);
    if (is_branch) {
        predictor_.update_branch(
            flow.pc, taken ? BranchDirection::Taken : BranchDirection::NotTaken, issue_ + 1);
    }
    const bool right = is_branch ? target.has_value() == taken : target == next_pc;
    mispredicted_ = !right;
    Operand waited_for{};
    if (!right) [[unlikely]] {
        if (flow.kind == ControlFlow::Kind::Indirect) {
            predictor_.update_jump(flow.pc, next_pc, issue_ + 1);
        }
        waited_for = mispredict(flow.kind, fetched, next_pc);
    }
    const Cycle result = issue_ + timing_of(instruction.timing).result;
    const Cycle retired = finish(instruction, result + 1, result, RetirePort::Any);
    if (!right) [[unlikely]] {
        attribution_.flush(CycleReason::Mispredict);
        if (waited_for.ready > issue_ + 2) {
            stale_from_ = issue_ + 2;
            stale_until_ = waited_for.ready;
            stale_writer_ = waited_for.writer;
        }
    }
    if (is_branch && taken) {
        further_.pulse(Event::TakenBranch, retired);
    }
    return retired;
}

/// In two copies of the code, of which one is about branches only.
Cycle Pipeline::retire_branch(const Instruction& instruction, Address pc, Address next_pc,
                              bool taken) {
    return instruction.timing == TimingClass::Branch
               ? resolve(instruction, ControlFlow::of_branch(instruction, pc), next_pc, taken)
               : resolve(instruction, ControlFlow::of(instruction, pc), next_pc, taken);
}

Cycle Pipeline::retire_return(const Instruction& instruction, Address pc) {
    const ControlFlow flow = ControlFlow::of(instruction, pc);
    const Address fetched_next = fetched_behind(flow, scan(flow));
    const Cycle retired = finish_serial(instruction, event_bit(Event::ExceptionReturn));
    attribution_.flush(CycleReason::Flush);
    flush_predictors();
    restart_after(retired, fetched_next, kNowhere);
    return retired;
}

/// The address at which the frontend continues after an instruction that traps.
Address Pipeline::fetched_behind_trap(const Instruction& trapped) {
    if (!scans_as_jump(trapped)) {
        return next_pc_;
    }
    const ControlFlow flow = ControlFlow::of(trapped, next_pc_ - trapped.length);
    return fetched_behind(flow, scan(flow));
}

Cycle Pipeline::trap(const Instruction& trapped, Cycle ready, RegisterIndex rd,
                     CycleReason reason) {
    const Address fetched_next = fetched_behind_trap(trapped);
    const Cycle taken = take_trap(ready, rd, reason);
    restart_after(taken, fetched_next, kNowhere);
    return taken;
}

/// Instructions that depend on its result `rd` continue when it is known to fail.
Cycle Pipeline::take_trap(Cycle ready, RegisterIndex rd, CycleReason reason) {
    const Cycle before = scoreboard_.last_retirement();
    const Cycle taken = scoreboard_.retire(rd, ready, ready, RetirePort::Alone);
    follow_to_end(before, ready, taken);
    attribution_.trap(taken, reason);
    report_passage(ready, taken);
    if (further_.any()) [[unlikely]] {
        scoreboard_.note_writer(rd, class_);
    }
    pulses_.pulse(Event::Exception, taken);
    further_.pulse(Event::FlushByOther, taken);
    flush_predictors();
    stage_ = Stage::Done;
    return taken;
}

/// An instruction that decode knows to trap (ecall, ebreak) has a complete scoreboard entry when it
/// issues, and its trap is taken in the next cycle. An instruction whose exception is found in
/// execute passes through like a simple one. A faulting load or store is known to fail when its
/// result would be available.
Cycle Pipeline::exception(const Instruction& trapped) {
    if (stage_ != Stage::Issued) {
        issue_ = std::max(decode_ + 1, scoreboard_.entry_free());
        return trap(trapped, issue_ + 2, kSinkRegister);
    }
    if (class_ == TimingClass::Load) {
        const Cycle request = request_ ? *request_ : load_store_.request_failing_load();
        return trap(trapped, request + config_.load_result_cycles() + 1, rd_);
    }
    if (timing_of(class_).unit == ClassTiming::Unit::LoadStore) {
        return trap(trapped, (request_ ? *request_ : issue_ + 1) + config_.store_retire_cycles(),
                    rd_);
    }
    if (class_ == TimingClass::TrapReturn || class_ == TimingClass::SfenceVma ||
        class_ ==
            TimingClass::Wfi) { // not allowed: for the coprocessor interface. [core/decoder.sv]
        issue_ = ready_;
    }
    return trap(trapped, issue_ + (class_ == TimingClass::Trap ? 1 : 2),
                class_ == TimingClass::Illegal ? rd_ : kSinkRegister);
}

void Pipeline::failed_walk(const Instruction& instruction, const PageWalk& walk) {
    const auto kind = instruction.timing == TimingClass::Load ? LoadStoreUnit::Kind::Load
                                                              : LoadStoreUnit::Kind::Store;
    in_hand_ = &instruction;
    request_ = load_store_.failed_walk(walk, kind);
    if (watch_ != nullptr) [[unlikely]] {
        watch_->missed_translation();
    }
}

Cycle Pipeline::failing_fetch(Address pc, const PageWalk* walk) {
    attribution_.begin(pc);
    pc_ = pc;
    failing_walk_.reset();
    if (walk != nullptr) {
        failing_walk_ = *walk;
        frontend_.failed_walk(*walk);
    }
    const Cycle offered = frontend_.faulting_fetch();
    pulses_.level(Event::FetchEmpty, std::max(decode_ + 1, queue_kept_), offered);
    decode_ = std::max({offered, decode_ + 1, issue_, resume_});
    attribution_.waits().fetched(offered, decode_);
    return decode_;
}

Cycle Pipeline::trap_failed_fetch(CycleReason reason) {
    decode_ = std::max(decode_, resume_); // it may have stayed in decode
    issue_ = std::max(decode_ + 1, scoreboard_.entry_free());
    request_.reset();
    const Cycle taken = take_trap(issue_ + 1, kSinkRegister, reason);
    if (failing_walk_) { // fetches after a failing fetch fail as well
        frontend_.fail_again(*failing_walk_, taken);
        failing_walk_.reset();
    }
    empty();
    restart_frontend(taken);
    return taken;
}

/// Like ecall, but the instruction waits for its unit, though not for operands.
/// [core/decoder.sv, core/issue_read_operands.sv]
Cycle Pipeline::interrupt(const Instruction& instruction) {
    const Cycle earliest = std::max(decode_ + 1, scoreboard_.entry_free());
    issue_ = unit_free(timing_of(instruction.timing).unit, earliest);
    stall_without_effect(instruction, issue_ + 1);
    request_.reset();
    report_decode(instruction);
    return trap(instruction, issue_ + 1, kSinkRegister, CycleReason::Interrupt);
}

void Pipeline::resume_at(Cycle cycle) {
    resume_ = cycle;
    queue_kept_ = std::max(queue_kept_, cycle);
    if (stage_ == Stage::Decoded && decode_ < cycle) { // it stayed in decode meanwhile
        decode_ = cycle;
        attribution_.wait(CycleReason::Device, cycle + Waits::kBehindDecode);
        frontend_.pop(decode_);
    }
}

} // namespace pes

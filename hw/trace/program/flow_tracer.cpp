// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/program/flow_tracer.h"

#include "hw/interface/maps/exceptions.h"
#include "hw/interface/maps/trace.h"

#include <bit>

namespace pes::trace {

namespace {

// PROCESS (N-Trace 1.0, Ownership message): FORMAT, PRV, V, CONTEXT from bit 0 up.
constexpr std::uint64_t kPrivilegeChanged = 0;
constexpr std::uint64_t kAfterSync = 2; ///< context of the supervisor: this hart has none, so 0
constexpr unsigned kPrivilegeShift = 2;

} // namespace

// --- Start and stop -----------------------------------------------------------------------------

void FlowTracer::configure(const InstructionTraceSettings& settings) {
    settings_ = settings;
    most_units_ = history_mode() && repeats() ? kMostRepeatedUnits : kMostUnits;
    history_limit_ = repeats() ? kRepeatableHistory : kHistoryFull;
}

void FlowTracer::start(SyncReason reason, Cycle at) {
    state_ = State::Waiting;
    reason_ = reason;
    from_ = at;
}

void FlowTracer::stop(CorrelationEvent reason, Cycle at) {
    if (state_ == State::Waiting && reason_ == SyncReason::FifoOverrun) {
        begin(next_pc_, privilege_, at); // else the loss would go unmentioned
    }
    if (state_ == State::Running && send_repeats(at)) {
        TraceMessage message = make_message(MessageCode::ProgramTraceCorrelation);
        message.set(Field::EventCode, reason);
        if (history_mode()) {
            message.set(Field::DataFormat, 1);
        }
        send_counted(message, at);
    }
    state_ = State::Stopped;
}

void FlowTracer::synchronise(SyncReason reason, Cycle at) {
    if (state_ == State::Running && reason == SyncReason::FifoOverrun) {
        restart(); // someone else's messages were lost, and the Error message ended what we had
        begin(next_pc_, privilege_, at);
    } else if (state_ == State::Running) {
        send_sync_here(reason, at);
    }
}

/// The first message: F-ADDR is the next instruction. False if there is nothing to trace yet, or if
/// the message was lost.
bool FlowTracer::begin(Address pc, Privilege privilege, Cycle at) {
    if (state_ == State::Stopped || at <= from_) {
        return false;
    }
    forget();
    next_pc_ = pc;
    privilege_ = privilege;
    state_ = State::Running;
    TraceMessage message = make_message(MessageCode::ProgramTraceSync);
    message.set(Field::SyncReason, reason_);
    message.set(Field::Address, output_.reference().full(pc));
    return send(message, at) && synchronised(at);
}

void FlowTracer::forget() {
    units_ = 0;
    history_ = kNoHistory;
    run_ = 0;
    units_since_sync_ = 0;
    calls_.clear();
    branch_ = {};
    full_history_ = kNoHistory;
    history_repeats_ = 0;
}

// --- The instruction stream ---------------------------------------------------------------------

void FlowTracer::retired_blocks(std::span<const RetiredBlock> blocks) {
    for (const RetiredBlock& block : blocks) {
        const RetiredStep& last = block.steps.back();
        const bool usual = state_ == State::Running && block.privilege == privilege_ &&
                           units_ + last.half_words < most_units_;
        if (!usual) [[unlikely]] {
            each_retired(block);
            continue;
        }
        units_ += last.half_words;
        next_pc_ = block.next_pc;
        const Cycle at = block.from + last.cycles;
        if (block.flow.kind == FlowKind::Branch) {
            branch(block.flow, block.last_pc, block.next_pc, at);
        } else if (block.flow.kind != FlowKind::Sequential) {
            follow(block.flow, block.last_pc, block.next_pc, at);
        }
    }
}

void FlowTracer::each_retired(const RetiredBlock& block) {
    for (std::size_t index = 0; index != block.steps.size(); ++index) {
        retired(retirement_in(block, index));
    }
}

void FlowTracer::trapped(const TrapTaken& trap) {
    if (state_ != State::Running) {
        begin(trap.epc, trap.from, trap.cycle);
    }
    if (trap.from != privilege_) {
        enter(trap.from, trap.cycle);
    }
    BranchType type = BranchType::Trap;
    if (n_trace()) {
        type = (trap.cause & kInterruptBit) != 0 ? BranchType::Interrupt : BranchType::Exception;
    }
    send_indirect(type, trap.vector, trap.cycle);
    next_pc_ = trap.vector;
    if (trap.to != privilege_) {
        enter(trap.to, trap.cycle);
    }
}

void FlowTracer::enter(Privilege privilege, Cycle at) {
    privilege_ = privilege;
    if (reports_ownership()) {
        send_ownership(kPrivilegeChanged, at);
    }
}

void FlowTracer::follow(const InstructionFlow& flow, Address pc, Address next_pc, Cycle at) {
    switch (flow.kind) {
    case FlowKind::Sequential:
        break;
    case FlowKind::Branch:
        branch(flow, pc, next_pc, at);
        break;
    case FlowKind::DirectJump:
        if (flow.is_call()) {
            calls_.push(pc + flow.length);
        }
        break;
    case FlowKind::IndirectJump:
        if (leaves_unpredicted(flow, pc, next_pc)) {
            send_indirect(BranchType::Indirect, next_pc, at);
        }
        break;
    case FlowKind::TrapReturn:
        send_indirect(BranchType::Indirect, next_pc, at);
        break;
    }
}

/// Updates the return stack and says whether the jump must be reported.
bool FlowTracer::leaves_unpredicted(const InstructionFlow& flow, Address pc, Address next_pc) {
    bool predicted = false;
    if (flow.is_return()) {
        predicted = calls_.pop() == next_pc && implicit_returns();
    }
    if (flow.is_call()) {
        calls_.push(pc + flow.length);
    }
    return !predicted;
}

/// A branch to the next instruction counts as not taken: the flow is the same.
[[gnu::always_inline]] inline void FlowTracer::branch(const InstructionFlow& flow, Address pc,
                                                      Address next_pc, Cycle at) {
    const Direction direction =
        next_pc == pc + flow.length ? Direction::NotTaken : Direction::Taken;
    if (history_mode()) {
        note(direction, at);
    } else if (direction == Direction::Taken) {
        send_taken_branch(at);
    }
}

// --- History ------------------------------------------------------------------------------------

[[gnu::always_inline]] inline void FlowTracer::note(Direction direction, Cycle at) {
    if (run_ != 0) [[unlikely]] {
        if (direction == run_direction_ && run_ < kLongestRun) {
            ++run_;
            return;
        }
        if (!send_run(at)) {
            return;
        }
    }
    history_ = history_ << 1 | static_cast<std::uint32_t>(direction);
    if (history_ >= history_limit_) [[unlikely]] {
        note_in_full(at);
    }
}

void FlowTracer::note_in_full(Cycle at) {
    if (units_ >= most_units_) { // both at once: N-Trace suggests this order
        count_full(at);
    }
    if (state_ == State::Running && history_ >= history_limit_) {
        history_full(at);
    }
}

void FlowTracer::history_full(Cycle at) {
    constexpr std::uint32_t kAllTaken = ~std::uint32_t{0};
    if (sync_due(at)) {
        send_sync_here(SyncReason::Periodic, at);
    } else if (reports_runs() && (history_ == kAllTaken || history_ == kHistoryFull)) {
        run_direction_ = history_ == kAllTaken ? Direction::Taken : Direction::NotTaken;
        run_ = kHistoryBranches;
        history_ = kNoHistory;
    } else if (repeats() && history_ == full_history_) {
        history_ = kNoHistory;
        if (++history_repeats_ == kLongestRun) {
            send_history_repeats(at);
        }
    } else if (send_repeats(at) && send_resource(Resource::History, history_, at)) {
        full_history_ = history_;
        history_ = kNoHistory;
    }
}

/// dqr (SiFive's decoder) treats a ResourceFull as a sign of history trace; branch trace therefore
/// sends a synchronising message here, which N-Trace also allows.
void FlowTracer::count_full(Cycle at) {
    if (sync_due(at)) {
        send_sync_here(SyncReason::Periodic, at);
    } else if (!history_mode() && !n_trace()) {
        send_sync_here(SyncReason::InstructionCountOverflow, at);
    } else if (send_branch_repeats(at) && send_resource(Resource::InstructionCount, units_, at)) {
        units_since_sync_ += units_;
        units_ = 0;
    }
}

std::size_t FlowTracer::room(Cycle at) {
    const auto count_bits =
        static_cast<unsigned>(std::bit_width(most_units_ + kMostBlockHalfWords));
    const std::size_t history = history_mode() ? slices(kHistoryBits) : 0;
    return output_.room(at, slices(count_bits) + slices(kAddressFieldBits) + history);
}

/// A block has one message, of its last instruction; a synchronising one has Ownership behind it.
/// Beside these there are what has been counted and not sent yet, a full count, and the beginning.
/// Further counts take blocks that have no message.
std::size_t FlowTracer::blocks_within(std::size_t messages) const {
    const std::size_t each = reports_ownership() ? 2 : 1;
    const std::size_t most_units = messages * kMostBlockHalfWords;
    const std::size_t counted = run_ + branch_.repeats + history_repeats_ == 0 ? 0 : 1;
    const std::size_t full =
        units_ + most_units < most_units_ ? 0 : each * (1 + most_units / most_units_);
    const std::size_t beginning = state_ == State::Running && each == 1 ? 0 : 2;
    const std::size_t others = counted + full + beginning;
    return messages < others ? 0 : (messages - others) / each;
}

// --- Messages -----------------------------------------------------------------------------------

bool FlowTracer::sync_due(Cycle at) const {
    return (settings_.sync_messages != 0 &&
            output_.messages_since_sync() >= settings_.sync_messages) ||
           (settings_.sync_units != 0 && units_since_sync_ + units_ >= settings_.sync_units) ||
           (settings_.sync_cycles != 0 && at >= synced_at_ + settings_.sync_cycles);
}

bool FlowTracer::reports_ownership() const {
    return (settings_.events & trace_map::event::kContext) != 0;
}

void FlowTracer::send_taken_branch(Cycle at) {
    const bool sync = sync_due(at);
    if (!sync && repeats_branch(BranchType::Indirect, true, 0)) {
        return;
    }
    if (!send_branch_repeats(at)) {
        return;
    }
    const std::uint32_t units = units_;
    TraceMessage message =
        make_message(sync ? MessageCode::DirectBranchSync : MessageCode::DirectBranch);
    if (sync) {
        message.set(Field::SyncReason, SyncReason::Periodic);
        message.set(Field::Address, output_.reference().full(next_pc_));
    }
    if (!send_counted(message, at)) {
        return;
    }
    if (sync) {
        synchronised(at);
    } else if (repeats()) {
        branch_ = {.known = true, .direct = true, .units = units};
    }
}

void FlowTracer::send_indirect(BranchType type, Address target, Cycle at) {
    const bool sync = sync_due(at);
    if (!sync && !history_mode() && repeats_branch(type, false, target)) {
        return;
    }
    if (!send_repeats(at)) {
        return;
    }
    const std::uint32_t units = units_;
    const MessageCode plain =
        history_mode() ? MessageCode::IndirectBranchHistory : MessageCode::IndirectBranch;
    const MessageCode full =
        history_mode() ? MessageCode::IndirectBranchHistorySync : MessageCode::IndirectBranchSync;
    TraceMessage message = make_message(sync ? full : plain);
    message.set(Field::BranchType, type);
    if (sync) {
        message.set(Field::SyncReason, SyncReason::Periodic);
        message.set(Field::Address, output_.reference().full(target));
    } else {
        message.set(Field::Address, output_.reference().unique(target));
    }
    const bool repeatable = repeats() && !history_mode() && message.value(Field::Address) == 0;
    if (!send_counted(message, at)) {
        return;
    }
    if (sync) {
        synchronised(at);
    } else if (repeatable) {
        branch_ = {.known = true, .type = type, .units = units, .target = target};
    }
}

// --- Repeats (N-Trace 1.0: RepeatBranch Message, Repeated History Optimization) -----------------

/// True if the branch gives the same message as the one before, and so is only counted. Of an
/// indirect one U-ADDR has to be 0 already, so that a decoder may take the field again.
bool FlowTracer::repeats_branch(BranchType type, bool direct, Address target) {
    if (!branch_.known || branch_.direct != direct || branch_.type != type ||
        branch_.units != units_ || branch_.target != target || branch_.repeats == kLongestRun) {
        return false;
    }
    ++branch_.repeats;
    units_since_sync_ += units_;
    units_ = 0;
    return true;
}

/// Before any other message: what has been counted, which belongs to the message before.
bool FlowTracer::send_repeats(Cycle at) {
    const bool sent = send_run(at) && send_history_repeats(at) && send_branch_repeats(at);
    full_history_ = kNoHistory;
    return sent;
}

bool FlowTracer::send_branch_repeats(Cycle at) {
    const std::uint32_t repeats = branch_.repeats;
    branch_ = {};
    if (repeats == 0) {
        return true;
    }
    TraceMessage message = make_message(MessageCode::RepeatBranch);
    message.set(Field::BranchCount, repeats);
    return send(message, at);
}

bool FlowTracer::send_history_repeats(Cycle at) {
    if (history_repeats_ == 0) {
        return true;
    }
    TraceMessage message = make_message(MessageCode::ResourceFull);
    message.set(Field::ResourceCode, Resource::HistoryRepeat);
    message.set(Field::ResourceData, full_history_);
    message.set(Field::HistoryRepeat, history_repeats_);
    history_repeats_ = 0;
    return send(message, at);
}

/// A synchronising message between any two instructions. Branch trace sends ProgTraceSync. In
/// history trace the history must be included, so it is an IndirectBranchHistSync with B-TYPE 0
/// (N-Trace 1.0 allows it "on linear code").
bool FlowTracer::send_sync_here(SyncReason reason, Cycle at) {
    if (!send_repeats(at)) {
        return false;
    }
    TraceMessage message = make_message(history_mode() ? MessageCode::IndirectBranchHistorySync
                                                       : MessageCode::ProgramTraceSync);
    message.set(Field::SyncReason, reason);
    message.set(Field::Address, output_.reference().full(next_pc_));
    return send_counted(message, at) && synchronised(at);
}

/// Branches in one direction that filled HIST, and those after them.
bool FlowTracer::send_run(Cycle at) {
    if (run_ == 0) {
        return true;
    }
    const Resource code = run_direction_ == Direction::Taken ? Resource::Taken : Resource::NotTaken;
    const bool sent = send_resource(code, run_, at);
    run_ = 0;
    return sent;
}

bool FlowTracer::send_resource(Resource code, std::uint64_t data, Cycle at) {
    TraceMessage message = make_message(MessageCode::ResourceFull);
    message.set(Field::ResourceCode, code);
    message.set(Field::ResourceData, data);
    return send(message, at);
}

/// Adds I-CNT and HIST to the message, and resets both.
bool FlowTracer::send_counted(TraceMessage& message, Cycle at) {
    message.set(Field::InstructionCount, units_);
    if (message.has(Field::History)) {
        message.set(Field::History, history_);
    }
    units_since_sync_ += units_;
    units_ = 0;
    history_ = kNoHistory;
    return send(message, at);
}

bool FlowTracer::send_ownership(std::uint64_t format, Cycle at) {
    TraceMessage message = make_message(MessageCode::Ownership);
    message.set(Field::Process, static_cast<std::uint64_t>(privilege_) << kPrivilegeShift | format);
    return send(message, at);
}

bool FlowTracer::synchronised(Cycle at) {
    units_since_sync_ = 0;
    synced_at_ = at;
    calls_.clear();
    return !reports_ownership() || send_ownership(kAfterSync, at);
}

/// False if the message was lost, so that the next instruction tries again, or if the trace was
/// stopped: while the port stalls the hart, the trace may be stopped or even restarted.
bool FlowTracer::send(const TraceMessage& message, Cycle at) {
    if (state_ != State::Running) {
        return false;
    }
    const SendResult result = output_.send(message, at);
    if (state_ != State::Running) {
        return false;
    }
    if (result == SendResult::Sent) {
        return true;
    }
    restart();
    return false;
}

void FlowTracer::restart() {
    state_ = State::Waiting;
    reason_ = SyncReason::FifoOverrun;
    from_ = 0;
    forget();
}

} // namespace pes::trace

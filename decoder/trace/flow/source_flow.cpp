// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/flow/source_flow.h"

#include <bit>

namespace pes::trace {
namespace {

RunEnd end_of(const CodeRun& run) {
    if (run.kind == FlowKind::TrapReturn) {
        return RunEnd::TrapReturn;
    }
    switch (run.link) {
    case LinkUse::Call:
        return RunEnd::Call;
    case LinkUse::Return:
        return RunEnd::Return;
    case LinkUse::ReturnAndCall:
        return RunEnd::ReturnAndCall;
    case LinkUse::None:
        break;
    }
    switch (run.kind) {
    case FlowKind::DirectJump:
        return RunEnd::Jump;
    case FlowKind::IndirectJump:
        return RunEnd::IndirectJump;
    default:
        return RunEnd::Plain;
    }
}

/// B-TYPE: SiFive's 1 is either kind of trap, N-Trace tells them apart.
TrapKind trap_kind(std::uint64_t branch_type) {
    switch (static_cast<BranchType>(branch_type)) {
    case BranchType::Exception:
        return TrapKind::Exception;
    case BranchType::Interrupt:
        return TrapKind::Interrupt;
    default:
        return TrapKind::Unknown;
    }
}

/// Reasons with which the hart comes from somewhere else: F-ADDR need not follow from the flow.
bool restarts(SyncReason reason) {
    return reason == SyncReason::ExitReset || reason == SyncReason::ExitDebug ||
           reason == SyncReason::TraceEnable || reason == SyncReason::ExitPowerDown;
}

constexpr std::uint8_t kSupervisorContext = 2; // PROCESS format

constexpr const char* kShortHistory = "HIST is shorter than the branches in I-CNT";

} // namespace

void SourceFlow::add(const TraceItem& item, const MessageContext& context) {
    offset_ = item.offset;
    time_ = context.time;
    const TraceMessage& message = item.message;
    switch (message.code) {
    case MessageCode::Ownership:
        own(message);
        break;
    case MessageCode::Error:
        lose(GapReason::EncoderLoss, "");
        break;
    case MessageCode::ResourceFull:
        resource_full(message);
        break;
    case MessageCode::RepeatBranch:
        repeat_branch(message.value(Field::BranchCount));
        break;
    case MessageCode::ProgramTraceCorrelation:
        correlation(message);
        break;
    case MessageCode::DirectBranch:
    case MessageCode::IndirectBranch:
    case MessageCode::ProgramTraceSync:
    case MessageCode::DirectBranchSync:
    case MessageCode::IndirectBranchSync:
    case MessageCode::IndirectBranchHistory:
    case MessageCode::IndirectBranchHistorySync:
        program_message(message, context);
        break;
    case MessageCode::DataAcquisition:
    case MessageCode::AuxAccessWrite:
    case MessageCode::InCircuitTrace:
    case MessageCode::InCircuitTraceSync:
        break; // not part of the flow
    }
}

void SourceFlow::program_message(const TraceMessage& message, const MessageContext& context) {
    Stretch stretch;
    stretch.units = message.value(Field::InstructionCount);
    stretch.address = context.address;
    stretch.full = message.has(Field::SyncReason);
    stretch.reason = static_cast<SyncReason>(message.value(Field::SyncReason));
    if (message.has(Field::BranchType)) {
        const std::uint64_t type = message.value(Field::BranchType);
        stretch.trap = trap_kind(type);
        stretch.arrival = type == 0 ? Arrival::Transfer : Arrival::Trap;
    } else if (message.code != MessageCode::ProgramTraceSync) {
        stretch.arrival = Arrival::Taken;
        mode_ = Mode::Branches;
    }
    if (message.has(Field::History)) {
        stretch.history = message.value(Field::History);
        mode_ = Mode::History;
    }
    play(stretch);
    previous_.reset();
    if (message.code != MessageCode::ProgramTraceSync && located_) {
        previous_ = stretch;
        previous_->full = false; // a repetition does not synchronise
    }
}

void SourceFlow::play(const Stretch& stretch) {
    if (!located_) {
        unplaced_messages_ += stretch.full ? 0 : 1;
    } else if (stretch.full && stretch.reason == SyncReason::FifoOverrun) {
        lose(GapReason::EncoderLoss, "");
    } else if (add_units(stretch.units) &&
               (stretch.history == 1 || walk_history(stretch.history)) &&
               walk_inside(AtBranch::Refuse) && walk_last(stretch)) {
        return;
    }
    if (stretch.full) {
        begin(stretch);
    }
}

void SourceFlow::begin(const Stretch& stretch) {
    if (!stretch.address) {
        return;
    }
    pc_ = *stretch.address;
    units_ = 0;
    located_ = true;
    returns_.clear();
    for (FlowSink* sink : sinks_) {
        sink->started({source_, pc_, stretch.reason, time_});
    }
}

void SourceFlow::resource_full(const TraceMessage& message) {
    const auto resource = static_cast<Resource>(message.value(Field::ResourceCode));
    if (resource != Resource::InstructionCount) {
        mode_ = Mode::History;
    }
    if (!located_) {
        ++unplaced_messages_;
        return;
    }
    const std::uint64_t data = message.value(Field::ResourceData);
    bool located = false;
    switch (resource) {
    case Resource::InstructionCount:
        located = add_units(data);
        break;
    case Resource::History:
        located = walk_history(data);
        break;
    case Resource::HistoryRepeat:
        located = walk_history(data, message.value(Field::HistoryRepeat));
        break;
    case Resource::NotTaken:
        located = walk_branches(data, RunEnd::NotTaken);
        break;
    case Resource::Taken:
        located = walk_branches(data, RunEnd::Taken);
        break;
    default:
        located = contradict("ResourceFull of a kind without a meaning");
        break;
    }
    if (located) {
        walk_inside(AtBranch::Wait);
    }
}

void SourceFlow::correlation(const TraceMessage& message) {
    if (message.has(Field::History)) {
        mode_ = Mode::History;
    }
    if (located_) {
        Stretch stretch;
        stretch.units = message.value(Field::InstructionCount);
        stretch.history = message.has(Field::History) ? message.value(Field::History) : 1;
        play(stretch);
    }
    const auto reason = static_cast<CorrelationEvent>(message.value(Field::EventCode));
    for (FlowSink* sink : sinks_) {
        sink->stopped({source_, reason, position(), time_});
    }
    located_ = false;
    mode_ = Mode::Unknown; // it may be another one when trace is enabled again
    previous_.reset();
}

void SourceFlow::repeat_branch(std::uint64_t count) {
    if (!located_) {
        ++unplaced_messages_;
        return;
    }
    if (!previous_) {
        contradict("RepeatBranch without a branch before it");
        return;
    }
    if (count > kMostRepeats) {
        contradict("B-CNT of more than 18 bits");
        return;
    }
    for (std::uint64_t i = 0; i < count && located_; ++i) {
        play(*previous_);
    }
}

/// PROCESS format 1 is assigned to nothing that a program does.
void SourceFlow::own(const TraceMessage& message) {
    const std::uint64_t process = message.value(Field::Process);
    const auto format = static_cast<std::uint8_t>(process & 3);
    if (format == 1) {
        return;
    }
    const FlowContext context{source_,
                              format,
                              static_cast<std::uint8_t>(process >> 2 & 3),
                              (process >> 4 & 1) != 0,
                              format == 0 ? 0 : process >> 5,
                              time_};
    if (format == kSupervisorContext && context_ != context.context) {
        context_ = context.context;
        segment_ = nullptr;
    }
    for (FlowSink* sink : sinks_) {
        sink->context_changed(context);
    }
}

bool SourceFlow::add_units(std::uint64_t units) {
    if (units > kMostUnits) {
        return contradict("I-CNT of more than 22 bits");
    }
    units_ += static_cast<std::int64_t>(units);
    return true;
}

bool SourceFlow::walk_history(std::uint64_t history, std::uint64_t repeat) {
    if (history == 0) {
        return contradict("HIST without a stop bit");
    }
    if (repeat > kMostRepeats) {
        return contradict("HREPEAT of more than 18 bits");
    }
    const int branches = static_cast<int>(std::bit_width(history)) - 1;
    for (std::uint64_t i = 0; i < repeat; ++i) {
        for (int bit = branches; bit-- > 0;) { // the oldest is the most significant
            if (!walk_to_branch((history >> bit & 1) != 0 ? RunEnd::Taken : RunEnd::NotTaken)) {
                return false;
            }
        }
    }
    return true;
}

bool SourceFlow::walk_branches(std::uint64_t count, RunEnd way) {
    for (; count > 0; --count) {
        if (!walk_to_branch(way)) {
            return false;
        }
    }
    return true;
}

/// Up to the next conditional branch and along it.
bool SourceFlow::walk_to_branch(RunEnd way) {
    while (units_ >= -static_cast<std::int64_t>(kMostUnits)) {
        const CodeRun* run = find();
        if (run == nullptr) {
            return false;
        }
        if (run->kind == FlowKind::Branch) {
            pass(*run, way, way == RunEnd::Taken ? run->target(pc_) : run->end(pc_));
            return true;
        }
        if (!follow(*run)) {
            return false;
        }
    }
    return contradict("HIST goes on without end");
}

/// As far as I-CNT reaches beyond the instruction that leaves the sequence.
bool SourceFlow::walk_inside(AtBranch at_branch) {
    while (units_ > 0) {
        const CodeRun* run = find();
        if (run == nullptr) {
            return false;
        }
        if (run->units > units_ && at_branch == AtBranch::Wait) {
            return walk_part(*run, units_);
        }
        if (run->units >= units_) {
            return at_branch == AtBranch::Refuse || walk_up_to_last(*run);
        }
        if (run->kind == FlowKind::Branch) {
            if (at_branch == AtBranch::Wait && mode_ != Mode::Branches) {
                return walk_up_to_last(*run);
            }
            if (mode_ == Mode::History) {
                return walk_up_to_last(*run) && contradict(kShortHistory);
            }
        }
        if (!follow(*run)) {
            return false;
        }
    }
    return true;
}

bool SourceFlow::walk_last(const Stretch& stretch) {
    if (units_ < 0) {
        return contradict("HIST has more branches than I-CNT has instructions");
    }
    if (units_ == 0) {
        return arrive(stretch, false);
    }
    const CodeRun* run = find();
    if (run == nullptr) {
        return false;
    }
    if (run->units > units_) {
        return walk_part(*run, units_) && arrive(stretch, false);
    }
    return finish_run(*run, stretch);
}

/// So many half-words of the run, less than all: I-CNT ends within it, or what follows waits.
bool SourceFlow::walk_part(const CodeRun& run, std::int64_t units) {
    CodeRun part;
    part.length = run.length;
    while (part.units < units) {
        const CodeRun& next = segment_->run(part.end(pc_));
        part.last_length = next.length & 7;
        part.units = static_cast<std::uint16_t>(part.units + next.length / 2);
        ++part.instructions;
    }
    if (part.units > units) {
        return contradict("I-CNT ends inside an instruction");
    }
    pass(part, RunEnd::Plain, part.end(pc_));
    return true;
}

/// What I-CNT says has run whatever becomes of the branch behind it.
bool SourceFlow::walk_up_to_last(const CodeRun& run) {
    return run.instructions == 1 || walk_part(run, run.units - run.last_length / 2);
}

/// I-CNT ends with the run.
bool SourceFlow::finish_run(const CodeRun& run, const Stretch& stretch) {
    switch (run.kind) {
    case FlowKind::Sequential:
        return follow(run) && arrive(stretch, false);
    case FlowKind::DirectJump:
        return follow(run) && arrive(stretch, true);
    case FlowKind::Branch:
        break;
    case FlowKind::IndirectJump:
    case FlowKind::TrapReturn:
        return finish_jump(run, stretch);
    }
    const bool to_target = stretch.address == run.target(pc_) && stretch.address != run.end(pc_);
    // An encoder whose HIST is full may leave the branch at the end to the address.
    if (mode_ == Mode::History &&
        (stretch.arrival == Arrival::Trap || (!to_target && stretch.address != run.end(pc_)))) {
        return walk_up_to_last(run) && contradict(kShortHistory);
    }
    // A synchronising message right behind a taken branch may stand for its message.
    const bool taken = stretch.arrival == Arrival::Taken ||
                       (stretch.arrival != Arrival::Trap && to_target &&
                        (stretch.arrival == Arrival::Sequence || mode_ == Mode::History));
    pass(run, taken ? RunEnd::Taken : RunEnd::NotTaken, taken ? run.target(pc_) : run.end(pc_));
    return arrive(stretch, taken);
}

bool SourceFlow::finish_jump(const CodeRun& run, const Stretch& stretch) {
    if (stretch.arrival == Arrival::Taken) {
        return contradict("a direct branch ends in an indirect jump");
    }
    if (stretch.arrival == Arrival::Trap) {
        return follow_implicit_return(run) && arrive(stretch, false);
    }
    if (stretch.arrival == Arrival::Transfer && !stretch.address) {
        return contradict("U-ADDR without an address before it");
    }
    note_links(run);
    pass(run, end_of(run), stretch.address);
    return true;
}

/// The flow has reached the end of I-CNT: what the message says of the place is to agree.
bool SourceFlow::arrive(const Stretch& stretch, bool transferred) {
    if (stretch.arrival == Arrival::Taken && !transferred) {
        return contradict("I-CNT of a direct branch does not end in one");
    }
    if (stretch.arrival == Arrival::Trap) {
        if (!stretch.address) {
            return contradict("U-ADDR without an address before it");
        }
        for (FlowSink* sink : sinks_) {
            sink->trapped({source_, stretch.trap, pc_, *stretch.address, time_});
        }
        pc_ = *stretch.address;
        return true;
    }
    if (!stretch.address || *stretch.address == pc_) {
        return true;
    }
    if (stretch.full && restarts(stretch.reason)) {
        begin(stretch);
        return true;
    }
    return contradict("the address is not where the program leads");
}

/// Over a run whose way the program tells; conditional branches are not taken.
bool SourceFlow::follow(const CodeRun& run) {
    switch (run.kind) {
    case FlowKind::Sequential:
        pass(run, RunEnd::Plain, run.end(pc_));
        return true;
    case FlowKind::Branch:
        pass(run, RunEnd::NotTaken, run.end(pc_));
        return true;
    case FlowKind::DirectJump:
        note_links(run);
        pass(run, end_of(run), run.target(pc_));
        return true;
    case FlowKind::IndirectJump:
    case FlowKind::TrapReturn:
        break;
    }
    return follow_implicit_return(run);
}

bool SourceFlow::follow_implicit_return(const CodeRun& run) {
    std::optional<Address> target;
    if (run.link == LinkUse::Return || run.link == LinkUse::ReturnAndCall) {
        target = returns_.pop();
    }
    if (!target) {
        return contradict("an indirect jump inside I-CNT");
    }
    if (run.link == LinkUse::ReturnAndCall) {
        returns_.push(run.end(pc_));
    }
    pass(run, end_of(run), target);
    return true;
}

void SourceFlow::note_links(const CodeRun& run) {
    if (run.link == LinkUse::Return || run.link == LinkUse::ReturnAndCall) {
        returns_.pop();
    }
    if (run.link == LinkUse::Call || run.link == LinkUse::ReturnAndCall) {
        returns_.push(run.end(pc_));
    }
}

void SourceFlow::pass(const CodeRun& run, RunEnd end, std::optional<Address> next) {
    const InstructionRun ran{source_,       end,  run.last_length, run.instructions, pc_,
                             run.last(pc_), next, time_,           segment_};
    for (FlowSink* sink : sinks_) {
        sink->ran(ran);
    }
    units_ -= run.units;
    located_ = next.has_value();
    pc_ = next.value_or(0);
}

const CodeRun* SourceFlow::find() {
    if (segment_ == nullptr || !segment_->holds(pc_)) {
        segment_ = image_.find(pc_, context_);
    }
    if (segment_ != nullptr && segment_->run(pc_).instructions != 0) {
        return &segment_->run(pc_);
    }
    lose(GapReason::OutsideProgram, "");
    return nullptr;
}

bool SourceFlow::contradict(const char* detail) {
    lose(GapReason::Contradiction, detail);
    return false;
}

void SourceFlow::lose(GapReason reason, std::uint64_t offset) {
    offset_ = offset;
    time_.reset();
    lose(reason, "");
}

void SourceFlow::lose(GapReason reason, const char* detail) {
    if (located_) {
        if (reason == GapReason::EncoderLoss || reason == GapReason::Damage ||
            reason == GapReason::Truncated) {
            dropped_units_ += waiting_units();
        }
        for (FlowSink* sink : sinks_) {
            sink->gap({source_, reason, offset_, pc_, time_, detail});
        }
    }
    located_ = false;
    units_ = 0;
    previous_.reset();
}

} // namespace pes::trace

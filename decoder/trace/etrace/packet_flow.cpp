// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/etrace/packet_flow.h"

#include <utility>

namespace pes::trace::etrace {
namespace {

constexpr std::uint32_t kEcall = 0x00000073;
constexpr std::uint32_t kEbreak = 0x00100073;
constexpr std::uint32_t kCompressedEbreak = 0x9002;

/// An indirect jump or a return from a trap. A jump to a constant is none.
bool uninferable(const CodeRun& run) {
    return run.instructions == 1 && !run.constant &&
           (run.kind == FlowKind::IndirectJump || run.kind == FlowKind::TrapReturn);
}

bool traps_itself(std::uint32_t raw) {
    return raw == kEcall || raw == kEbreak || raw == kCompressedEbreak;
}

} // namespace

void PacketFlow::add(const PacketItem& item) {
    offset_ = item.offset;
    time_ = item.time;
    const Packet& packet = item.frame.packet;
    if (packet.is(Sync::Support)) {
        support(packet);
    } else if (!options_) {
        ++unplaced_; // what its addresses mean is unknown
    } else if (packet.format == Format::Sync) {
        sync(packet);
    } else if (located_) {
        report(packet);
    } else {
        ++unplaced_;
    }
}

void PacketFlow::sync(const Packet& packet) {
    switch (packet.sync) {
    case Sync::Start:
        start(packet);
        break;
    case Sync::Trap:
        trap(packet);
        break;
    case Sync::Context:
        tell_privilege(packet);
        break;
    case Sync::Support:
        break;
    }
    if (packet.synchronises()) {
        branches_.reset_predictor();
        targets_.reset();
    }
}

void PacketFlow::report(const Packet& packet) {
    jumps_ = 0;
    if (inferred_ && !walk_to_second(*std::exchange(inferred_, std::nullopt))) {
        return;
    }
    if (!take_branches(packet)) {
        return;
    }
    if (!packet.locates()) {
        if (walk({}, Goal::LastBranch)) {
            settle();
        }
        return;
    }
    if (!take_address(packet)) {
        return;
    }
    // The last branch that a count can tell is met in the midst of the program.
    const bool full_count = packet.format == Format::Extension &&
                            packet.extension == Extension::BranchCount &&
                            packet.branch_count == kMostCount;
    const Target target{address_, packet.notify || full_count, packet.updiscon, packet.irreport,
                        packet.irdepth};
    if (walk(target, Goal::Report)) {
        settle();
    }
}

/// False if the packet cannot be what the encoder sends with its options.
bool PacketFlow::take_branches(const Packet& packet) {
    if (packet.format != Format::Extension) {
        branches_.add(packet.branch_map, packet.branches);
        return true;
    }
    if (packet.extension == Extension::JumpTarget) {
        if (!options_->jump_target_cache) {
            return contradict("a jump target index, which the encoder's options do not have");
        }
        branches_.add(packet.branch_map, packet.branches);
        return true;
    }
    if (!options_->branch_prediction) {
        return contradict("a branch count, which the encoder's options do not have");
    }
    branches_.add_predicted(std::uint64_t{packet.branch_count} + kCountBase,
                            packet.branch_format != BranchFormat::Address);
    return true;
}

bool PacketFlow::take_address(const Packet& packet) {
    if (packet.format == Format::Extension && packet.extension == Extension::JumpTarget) {
        const std::optional<Address> target = targets_.at(packet.index);
        if (!target) {
            return contradict("a jump target index for which no packet has told an address");
        }
        address_ = *target;
        return true;
    }
    address_ = (options_->full_address ? packet.address : address_ + packet.address) &
               parameters_.address_mask();
    return true;
}

// --- Format 3 -----------------------------------------------------------------------------------

void PacketFlow::start(const Packet& packet) {
    inferred_.reset();
    jumps_ = 0;
    if (trap_) {
        const PendingTrap trap = *std::exchange(trap_, std::nullopt);
        tell_trap(trap.kind, trap.from, packet.address);
        arrive(packet);
    } else if (handler_) {
        if (*handler_ != packet.address) {
            contradict("trace does not go on at the handler of a trap");
            begin(packet.address);
        }
        handler_.reset();
        arrive(packet);
    } else if (!located_) {
        begin(packet.address);
        arrive(packet);
    } else if (note_branch(packet.address, packet.branch)) {
        go_on(packet);
    }
}

/// The flow leads to the synchronising packet.
void PacketFlow::go_on(const Packet& packet) {
    if (!walk({.address = packet.address, .privilege = packet.privilege}, Goal::Start)) {
        begin(packet.address);
        arrive(packet);
        return;
    }
    address_ = packet.address;
    returns_.clear();
    tell_privilege(packet);
    settle();
}

/// A decoder is at this instruction, whatever was before.
void PacketFlow::arrive(const Packet& packet) {
    address_ = packet.address;
    returns_.clear();
    branches_.clear();
    pc_ = packet.address;
    begin_ = packet.address;
    passed_ = 0;
    told_ = false;
    located_ = true;
    tell_privilege(packet);
    if (note_branch(packet.address, packet.branch)) {
        settle();
    }
}

void PacketFlow::begin(Address address) {
    for (FlowSink* sink : sinks_) {
        sink->started({source_, address, SyncReason::TraceEnable, time_});
    }
}

void PacketFlow::trap(const Packet& packet) {
    inferred_.reset();
    const TrapKind kind = packet.interrupt ? TrapKind::Interrupt : TrapKind::Exception;
    if (trap_) {
        trap_behind_trap(packet, kind);
    } else if (handler_) {
        trapped(kind, *std::exchange(handler_, std::nullopt), packet);
    } else if (located_) {
        trap_behind_instruction(packet, kind);
    } else if (packet.thaddr) { // where it happened is before the trace
        begin(packet.address);
        arrive(packet);
    } else {
        begin(packet.address);
        trap_ = PendingTrap{kind, packet.address};
        tell_privilege(packet);
    }
}

/// The handler of the trap before has not been told: it is the place of this one.
void PacketFlow::trap_behind_trap(const Packet& packet, TrapKind kind) {
    if (packet.thaddr) {
        lose(GapReason::Contradiction, "a trap in a trap handler that no packet has named");
        begin(packet.address);
        arrive(packet);
        return;
    }
    tell_trap(trap_->kind, trap_->from, packet.address);
    trap_ = PendingTrap{kind, packet.address};
}

void PacketFlow::trap_behind_instruction(const Packet& packet, TrapKind kind) {
    const CodeRun* run = find(pc_);
    if (run == nullptr) {
        return;
    }
    Leave way = way_of(*run);
    if (!way.next && !way.implicit_return && packet.thaddr) {
        contradict("a trap behind an indirect jump whose target no packet has told");
        begin(packet.address);
        arrive(packet);
        return;
    }
    const bool told_place = uninferable(*run) && !packet.thaddr;
    if (told_place) {
        way.next = packet.address;
    } else if (way.implicit_return) {
        way.next = returns_.back();
    }
    const bool itself = traps_itself(segment_->word(pc_));
    const Address from = itself ? pc_ : way.next.value_or(pc_);
    if (!told_) {
        emit(*run, way.end, way.next);
    }
    if (told_place) {
        located_ = false;
        trap_ = PendingTrap{kind, from};
    } else {
        trapped(kind, from, packet);
    }
}

/// A trap at a place that is known. If its handler was trapped before anything retired, reference
/// encoder and this platform's tell its address nevertheless.
void PacketFlow::trapped(TrapKind kind, Address from, const Packet& packet) {
    tell_trap(kind, from, packet.address);
    if (packet.thaddr) {
        arrive(packet);
        return;
    }
    handler_ = packet.address;
    located_ = false;
}

void PacketFlow::tell_trap(TrapKind kind, Address from, Address to) {
    for (FlowSink* sink : sinks_) {
        sink->trapped({source_, kind, from, to, time_});
    }
}

void PacketFlow::tell_privilege(const Packet& packet) {
    if (privilege_ == packet.privilege) {
        return;
    }
    privilege_ = packet.privilege;
    for (FlowSink* sink : sinks_) {
        sink->context_changed({.source = source_, .privilege = packet.privilege, .time = time_});
    }
}

void PacketFlow::support(const Packet& packet) {
    if (packet.qual_status == QualStatus::EndedNotReported && located_ && inferred_) {
        const Target target = *inferred_;
        jumps_ = 0;
        if (!walk_to_second(target)) {
            return;
        }
    }
    options_ = packet.ioptions;
    switch (packet.qual_status) {
    case QualStatus::NoChange:
        break;
    case QualStatus::TraceLost:
        lose(GapReason::EncoderLoss, "");
        break;
    case QualStatus::EndedReported:
    case QualStatus::EndedNotReported:
        stop();
        break;
    }
}

void PacketFlow::stop() {
    const std::optional<Address> where = position();
    finish();
    for (FlowSink* sink : sinks_) {
        sink->stopped({source_, CorrelationEvent::TraceDisabled, where, time_});
    }
    forget();
}

// --- The walk -----------------------------------------------------------------------------------

bool PacketFlow::walk(const Target& target, Goal goal) {
    for (;;) {
        const Step made = step(target);
        if (made == Step::Failed) {
            return false;
        }
        if (goal == Goal::LastBranch) {
            if (made == Step::Arrived) {
                return contradict("an indirect jump before the last branch of a branch map");
            }
            if (branches_.left() == 1 && is_branch(pc_)) {
                return true;
            }
            continue;
        }
        if (made == Step::Arrived) {
            return !unprocessed_branches() || contradict("a branch map has more branches than ran");
        }
        if (is_there(target, goal)) {
            if (goal == Goal::Report && !target.notify) {
                inferred_ = target;
            }
            return true;
        }
    }
}

/// The instruction behind the updiscon that leads to a place which has been met without one.
bool PacketFlow::walk_to_second(const Target& target) {
    Step made = Step::Moved;
    while (made == Step::Moved) {
        made = step(target);
    }
    return made == Step::Arrived;
}

bool PacketFlow::is_there(const Target& target, Goal goal) {
    if (pc_ != target.address || unprocessed_branches()) {
        return false;
    }
    if (goal == Goal::Start) { // only a return from a trap leads to another mode
        return privilege_ == target.privilege;
    }
    const bool depth_fits = !target.irreport || target.irdepth == returns_.size();
    return depth_fits && (target.notify || !target.updiscon);
}

/// One instruction on; Arrived: by a jump whose target the packet has told.
PacketFlow::Step PacketFlow::step(const Target& target) {
    const CodeRun* run = find(pc_);
    if (run == nullptr) {
        return Step::Failed;
    }
    Leave way = way_of(*run);
    if (run->instructions == 1 && run->kind == FlowKind::Branch) {
        if (branches_.left() == 0) {
            contradict("a branch of which no packet tells the way");
            return Step::Failed;
        }
        jumps_ = 0;
    }
    jumps_ += way.end == RunEnd::Plain ? 0 : 1;
    if (jumps_ > kMostJumps) {
        contradict("the program goes round without a branch");
        return Step::Failed;
    }
    bool arrived = false;
    if (way.implicit_return && !fails(target)) {
        way.next = returns_.back();
    } else if (!way.next) {
        way.implicit_return = false;
        way.next = target.address;
        arrived = true;
        if (run->kind == FlowKind::IndirectJump && options_->jump_target_cache) {
            targets_.store(target.address);
        }
    }
    pass(*run, way);
    pc_ = *way.next;
    return arrived ? Step::Arrived : Step::Moved;
}

/// The packet says that the return at this depth of calls went elsewhere.
bool PacketFlow::fails(const Target& target) const {
    if (!target.irreport || target.irdepth != returns_.size()) {
        return false;
    }
    const CodeSegment* there = image_.find(target.address);
    const bool to_branch = there != nullptr && there->run(target.address).instructions == 1 &&
                           there->run(target.address).kind == FlowKind::Branch;
    return branches_.left() == (to_branch ? 1U : 0U);
}

/// Where the instruction at pc_ leads, as far as program and branch map tell.
PacketFlow::Leave PacketFlow::way_of(const CodeRun& run) const {
    if (run.instructions != 1) {
        return {.next = pc_ + run.length};
    }
    switch (run.kind) {
    case FlowKind::Sequential:
        return {.next = run.end(pc_)};
    case FlowKind::Branch: {
        if (branches_.left() == 0) {
            return {.end = RunEnd::NotTaken};
        }
        const bool taken = branches_.taken(pc_);
        return {.end = taken ? RunEnd::Taken : RunEnd::NotTaken,
                .next = taken ? run.target(pc_) : run.end(pc_)};
    }
    case FlowKind::DirectJump:
        return {.end = run.link == LinkUse::Call ? RunEnd::Call : RunEnd::Jump,
                .next = run.target(pc_)};
    case FlowKind::TrapReturn:
        return {.end = RunEnd::TrapReturn};
    case FlowKind::IndirectJump:
        break;
    }
    constexpr RunEnd kEnds[] = {RunEnd::IndirectJump, RunEnd::Call, RunEnd::Return,
                                RunEnd::ReturnAndCall}; // in the order of LinkUse
    if (run.constant) {
        return {.end = kEnds[static_cast<std::size_t>(run.link)],
                .next = static_cast<Address>(std::int64_t{run.offset})};
    }
    return {.end = kEnds[static_cast<std::size_t>(run.link)],
            .implicit_return = run.link == LinkUse::Return && options_ &&
                               options_->implicit_return && !returns_.empty()};
}

/// The instruction at pc_ is left.
void PacketFlow::pass(const CodeRun& run, const Leave& way) {
    if (run.instructions == 1) {
        if (run.kind == FlowKind::Branch && branches_.left() != 0) {
            branches_.pass(pc_, options_->branch_prediction);
        }
        if (way.implicit_return) {
            returns_.pop_back();
        }
        if (run.link == LinkUse::Call || run.link == LinkUse::ReturnAndCall) {
            push(run.end(pc_));
        }
    }
    if (told_) {
        told_ = false;
        begin_ = way.next.value_or(0);
        passed_ = 0;
    } else if (run.instructions == 1) {
        emit(run, way.end, way.next);
    } else {
        ++passed_;
    }
}

/// The run up to and including pc_.
void PacketFlow::emit(const CodeRun& run, RunEnd end, std::optional<Address> next) {
    const InstructionRun ran{source_, end,  run.length, passed_ + 1, begin_,
                             pc_,     next, time_,      segment_};
    for (FlowSink* sink : sinks_) {
        sink->ran(ran);
    }
    begin_ = next.value_or(0);
    passed_ = 0;
}

/// Tells what this packet has told, unless only the next one says where pc_ leads.
void PacketFlow::settle() {
    const CodeRun* run = find(pc_);
    if (run == nullptr || told_) {
        return;
    }
    branches_.place_last(pc_);
    const Leave way = way_of(*run);
    if (way.next) {
        emit(*run, way.end, way.next);
        told_ = true;
    }
}

/// Nothing follows on pc_: it is told without where it leads, if that is not known.
void PacketFlow::finish() {
    if (!located_) {
        return;
    }
    settle();
    if (located_ && !told_) {
        emit(*find(pc_), way_of(*find(pc_)).end, std::nullopt);
    }
}

bool PacketFlow::note_branch(Address address, bool not_taken) {
    const CodeRun* run = find(address);
    if (run == nullptr) {
        return false;
    }
    if (run->instructions == 1 && run->kind == FlowKind::Branch) {
        branches_.add(not_taken ? 1 : 0, 1);
    }
    return true;
}

bool PacketFlow::unprocessed_branches() {
    return branches_.left() != (is_branch(pc_) ? 1U : 0U);
}

bool PacketFlow::is_branch(Address pc) {
    const CodeRun* run = find(pc);
    return run != nullptr && run->instructions == 1 && run->kind == FlowKind::Branch;
}

void PacketFlow::push(Address address) {
    if (!options_ || !options_->implicit_return) {
        return;
    }
    const unsigned size = parameters_.return_stack_size != 0 ? parameters_.return_stack_size
                                                             : parameters_.call_counter_size;
    if (returns_.size() == std::size_t{1} << size) {
        returns_.erase(returns_.begin());
    }
    returns_.push_back(address);
}

const CodeRun* PacketFlow::find(Address pc) {
    if (segment_ == nullptr || !segment_->holds(pc)) {
        segment_ = image_.find(pc);
    }
    if (segment_ != nullptr && segment_->run(pc).instructions != 0) {
        return &segment_->run(pc);
    }
    lose(GapReason::OutsideProgram, "");
    return nullptr;
}

std::optional<Address> PacketFlow::position() const {
    if (!located_) {
        return handler_;
    }
    const CodeSegment* segment = image_.find(pc_);
    if (segment == nullptr || segment->run(pc_).instructions == 0) {
        return std::nullopt;
    }
    return way_of(segment->run(pc_)).next;
}

// --- Losses -------------------------------------------------------------------------------------

bool PacketFlow::contradict(const char* detail) {
    lose(GapReason::Contradiction, detail);
    return false;
}

void PacketFlow::lose(GapReason reason, std::uint64_t offset) {
    offset_ = offset;
    time_.reset();
    lose(reason, "");
}

/// What packets have told has happened, whatever was lost behind them.
void PacketFlow::lose(GapReason reason, const char* detail) {
    if (located_ || trap_ || handler_) {
        if (reason != GapReason::Contradiction && reason != GapReason::OutsideProgram) {
            finish();
        }
        for (FlowSink* sink : sinks_) {
            sink->gap({source_, reason, offset_, pc_, time_, detail});
        }
    }
    forget();
}

void PacketFlow::forget() {
    located_ = false;
    told_ = false;
    inferred_.reset();
    trap_.reset();
    handler_.reset();
    branches_.clear();
    returns_.clear();
}

} // namespace pes::trace::etrace

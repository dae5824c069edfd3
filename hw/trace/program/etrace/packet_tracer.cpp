// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/program/etrace/packet_tracer.h"

#include "hw/interface/maps/exceptions.h"
#include "hw/interface/trace/etrace/frame.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace pes::trace::etrace {
namespace {

/// An updiscon by its instruction word: the pc behind it is not in the program.
bool uninferable(const InstructionFlow& flow) {
    return flow.kind == FlowKind::IndirectJump || flow.kind == FlowKind::TrapReturn;
}

/// A jump to a constant is inferable (the specification's "Jump Classification"). Its target is
/// anywhere, so a new stretch begins there, as behind a backward jump.
InstructionFlow flow_of(std::uint32_t raw) {
    InstructionFlow flow = classify_flow(raw);
    if (flow.constant) {
        flow.kind = FlowKind::DirectJump;
        flow.offset = 0;
    }
    return flow;
}

std::size_t size_of(const Packet& packet, const Parameters& parameters) {
    return pack_frame({.source = 0, .timestamp = {}, .packet = packet}, {}, parameters).size;
}

} // namespace

bool Passed::before(Address pc) const {
    return std::ranges::any_of(std::span(stretches_).first(count_), [pc](const Stretch& stretch) {
        return pc >= stretch.first && pc <= stretch.last;
    });
}

// --- Start and stop -----------------------------------------------------------------------------

void PacketTracer::configure(const InstructionTraceSettings& settings) {
    settings_ = settings;
    unit_limit_ = settings.sync_units == 0 ? ~std::uint64_t{0} : settings.sync_units;
}

void PacketTracer::start(Cycle at) {
    state_ = State::Waiting;
    before_ = Before::Nothing;
    resync_ = false;
    wanted_ = false;
    notify_ = false;
    from_ = at;
    forget();
}

/// Called while a packet waits for room, it leaves the end untold. The next start says so.
void PacketTracer::stop(Cycle at) {
    lost_ = lost_ || sending_;
    if (state_ != State::Stopped && !sending_) {
        const Next next{Next::Kind::End, held_.privilege, std::max(at, held_.cycle)};
        if (state_ == State::Running) {
            encode(next);
        }
        if (state_ == State::Running || lost_) {
            end(next);
        }
    }
    state_ = State::Stopped;
    quiet_ = false;
}

/// The last packet has told of the last instruction. Its bit updiscon says whether it was the
/// target of one, so ended_rep is right in either case.
void PacketTracer::end(const Next& next) {
    const bool told = before_ != Before::Nothing && !lost_;
    if (!told && !lost_) {
        return; // nothing was traced
    }
    const std::array packets{
        support(false, lost_ ? QualStatus::TraceLost : QualStatus::EndedReported)};
    sending_ = true;
    const Cycle time = std::min(std::max(held_.cycle, from_), next.at);
    lost_ = port_.send(packets, time, next.at) != SendResult::Sent;
    sending_ = false;
}

void PacketTracer::forget() {
    told_branches();
    calls_.clear();
    passed_.clear(held_.pc);
    quiet_ = false;
}

// --- The instruction stream ---------------------------------------------------------------------

void PacketTracer::take(const Retirement& retirement) {
    Item item;
    item.pc = retirement.pc;
    item.next_pc = retirement.next_pc;
    item.privilege = retirement.privilege;
    item.flow = flow_of(retirement.raw);
    item.cycle = retirement.cycle;
    item.notify = std::exchange(notify_, false);
    units_ += retirement.length / 2U;
    advance(item);
}

/// Up to two packets tell of the last instruction of the block before, and two of where it has
/// gone; two of a trap before the first one, and six more where the trace synchronises, in a place
/// where a reader can begin.
std::size_t PacketTracer::blocks_within(std::size_t packets) const {
    constexpr std::size_t kEach = 4, kTrap = 3, kSync = 6;
    const std::size_t most = packets / kEach;
    const bool quiet =
        state_ == State::Running && !wanted_ && !resync_ && held_.privilege == privilege_ &&
        units_ + most * kMostBlockHalfWords < unit_limit_ &&
        (settings_.sync_messages == 0 || packets_ + most * kEach < settings_.sync_messages);
    const std::size_t others = quiet ? kTrap : kTrap + kSync;
    const bool seldom =
        settings_.sync_units == 0 || settings_.sync_units >= 4 * kMostBlockHalfWords;
    return seldom && packets > others ? (packets - others) / kEach : 0;
}

void PacketTracer::retired_block(const RetiredBlock& block) {
    const std::size_t last = block.steps.size() - 1;
    for (std::size_t index = 0; index <= last; ++index) {
        const std::uint32_t before = index == 0 ? 0 : block.steps[index - 1].half_words;
        const std::uint32_t until_last = last == 0 ? 0 : block.steps[last - 1].half_words;
        if (index < last && quiet_ && block.privilege == held_.privilege &&
            units_ + (until_last - before) < unit_limit_) {
            const Retirement plain = retirement_in(block, last - 1);
            held_.pc = plain.pc;
            held_.next_pc = plain.next_pc;
            held_.cycle = plain.cycle;
            units_ += until_last - before;
            index = last;
        }
        retired(retirement_in(block, index));
    }
}

void PacketTracer::trapped(const TrapTaken& trap) {
    Item item;
    item.trap = true;
    item.pc = trap.epc;
    item.next_pc = trap.vector;
    item.privilege = trap.from;
    item.cause = trap.cause;
    item.tval = trap.tval;
    item.cycle = trap.cycle;
    advance(item);
}

void PacketTracer::advance(const Item& item) {
    if (state_ == State::Stopped || (state_ == State::Waiting && item.cycle <= from_)) {
        return;
    }
    if (state_ == State::Running) {
        encode(
            {item.trap ? Next::Kind::Trap : Next::Kind::Instruction, item.privilege, item.cycle});
        if (state_ == State::Stopped || (state_ == State::Waiting && item.cycle <= from_)) {
            return; // or restarted, meanwhile
        }
    }
    state_ = State::Running;
    held_ = item;
    quiet_ = !held_.trap && before_ == Before::Sequence && !resync_ && !sync_due() &&
             held_.flow.kind == FlowKind::Sequential && held_.privilege == privilege_ &&
             !held_.notify;
}

/// What the held item makes necessary; then it is the one before.
void PacketTracer::encode(const Next& next) {
    if (held_.trap) {
        encode_trap(next);
    } else {
        encode_instruction(next);
    }
}

void PacketTracer::encode_trap(const Next& next) {
    // Neither the program nor the return stack tells where it happened.
    const bool unknown_place = before_ == Before::Nothing || before_ == Before::Updiscon ||
                               before_ == Before::ReportedTrap;
    if (before_ == Before::Trap) {
        send_trap(trap_, held_.pc, false, next); // its handler has been trapped at once
    } else if (unknown_place) {
        send_trap(held_, held_.pc, false, next);
    }
    if (state_ != State::Running || before_ == Before::Nothing) {
        return;
    }
    before_ = unknown_place ? Before::ReportedTrap : Before::Trap;
    trap_ = held_;
    if (next.kind == Next::Kind::End && before_ == Before::Trap) {
        send_trap(trap_, held_.next_pc, false, next);
    }
}

void PacketTracer::encode_instruction(const Next& next) {
    told_ = false;
    note_branch();
    const bool sync_here = sends_sync();
    const bool changes = next.kind == Next::Kind::Instruction && next.privilege != held_.privilege;
    const bool sync_next = !sync_here && next.kind == Next::Kind::Instruction && sync_due();
    if (before_ == Before::Trap) {
        send_trap(trap_, held_.pc, true, next);
    } else if (sync_here) {
        send_start(next);
    } else if (before_ == Before::Updiscon) {
        send_report(next, Notify::No, next.kind != Next::Kind::Instruction || changes || sync_next);
    } else if (next.kind != Next::Kind::Instruction ||
               ((changes || sync_next) && !told_ && !placed(changes))) {
        send_report(next, Notify::No, false);
    } else if (branches_due() && !held_.notify) {
        send_branches(next);
    } else if (held_.notify || repeats()) {
        send_report(next, Notify::Yes, false);
    } else if (predicted_ == std::uint64_t{kMostCount} + kCountBase) {
        send_report(next, Notify::No, false);
    }
    resync_ = resync_ || sync_next;
    pass();
}

/// The held instruction is one with which a decoder can begin.
bool PacketTracer::sends_sync() const {
    return before_ == Before::Nothing || before_ == Before::Trap ||
           before_ == Before::ReportedTrap || held_.privilege != privilege_ || resync_ ||
           mispredicts();
}

/// The held instruction is a return that goes elsewhere than the return stack says. Synchronising
/// there empties the stack, so that a decoder takes it for any other jump. To tell the depth of
/// calls at which a return fails (irreport) would not do: of returns at this depth a decoder takes
/// the first, and packets of format 3, such as of a trap behind the return, cannot tell it.
bool PacketTracer::mispredicts() const {
    return settings_.etrace.implicit_return && held_.flow.link == LinkUse::Return &&
           calls_.held() != 0 && calls_.top() != held_.next_pc;
}

void PacketTracer::note_branch() {
    if (held_.flow.kind == FlowKind::Branch) {
        predicted_ += settings_.etrace.branch_prediction && learn_branch() ? 1 : 0;
        if (branches_ < kMostBranches) {
            branch_map_ |= std::uint32_t{!branch_taken()} << branches_;
        }
        ++branches_;
        passed_.clear(held_.pc);
        branch_pc_ = held_.pc;
    }
}

/// True if it went the way that the predictor has for it.
bool PacketTracer::learn_branch() {
    const bool taken = branch_taken();
    const bool predicted = predictor_.predicts_taken(held_.pc) == taken;
    predictor_.learn(held_.pc, taken);
    return predicted;
}

/// A branch map is full, or one more branch than a count can tell has failed its prediction.
bool PacketTracer::branches_due() const {
    return branches_ >= kMostBranches && branches_ != predicted_;
}

void PacketTracer::told_branches() {
    branches_ = 0;
    predicted_ = 0;
    branch_map_ = 0;
}

/// A synchronising packet for the next instruction needs none before it: the program has not been
/// there since the last told place.
bool PacketTracer::placed(bool changes) const {
    const FlowKind kind = held_.flow.kind;
    const bool forward = kind == FlowKind::Sequential || kind == FlowKind::DirectJump ||
                         (kind == FlowKind::TrapReturn && changes); // in another mode
    return forward && branches_ == 0 && !unresolved_ && !passed_.holds(held_.next_pc, held_.pc);
}

/// Without a branch or a told place in between, a decoder takes a place for the first one with its
/// address. Before the program jumps to where it has been, a packet tells the jump.
bool PacketTracer::repeats() const {
    if (held_.flow.kind == FlowKind::DirectJump || predicts_return()) {
        return passed_.holds(held_.next_pc, held_.pc) || (begins_stretch() && passed_.full());
    }
    // Its target may be met before it: with implicit returns the jump is told, else the packet
    // behind that of the target resolves it.
    return uninferable(held_.flow) && settings_.etrace.implicit_return &&
           passed_.holds(held_.next_pc, held_.pc);
}

/// The program may come back to what lies between the held instruction and the next.
bool PacketTracer::begins_stretch() const {
    return predicts_return() || (held_.flow.kind == FlowKind::DirectJump &&
                                 (held_.flow.is_call() || held_.flow.offset <= 0));
}

/// The held instruction is a return that is not told.
bool PacketTracer::predicts_return() const {
    return settings_.etrace.implicit_return && held_.flow.link == LinkUse::Return &&
           calls_.top() == held_.next_pc;
}

/// The held instruction is left. A decoder does not take what is behind a branch or a told place
/// for what was before.
void PacketTracer::pass() {
    if (state_ != State::Running) {
        return;
    }
    before_ = Before::Sequence;
    if (told_ || held_.flow.kind == FlowKind::Branch) {
        passed_.clear(held_.next_pc);
    } else if (begins_stretch()) {
        passed_.begin(held_.pc, held_.next_pc);
    }
    if (predicts_return()) {
        calls_.pop();
        before_ = Before::ImplicitReturn;
    } else if (uninferable(held_.flow)) {
        before_ = Before::Updiscon;
        jumped_ = held_.flow.kind == FlowKind::IndirectJump;
    }
    if (held_.flow.is_call()) {
        calls_.push(held_.pc + held_.flow.length);
    }
}

// --- Packets ------------------------------------------------------------------------------------

bool PacketTracer::sync_due() const {
    return wanted_ || (settings_.sync_messages != 0 && packets_ >= settings_.sync_messages) ||
           units_ >= unit_limit_;
}

Packet PacketTracer::support(bool enabled, QualStatus status) const {
    Packet packet;
    packet.sync = Sync::Support;
    packet.ienable = enabled;
    packet.qual_status = status;
    packet.ioptions = settings_.etrace;
    return packet;
}

Packet PacketTracer::sync_packet(Sync sync) const {
    Packet packet;
    packet.sync = sync;
    packet.branch = held_.trap || held_.flow.kind != FlowKind::Branch || !branch_taken();
    packet.privilege = static_cast<std::uint8_t>(held_.privilege);
    return packet;
}

void PacketTracer::send_start(const Next& next) {
    if (mispredicts() && !send_way_here(next)) {
        return;
    }
    Packet packet = sync_packet(Sync::Start);
    packet.address = held_.pc;
    send_sync(packet, next);
}

/// A start packet tells neither branches before it, nor which time a place is met. False if the
/// start need not be sent any more.
bool PacketTracer::send_way_here(const Next& next) {
    const bool again = passed_.before(held_.pc);
    if (before_ == Before::Nothing || before_ == Before::Trap || (branches_ == 0 && !again)) {
        return true;
    }
    Packet packet = report(again ? passed_.begin() : branch_pc_, address_);
    packet.notify = true;
    told_branches();
    return send(std::span(&packet, 1), next);
}

void PacketTracer::send_trap(const Item& trap, Address address, bool thaddr, const Next& next) {
    Packet packet = sync_packet(Sync::Trap);
    if (!thaddr) {
        packet.branch = true;
        packet.privilege = static_cast<std::uint8_t>(trap.privilege);
    }
    const unsigned width = port_.parameters().ecause_width;
    packet.ecause = static_cast<std::uint16_t>(trap.cause & ((1U << width) - 1));
    packet.interrupt = (trap.cause & kInterruptBit) != 0;
    packet.thaddr = thaddr;
    packet.address = address;
    packet.tval = packet.interrupt ? 0 : trap.tval;
    send_sync(packet, next);
}

/// At the start of a trace, behind a loss, and from time to time, a support packet goes with it.
void PacketTracer::send_sync(const Packet& packet, const Next& next) {
    const QualStatus status = lost_ ? QualStatus::TraceLost : QualStatus::NoChange;
    const std::array packets{support(true, status), packet};
    const std::span all(packets);
    const bool supported = before_ == Before::Nothing || (resync_ && packet.is(Sync::Start)) ||
                           unsupported_ >= kSupportInterval;
    if (!send(supported ? all : all.last(1), next)) {
        return;
    }
    unsupported_ = supported ? 0 : unsupported_;
    if (before_ == Before::Nothing) {
        before_ = Before::Sequence;
        lost_ = false;
    }
    unresolved_ = false;
    told_ = true;
    address_ = packet.address;
    privilege_ = held_.privilege;
    told_branches();
    predictor_.reset();
    targets_.reset();
    if (settings_.etrace.branch_prediction && !held_.trap && held_.flow.kind == FlowKind::Branch) {
        learn_branch(); // the packet tells its way
    }
    calls_.clear();
    resync_ = false;
    wanted_ = false;
    packets_ = 0;
    units_ = 0;
}

/// The place of the held instruction. If the program has run on into where it had been, the
/// beginning of the stretch is told first. Behind a return that is not told, a decoder stops only
/// for `notify`.
void PacketTracer::send_report(const Next& next, Notify notify, bool updiscon) {
    std::array<Packet, 2> packets{};
    std::size_t count = 0;
    const bool jumped = before_ == Before::Updiscon;
    Address last = address_;
    if (!jumped && passed_.before(held_.pc)) {
        packets[count] = report(passed_.begin(), last);
        packets[count++].notify = true;
        last = passed_.begin();
        told_branches(); // with the first
    }
    Packet& packet = packets[count++] = report(held_.pc, last);
    packet.notify =
        notify == Notify::Yes || (held_.notify && !jumped) || before_ == Before::ImplicitReturn;
    packet.updiscon = updiscon;
    const bool caches = jumped && jumped_ && settings_.etrace.jump_target_cache;
    if (caches && !updiscon) {
        use_index(packet);
    }
    if (send(std::span(packets).first(count), next)) {
        unresolved_ = jumped && !updiscon && !settings_.etrace.implicit_return;
        told_ = true;
        address_ = held_.pc;
        told_branches();
        if (caches) {
            targets_.store(held_.pc);
        }
    }
}

/// The target of a jump by its index, where that is shorter. Such a packet has no `updiscon`.
void PacketTracer::use_index(Packet& packet) const {
    if (!targets_.holds(held_.pc) || packet.format == Format::Extension) {
        return;
    }
    Packet indexed = packet;
    indexed.format = Format::Extension;
    indexed.extension = Extension::JumpTarget;
    indexed.index = targets_.index(held_.pc);
    indexed.has_address = false;
    indexed.address = 0;
    const Parameters& parameters = port_.parameters();
    if (size_of(indexed, parameters) < size_of(packet, parameters)) {
        packet = indexed;
    }
}

/// An address of format 0, 1 or 2, with the branches.
Packet PacketTracer::report(Address address, Address last) const {
    Packet packet = branches_packet();
    if (packet.format == Format::Extension) {
        packet.branch_format =
            branches_ == predicted_ ? BranchFormat::Address : BranchFormat::AddressMissed;
    } else {
        packet.has_address = branches_ != 0; // of format 2 it is understood
    }
    packet.address = settings_.etrace.full_address ? address : address - last;
    return packet;
}

/// Branches without an address: a map, or the count of those that went as predicted.
Packet PacketTracer::branches_packet() const {
    Packet packet;
    if (predicted_ >= kCountBase) {
        packet.format = Format::Extension;
        packet.extension = Extension::BranchCount;
        packet.branch_count = static_cast<std::uint32_t>(predicted_ - kCountBase);
        return packet;
    }
    packet.format = branches_ != 0 ? Format::Branch : Format::Address;
    packet.branches = static_cast<std::uint8_t>(branches_);
    packet.branch_map = branch_map_;
    return packet;
}

void PacketTracer::send_branches(const Next& next) {
    const Packet packet = branches_packet();
    if (send(std::span(&packet, 1), next)) {
        unresolved_ = false;
        told_branches();
    }
}

/// False if the packets were lost, so that the next instruction begins anew, or if the trace was
/// stopped: while the port stalls the hart, the trace may be stopped or even restarted.
bool PacketTracer::send(std::span<const Packet> packets, const Next& next) {
    if (state_ != State::Running) {
        return false;
    }
    sending_ = true;
    const SendResult result = port_.send(packets, held_.cycle, next.at);
    sending_ = false;
    if (state_ != State::Running) {
        return false;
    }
    if (result == SendResult::Sent) {
        packets_ += packets.size();
        unsupported_ += packets.size();
        return true;
    }
    state_ = State::Waiting;
    before_ = Before::Nothing;
    lost_ = true;
    from_ = 0;
    forget();
    return false;
}

} // namespace pes::trace::etrace

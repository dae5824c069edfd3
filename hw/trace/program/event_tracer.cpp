// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/program/event_tracer.h"

#include "hw/interface/maps/exceptions.h"
#include "hw/interface/maps/trace.h"

#include <algorithm>

namespace pes::trace {

namespace {

/// CKDATA1 of a context event: the kind of context in the low two bits, its new value above.
constexpr std::uint64_t kContextPrivilege = 0;
constexpr unsigned kContextShift = 2;

ControlCode code_of(SyncReason reason) {
    switch (reason) {
    case SyncReason::ExitReset:
        return ControlCode::ExitReset;
    case SyncReason::ExitDebug:
        return ControlCode::ExitDebug;
    case SyncReason::FifoOverrun:
        return ControlCode::None;
    default:
        return ControlCode::TraceOn;
    }
}

ControlCode code_of(CorrelationEvent reason) {
    switch (reason) {
    case CorrelationEvent::EnterDebug:
        return ControlCode::EnterDebug;
    case CorrelationEvent::EnterReset:
        return ControlCode::EnterReset;
    default:
        return ControlCode::TraceOff;
    }
}

std::uint64_t number(ControlCode code) {
    return static_cast<std::uint64_t>(code);
}

} // namespace

void EventTracer::start(SyncReason reason, Cycle at) {
    state_ = State::Waiting;
    code_ = code_of(reason);
    from_ = at;
    units_ = 0;
    if (counters_ != nullptr && enabled(trace_map::event::kCounters)) {
        told_ = counters_->counters(at);
    }
}

void EventTracer::stop(CorrelationEvent reason, Cycle at) {
    if (state_ == State::Waiting && code_ == ControlCode::None) {
        begin(next_pc_, privilege_, at); // else the loss would go unmentioned
    }
    if (state_ == State::Running) {
        send({EventSource::Control, next_pc_, number(code_of(reason))}, at);
    }
    state_ = State::Stopped;
}

void EventTracer::trigger(unsigned input, Cycle at) {
    if (state_ == State::Running && enabled(trace_map::event::kExternalTrigger)) {
        send({EventSource::ExternalTrigger, next_pc_, input}, at);
    }
}

/// The first message after trace on or after a loss, with the address of the next instruction.
bool EventTracer::begin(Address pc, Privilege privilege, Cycle at) {
    if (state_ == State::Stopped || at <= from_) {
        return false;
    }
    state_ = State::Running;
    sync_ = true;
    next_pc_ = pc;
    privilege_ = privilege;
    return send({EventSource::Control, pc, number(code_)}, at);
}

void EventTracer::enter(Privilege privilege, Address pc, Cycle at) {
    privilege_ = privilege;
    if (enabled(trace_map::event::kContext)) {
        send({EventSource::Context, pc,
              static_cast<std::uint64_t>(privilege) << kContextShift | kContextPrivilege},
             at);
    }
}

void EventTracer::trapped(const TrapTaken& trap) {
    if (state_ != State::Running) {
        begin(trap.epc, trap.from, trap.cycle);
    }
    if (trap.from != privilege_) {
        enter(trap.from, trap.epc, trap.cycle);
    }
    next_pc_ = trap.vector;
    const bool interrupt = (trap.cause & kInterruptBit) != 0;
    if (enabled(interrupt ? trace_map::event::kInterrupt : trace_map::event::kException)) {
        send({interrupt ? EventSource::Interrupt : EventSource::Exception, trap.epc,
              trap.cause & ~kInterruptBit},
             trap.cycle);
    }
    if (trap.to != privilege_) {
        enter(trap.to, trap.vector, trap.cycle);
    }
}

/// A block has one event at most, of its last instruction, and PC samples; before that the trace or
/// another mode may begin. Counters are asked for in the cycle of their message.
std::size_t EventTracer::blocks_within(std::size_t messages) const {
    constexpr std::size_t kMany = 4096;
    if (counters_ != nullptr && enabled(trace_map::event::kCounters)) {
        return 0;
    }
    const std::size_t beginning = state_ == State::Running ? 0 : 1;
    const std::size_t others = beginning + (enabled(trace_map::event::kContext) ? 1 : 0);
    const std::size_t period = settings_.sync_units;
    std::size_t most = 0;
    for (const std::size_t samples : {0U, 1U}) {
        const std::size_t left = messages - std::min(messages, others + samples);
        const std::size_t events = enabled(trace_map::event::kCallReturn) ? left : kMany;
        const std::size_t before_next = (samples + 1) * period - std::min(units_ + 1, period);
        const std::size_t units = period == 0 ? kMany : before_next / kMostBlockHalfWords;
        most = std::max(most, std::min(events, units));
    }
    return most;
}

void EventTracer::retired_blocks(std::span<const RetiredBlock> blocks) {
    for (const RetiredBlock& block : blocks) {
        const RetiredStep& last = block.steps.back();
        const bool usual =
            state_ == State::Running && block.privilege == privilege_ &&
            (units_ + last.half_words < settings_.sync_units || settings_.sync_units == 0);
        if (!usual) [[unlikely]] {
            each_retired(block);
            continue;
        }
        next_pc_ = block.next_pc;
        if (block.flow.link != LinkUse::None) {
            follow(block.flow, block.last_pc, block.next_pc, block.from + last.cycles);
        }
        units_ += last.half_words; // behind the message, which may have begun the trace anew
    }
}

void EventTracer::each_retired(const RetiredBlock& block) {
    for (std::size_t index = 0; index != block.steps.size(); ++index) {
        retired(retirement_in(block, index));
    }
}

/// The destination of a direct call is in the program. Other transfers send it, as the XOR with
/// their own address, and it becomes the next reference.
void EventTracer::follow(const InstructionFlow& flow, Address pc, Address next_pc, Cycle at) {
    if (flow.link == LinkUse::None || !enabled(trace_map::event::kCallReturn)) {
        return;
    }
    const bool inferable = flow.kind == FlowKind::DirectJump;
    send({EventSource::CallReturn, pc, inferable ? std::nullopt : std::optional(next_pc)}, at);
}

void EventTracer::sample(Address pc, Cycle at) {
    send({EventSource::PcSample, pc, std::nullopt}, at);
}

bool EventTracer::absolute_due() const {
    const std::uint64_t most = settings_.sync_messages == 0
                                   ? kMostRelative
                                   : std::min(kMostRelative, settings_.sync_messages);
    return sync_ || output_.messages_since_sync() >= most;
}

/// False if the message was lost, so that the next instruction tries again, or if the trace was
/// stopped while the port stalled the hart.
bool EventTracer::send(const Event& event, Cycle at) {
    if (state_ != State::Running) {
        return false;
    }
    const bool absolute = absolute_due();
    AddressReference& reference = output_.reference();
    TraceMessage message =
        make_message(absolute ? MessageCode::InCircuitTraceSync : MessageCode::InCircuitTrace);
    message.set(Field::EventSource, event.source);
    message.set(Field::EventData0,
                absolute ? reference.full(event.address) : reference.unique(event.address));
    if (event.data) {
        message.set(Field::DataFormat, 1);
        message.set(Field::EventData1, event.source == EventSource::CallReturn
                                           ? reference.unique(*event.data)
                                           : *event.data);
    }
    sync_ = false;
    return sent(output_.send(message, at)) &&
           (event.source == EventSource::Control || send_counters(at));
}

/// For each counter its increase since the last such message that was sent, limited to the field.
bool EventTracer::send_counters(Cycle at) {
    if (counters_ == nullptr || !enabled(trace_map::event::kCounters)) {
        return true;
    }
    constexpr std::uint64_t kMost = (std::uint64_t{1} << kEventCounterBits) - 1;
    const auto now = counters_->counters(at);
    EventCounters values{};
    for (unsigned i = 0; i < kEventCounters; ++i) {
        // A counter that software has set back counts from 0.
        const std::uint64_t counted = now[i] < told_[i] ? now[i] : now[i] - told_[i];
        values[i] = static_cast<std::uint16_t>(std::min(counted, kMost));
    }
    const bool done = sent(output_.send(make_counters_message(values), at));
    told_ = done ? now : told_;
    return done;
}

bool EventTracer::sent(SendResult result) {
    if (state_ != State::Running) {
        return false;
    }
    if (result == SendResult::Sent) {
        return true;
    }
    state_ = State::Waiting;
    code_ = ControlCode::None;
    from_ = 0;
    return false;
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/calls/event_calls.h"

#include <algorithm>

namespace pes::trace {
namespace {

constexpr std::uint64_t kTraceOff = static_cast<std::uint64_t>(ControlCode::TraceOff);

bool is_trap(const Frame& frame) {
    return frame.kind == FrameKind::Trap;
}

} // namespace

void EventCalls::add(const TraceEvent& event) {
    Source& from = sources_[event.source];
    const bool tells_mode = event.kind == EventSource::Context && (event.value & 3) == 0;
    if (event.address && !tells_mode) {
        settle_trap(event.source, from, *event.address);
        leave_handlers(event.source, from, *event.address);
    }
    switch (event.kind) {
    case EventSource::CallReturn:
        if (event.address) {
            transfer(event);
        }
        break;
    case EventSource::Exception:
    case EventSource::Interrupt:
        if (event.address) {
            pass(event, RunEnd::Plain, 0, {});
            from.trap = FlowTrap{event.source,
                                 event.kind == EventSource::Exception ? TrapKind::Exception
                                                                      : TrapKind::Interrupt,
                                 *event.address, 0, event.time};
        }
        break;
    case EventSource::Context:
        if (tells_mode && event.address) {
            change_mode(from, event);
        }
        break;
    case EventSource::Control:
        if (event.has_value && event.value == kTraceOff) {
            calls_.stopped(
                {event.source, CorrelationEvent::TraceDisabled, event.address, event.time});
            from = {};
        }
        break;
    default:
        pass(event, RunEnd::Plain, 0, {});
        break;
    }
    from.address = event.address ? event.address : from.address;
    from.time = event.time ? event.time : from.time;
}

/// Where a direct call goes is in the program, and so is whether a jump calls or returns.
void EventCalls::transfer(const TraceEvent& event) {
    const CodeSegment* segment = code_.find(*event.address, places_.spaces().current(event.source));
    const bool known = segment != nullptr && segment->run(*event.address).instructions != 0;
    const InstructionFlow flow =
        known ? classify_flow(segment->word(*event.address)) : InstructionFlow{};
    std::optional<Address> to = event.destination;
    if (!to && flow.kind == FlowKind::DirectJump) {
        to = flow.target(*event.address);
    }
    const bool links = flow.is_call() || flow.is_return() || flow.kind == FlowKind::TrapReturn;
    if (!to || !links) {
        ++disagreements_;
        return;
    }
    Source& from = sources_[event.source];
    from.has_calls = true;
    if (flow.is_return()) {
        leave_traps_above(event.source, from, *to);
    }
    const RunEnd end = flow.kind == FlowKind::TrapReturn     ? RunEnd::TrapReturn
                       : flow.link == LinkUse::ReturnAndCall ? RunEnd::ReturnAndCall
                       : flow.is_return()                    ? RunEnd::Return
                                                             : RunEnd::Call;
    pass(event, end, flow.length, to);
}

/// Up to a higher mode is the first instruction of a handler, down to a lower one the first behind
/// an xRET.
void EventCalls::change_mode(Source& from, const TraceEvent& event) {
    const auto mode = static_cast<unsigned>(event.value >> 2);
    const bool lower = from.mode && mode < *from.mode;
    const bool higher = from.mode && mode > *from.mode;
    from.mode = mode;
    if (lower) {
        if (from.trap) { // and back: no other event was in the handler
            from.trap.reset();
        } else {
            end_trap(event.source, event.time);
        }
        return;
    }
    if (from.trap || higher) {
        FlowTrap trap = from.trap.value_or(
            FlowTrap{event.source, TrapKind::Unknown, from.address.value_or(0), 0, event.time});
        trap.to = *event.address;
        calls_.trapped(trap);
        from.has_calls = true;
        from.trap.reset();
    }
}

/// The first event behind a trap: in its handler, or already back.
void EventCalls::settle_trap(std::uint16_t number, Source& from, Address address) {
    if (!from.trap) {
        return;
    }
    FlowTrap trap = *from.trap;
    from.trap.reset();
    if (same_function(number, trap.from, address)) {
        return;
    }
    const Function* handler = places_.find(number, address).function;
    trap.to = handler != nullptr ? handler->begin : address;
    trap.source = number;
    calls_.trapped(trap);
    from.has_calls = true;
}

void EventCalls::leave_handlers(std::uint16_t number, const Source& from, Address address) {
    const std::vector<Frame>& frames = calls_.frames(number);
    while (!frames.empty() && is_trap(frames.back()) &&
           same_function(number, frames.back().site, address)) {
        end_trap(number, from.time);
    }
}

/// A return to a call below a trap: the handler is over, and what was interrupted goes on.
void EventCalls::leave_traps_above(std::uint16_t number, const Source& from, Address return_to) {
    const std::vector<Frame>& frames = calls_.frames(number);
    const auto target =
        std::find_if(frames.rbegin(), frames.rend(), [return_to](const Frame& frame) {
            return !is_trap(frame) && frame.return_to == return_to;
        });
    if (target == frames.rend()) {
        return;
    }
    const auto traps = std::count_if(frames.rbegin(), target, is_trap);
    for (auto trap = traps; trap > 0; --trap) {
        end_trap(number, from.time);
    }
}

void EventCalls::end_trap(std::uint16_t number, FlowTime time) {
    const std::vector<Frame>& frames = calls_.frames(number);
    if (std::any_of(frames.begin(), frames.end(), is_trap)) {
        InstructionRun run;
        run.source = number;
        run.end = RunEnd::TrapReturn;
        run.begin = run.last = frames.back().entry;
        run.time = time;
        calls_.ran(run);
    }
}

void EventCalls::pass(const TraceEvent& event, RunEnd end, std::uint8_t length,
                      std::optional<Address> next) {
    if (!event.address || !sources_[event.source].has_calls) {
        return;
    }
    InstructionRun run;
    run.source = event.source;
    run.end = end;
    run.last_length = length;
    run.begin = run.last = *event.address;
    run.next = next;
    run.time = event.time;
    calls_.ran(run);
}

bool EventCalls::same_function(std::uint16_t number, Address first, Address second) {
    const Function* function = places_.find(number, first).function;
    return function != nullptr && function == places_.find(number, second).function;
}

void EventCalls::lost(std::uint16_t number) {
    const auto known = sources_.find(number);
    if (known != sources_.end()) {
        FlowGap gap;
        gap.source = number;
        gap.time = known->second.time;
        calls_.gap(gap);
        known->second = {};
    }
}

void EventCalls::lost() {
    for (const auto& [number, from] : sources_) {
        lost(number);
    }
}

void EventCalls::finish() {
    for (const auto& [number, from] : sources_) {
        FlowStop stop;
        stop.source = number;
        stop.time = from.time;
        calls_.stopped(stop);
    }
}

} // namespace pes::trace

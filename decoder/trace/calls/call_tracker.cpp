// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/calls/call_tracker.h"

#include <algorithm>

namespace pes::trace {

void CallTracker::ran(const InstructionRun& run) {
    listener_.ran(run, stacks_[run.source].frames);
    switch (run.end) {
    case RunEnd::Call:
        push(run.source,
             {FrameKind::Call, run.next.value_or(0), run.last, run.return_address(), run.time});
        break;
    case RunEnd::Return:
        return_to(run.source, run.next.value_or(0), run.time);
        break;
    case RunEnd::ReturnAndCall:
        return_to(run.source, run.next.value_or(0), run.time);
        push(run.source,
             {FrameKind::Call, run.next.value_or(0), run.last, run.return_address(), run.time});
        break;
    case RunEnd::TrapReturn:
        return_from_trap(run.source, run.time);
        break;
    default:
        break;
    }
}

void CallTracker::trapped(const FlowTrap& trap) {
    push(trap.source, {FrameKind::Trap, trap.to, trap.from, trap.from, trap.time});
}

void CallTracker::gap(const FlowGap& gap) {
    leave_all(gap.source, FrameEnd::Lost, gap.time);
}

void CallTracker::stopped(const FlowStop& stop) {
    leave_all(stop.source, FrameEnd::Stopped, stop.time);
}

void CallTracker::push(std::uint16_t source, const Frame& frame) {
    Stack& stack = stacks_[source];
    if (stack.frames.size() == kMostFrames) {
        ++stack.untracked;
        ++too_deep_;
        return;
    }
    stack.frames.push_back(frame);
    listener_.entered(source, stack.frames);
}

void CallTracker::pop(std::uint16_t source, Stack& stack, FrameEnd end, FlowTime time) {
    listener_.left(source, stack.frames, end, time);
    stack.frames.pop_back();
}

void CallTracker::return_to(std::uint16_t source, Address address, FlowTime time) {
    Stack& stack = stacks_[source];
    if (stack.untracked > 0) {
        --stack.untracked;
        return;
    }
    // Beyond the innermost trap nothing returns but xRET. Nothing below the target is looked at: a
    // return is to cost what it leaves, however deep the stack is.
    std::vector<Frame>& frames = stack.frames;
    const auto target = std::find_if(frames.rbegin(), frames.rend(), [address](const Frame& frame) {
        return frame.kind == FrameKind::Trap || frame.return_to == address;
    });
    const bool known = target != frames.rend() && target->kind != FrameKind::Trap;
    auto above = target - frames.rbegin();
    for (; above > 0; --above) {
        pop(source, stack, FrameEnd::Unwound, time);
    }
    if (known) {
        pop(source, stack, FrameEnd::Returned, time);
    }
}

void CallTracker::return_from_trap(std::uint16_t source, FlowTime time) {
    Stack& stack = stacks_[source];
    stack.untracked = 0;
    while (!stack.frames.empty()) {
        const bool trap = stack.frames.back().kind == FrameKind::Trap;
        pop(source, stack, trap ? FrameEnd::Returned : FrameEnd::Unwound, time);
        if (trap) {
            return;
        }
    }
}

void CallTracker::leave_all(std::uint16_t source, FrameEnd end, FlowTime time) {
    Stack& stack = stacks_[source];
    stack.untracked = 0;
    while (!stack.frames.empty()) {
        pop(source, stack, end, time);
    }
    listener_.interrupted(source);
}

} // namespace pes::trace

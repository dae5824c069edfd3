// SPDX-License-Identifier: Apache-2.0
// Instruction flow -> calls and returns, with a stack for each source. What flame graphs, call
// trees and timelines are made of.
//
// A return leaves every call down to the one it returns to, so longjmp and exceptions of C++ come
// out right; a return to no known call empties the stack up to the innermost trap. A trap is a
// frame too: xRET leaves it with everything above. A gap or a stop leaves all frames.
#pragma once

#include "decoder/trace/flow/flow_sink.h"

#include <map>
#include <vector>

namespace pes::trace {

enum class FrameKind : std::uint8_t { Call, Trap };

struct Frame {
    FrameKind kind = FrameKind::Call;
    Address entry = 0;     ///< first instruction of the callee or of the handler
    Address site = 0;      ///< the call instruction; of a trap: xepc
    Address return_to = 0; ///< where the frame's end comes back to
    FlowTime time;         ///< of its beginning
};

enum class FrameEnd : std::uint8_t {
    Returned, ///< by its own return (or xRET)
    Unwound,  ///< by a return of a frame below it
    Lost,     ///< a gap: when and how it ended is unknown
    Stopped,  ///< the trace was switched off in it
};

class CallListener {
  public:
    CallListener() = default;
    CallListener(const CallListener&) = delete;
    CallListener& operator=(const CallListener&) = delete;
    virtual ~CallListener() = default;

    /// `frames` already holds the new frame, innermost last.
    virtual void entered(std::uint16_t source, const std::vector<Frame>& frames) = 0;
    /// `frames` still holds the frame that ends, innermost last.
    virtual void left(std::uint16_t source, const std::vector<Frame>& frames, FrameEnd end,
                      FlowTime time) = 0;
    /// Behind a gap or a stop: what happens before the next call or run is not known.
    virtual void interrupted(std::uint16_t) {}
    /// Instructions of the innermost frame: for weights.
    virtual void ran(const InstructionRun&, const std::vector<Frame>&) {}
};

class CallTracker : public FlowSink {
  public:
    /// Frames beyond it are not kept; their returns are passed over, and all is charged to the
    /// deepest frame that is. Bounds the memory that a damaged trace can ask for (3 MB a source).
    static constexpr std::size_t kMostFrames = std::size_t{1} << 16;

    explicit CallTracker(CallListener& listener) : listener_(listener) {}

    void ran(const InstructionRun& run) override;
    void trapped(const FlowTrap& trap) override;
    void gap(const FlowGap& gap) override;
    void stopped(const FlowStop& stop) override;

    /// The open calls of a source, innermost last.
    const std::vector<Frame>& frames(std::uint16_t source) { return stacks_[source].frames; }
    /// Calls beyond kMostFrames, in all.
    std::uint64_t too_deep() const { return too_deep_; }

  private:
    struct Stack {
        std::vector<Frame> frames;
        std::uint64_t untracked = 0; ///< calls beyond kMostFrames
    };

    void push(std::uint16_t source, const Frame& frame);
    void pop(std::uint16_t source, Stack& stack, FrameEnd end, FlowTime time);
    void return_to(std::uint16_t source, Address address, FlowTime time);
    void return_from_trap(std::uint16_t source, FlowTime time);
    void leave_all(std::uint16_t source, FrameEnd end, FlowTime time);

    CallListener& listener_;
    std::map<std::uint16_t, Stack> stacks_;
    std::uint64_t too_deep_ = 0;
};

} // namespace pes::trace

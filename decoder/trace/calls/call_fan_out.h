// SPDX-License-Identifier: Apache-2.0
// The calls of a trace for several listeners, from three origins: performance records, the
// instruction flow, and events. A source that has several is told by the one that was first,
// because they are the same calls.
#pragma once

#include "decoder/trace/calls/call_tracker.h"

namespace pes::trace {

class CallFanOut {
  public:
    CallFanOut() : records_(*this), flow_(*this), events_(*this) {}

    void listen(CallListener& listener) { listeners_.push_back(&listener); }

    CallListener& records() { return records_; }
    CallListener& flow() { return flow_; }
    CallListener& events() { return events_; }

    /// Some origin has told of a call.
    bool any() const { return any_; }

  private:
    class Origin : public CallListener {
      public:
        explicit Origin(CallFanOut& owner) : owner_(owner) {}

        void entered(std::uint16_t source, const std::vector<Frame>& frames) override;
        void left(std::uint16_t source, const std::vector<Frame>& frames, FrameEnd end,
                  FlowTime time) override;
        void interrupted(std::uint16_t source) override;
        void ran(const InstructionRun& run, const std::vector<Frame>& frames) override;

      private:
        CallFanOut& owner_;
    };

    /// Whether `origin` is the one that tells of `source`; the first that asks is.
    bool tells(const Origin& origin, std::uint16_t source);

    std::vector<CallListener*> listeners_;
    std::map<std::uint16_t, const Origin*> tellers_;
    Origin records_;
    Origin flow_;
    Origin events_;
    bool any_ = false;
};

} // namespace pes::trace

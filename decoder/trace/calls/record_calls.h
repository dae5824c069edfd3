// SPDX-License-Identifier: Apache-2.0
// Function enter and exit records -> calls and returns with a stack for each source, told in the
// same way as those of the instruction flow (call_tracker.h).
//
// An exit leaves every call down to its own function, so longjmp comes out right; an exit of a
// function that was not seen to be entered is passed over. A loss leaves all frames.
#pragma once

#include "decoder/trace/calls/call_tracker.h"
#include "decoder/trace/records/perf_records.h"

namespace pes::trace {

class RecordCalls : public PerfRecordSink {
  public:
    explicit RecordCalls(CallListener& listener) : listener_(listener) {}

    void header(std::uint16_t source, const PerfHeader& header, TraceTime time) override;
    void record(const PerfRecord& record) override;
    void lost(std::uint16_t source, const PerfLoss& loss) override;
    /// Leaves the calls that the trace has no exit of.
    void finish();

    /// Calls beyond CallTracker::kMostFrames, in all.
    std::uint64_t too_deep() const { return too_deep_; }

  private:
    struct Stack {
        std::vector<Frame> frames;
        TraceTime last;              ///< time of the last record
        std::uint64_t untracked = 0; ///< calls beyond kMostFrames
    };

    Stack& stack(std::uint16_t source);
    void enter(std::uint16_t source, const PerfRecord& record);
    void leave(std::uint16_t source, const PerfRecord& record);
    void pop(std::uint16_t source, Stack& calls, FrameEnd end);
    void pop_all(std::uint16_t source, FrameEnd end);

    CallListener& listener_;
    std::vector<Stack> stacks_;
    std::uint64_t too_deep_ = 0;
};

} // namespace pes::trace

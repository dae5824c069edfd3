// SPDX-License-Identifier: Apache-2.0
// Calls, counters and PC samples in the Common Trace Format (ctf_writer.h).
//
// Calls are function entry and exit events of LTTng-UST, for which Trace Compass opens its Flame
// Chart and Flame Graph. Values of counters and PC samples are events of our own, "pes:counter" and
// "pes:sample".
#pragma once

#include "decoder/trace/calls/call_tracker.h"
#include "decoder/trace/messages/trace_events.h"
#include "decoder/trace/output/ctf_writer.h"
#include "decoder/trace/program/code_places.h"
#include "decoder/trace/records/perf_records.h"

#include <map>

namespace pes::trace {

class CtfTrace : public PerfRecordSink, public CallListener {
  public:
    /// `clock_hz`: ticks of the trace in a second. Throws UserError as CtfWriter.
    CtfTrace(OutputSet& files, const std::filesystem::path& directory,
             const std::string& trace_file, CodePlaces& places, std::uint64_t clock_hz);

    void header(std::uint16_t, const PerfHeader&, TraceTime) override {}
    void record(const PerfRecord& record) override;
    void lost(std::uint16_t source, const PerfLoss& loss) override;
    void entered(std::uint16_t source, const std::vector<Frame>& frames) override;
    void left(std::uint16_t source, const std::vector<Frame>& frames, FrameEnd end,
              FlowTime time) override;
    void event(const TraceEvent& event);

    void finish() { writer_.finish(); }
    bool empty() const { return writer_.empty(); }

  private:
    enum class EventId : std::uint16_t;

    std::string& begin_event(std::uint16_t source, EventId id, TraceTime time);

    void describe_programs(std::uint16_t source, std::size_t space, TraceTime time);

    CodePlaces& places_;
    CtfWriter writer_;
    std::map<std::uint16_t, std::size_t> described_; ///< sources, and whose programs they told
};

} // namespace pes::trace

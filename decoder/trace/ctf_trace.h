// SPDX-License-Identifier: Apache-2.0
// A trace in the Common Trace Format 1.8, for Trace Compass and Babeltrace:
//
//   ctf/metadata                what is in the streams
//   ctf/<program>_<source>.ctf  a stream for each source
//
// It says that it comes from LTTng-UST 2.11, because Trace Compass opens its Flame Chart and Flame
// Graph for the function entry and exit events of that tracer. Values of counters and PC samples
// are events of our own, "pes:counter" and "pes:sample".
#pragma once

#include "decoder/trace/call_tracker.h"
#include "decoder/trace/perf_records.h"
#include "decoder/trace/trace_events.h"
#include "hw/common/host/output_set.h"

#include <map>

namespace pes {
class ElfProgram;
}

namespace pes::trace {

class CtfTrace : public PerfRecordSink, public CallListener {
  public:
    /// `directory` exists; `clock_hz`: ticks of the trace in a second.
    CtfTrace(OutputSet& files, const std::filesystem::path& directory, const ElfProgram& program,
             std::uint64_t clock_hz);

    void header(std::uint16_t, const PerfHeader&, TraceTime) override {}
    void record(const PerfRecord& record) override;
    void lost(std::uint16_t source, const PerfLoss& loss) override;
    void entered(std::uint16_t source, const std::vector<Frame>& frames) override;
    void left(std::uint16_t source, const std::vector<Frame>& frames, FrameEnd end,
              FlowTime time) override;
    void event(const TraceEvent& event);

    void finish();
    bool empty() const { return streams_.empty(); }

  private:
    enum class EventId : std::uint16_t;

    /// Of one source: a packet in the making.
    struct Stream {
        OutputFile* file = nullptr;
        std::string events;
        std::uint64_t time = 0; ///< of the latest event
        std::uint64_t begin = 0;
        std::uint64_t packets = 0;
        std::uint64_t discarded = 0; ///< losses so far
    };

    Stream& stream(std::uint16_t source);
    void describe_program(std::uint16_t source, Stream& to);
    Stream& begin_event(std::uint16_t source, EventId id, TraceTime time);
    void begin_event(std::uint16_t source, Stream& to, EventId id);
    void flush_packet(std::uint16_t source, Stream& from);

    OutputSet& files_;
    std::filesystem::path directory_;
    const ElfProgram& program_;
    std::string base_; ///< of the program's name
    std::map<std::uint16_t, Stream> streams_;
};

} // namespace pes::trace

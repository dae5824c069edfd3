// SPDX-License-Identifier: Apache-2.0
// A timeline of what a trace tells: for each source slices of functions, tracks of counters, slices
// of ownership, marks of events.
//
// A counter track shows what the counter went on by since the record before.
#pragma once

#include "decoder/trace/calls/call_tracker.h"
#include "decoder/trace/messages/trace_events.h"
#include "decoder/trace/output/timeline_writer.h"
#include "decoder/trace/program/code_places.h"
#include "decoder/trace/records/perf_records.h"

#include <map>

namespace pes::trace {

class Timeline : public PerfRecordSink, public CallListener {
  public:
    /// `clock_hz`: ticks of the trace in a second. `places` null: functions are addresses.
    Timeline(OutputFile* file, CodePlaces* places, std::uint64_t clock_hz);

    void header(std::uint16_t number, const PerfHeader& header, TraceTime time) override;
    void record(const PerfRecord& record) override;
    void lost(std::uint16_t number, const PerfLoss& loss) override;
    void entered(std::uint16_t number, const std::vector<Frame>& frames) override;
    void left(std::uint16_t number, const std::vector<Frame>& frames, FrameEnd end,
              FlowTime time) override;
    void event(const TraceEvent& event);
    void ownership(const Ownership& ownership);

    /// Closes what is open; the text is complete then.
    void finish();
    bool empty() const { return sources_.empty(); }

  private:
    enum class Track : std::uint8_t { Functions = 1, Ownership, Events };

    struct Source {
        std::uint64_t time = 0;         ///< of the latest that was told: unknown times take it
        std::vector<std::string> calls; ///< names of the open slices, innermost last
        std::string owner; ///< name of the open slice of ownership; empty: none is open
        std::array<std::optional<std::uint64_t>, perf_record::kMostCounters> previous;
    };

    Source& source(std::uint16_t number);
    /// The time if it is known and not behind a later one, else that one.
    std::uint64_t ticks_of(std::uint16_t number, TraceTime time);
    void mark(std::uint16_t number, Track track, TraceTime time, const std::string& name);
    void count(Source& from, const PerfRecord& record, unsigned counter);
    void count(const TraceEvent& event);
    std::string name_of(std::uint16_t number, const Frame& frame) const;
    std::string function_at(std::uint16_t number, std::uint64_t address) const;

    static TimelineWriter::Place at(std::uint16_t number, Track track) {
        return {number, static_cast<unsigned>(track)};
    }

    TimelineWriter out_;
    CodePlaces* places_;
    std::map<std::uint16_t, Source> sources_;
};

} // namespace pes::trace

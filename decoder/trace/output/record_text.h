// SPDX-License-Identifier: Apache-2.0
// Performance records and events for other programs to read: CSV with a line for each value, JSON
// lines with an object for each header, record, loss, event and change of ownership.
#pragma once

#include "decoder/trace/messages/trace_events.h"
#include "decoder/trace/output/text_output.h"
#include "decoder/trace/program/code_places.h"
#include "decoder/trace/records/perf_records.h"

namespace pes::trace {

class RecordCsv : public PerfRecordSink {
  public:
    /// `places` null: function, file and line stay empty.
    RecordCsv(OutputFile* file, CodePlaces* places);

    void header(std::uint16_t, const PerfHeader&, TraceTime) override {}
    void record(const PerfRecord& record) override;
    void lost(std::uint16_t, const PerfLoss&) override {}
    void finish() { out_.flush(); }
    bool empty() const { return number_ == 0; }

  private:
    TextOutput out_;
    CodePlaces* places_;
    std::uint64_t number_ = 0;
};

class RecordJson : public PerfRecordSink {
  public:
    RecordJson(OutputFile* file, CodePlaces* places) : out_(file), places_(places) {}

    void header(std::uint16_t source, const PerfHeader& header, TraceTime time) override;
    void record(const PerfRecord& record) override;
    void lost(std::uint16_t source, const PerfLoss& loss) override;
    void event(const TraceEvent& event);
    void ownership(const Ownership& ownership);
    void finish() { out_.flush(); }
    bool empty() const { return empty_; }

  private:
    void begin(const char* type, std::uint16_t source);
    void add_time(TraceTime time);
    void add_place(std::uint16_t source, std::uint64_t address);
    void end();

    TextOutput out_;
    CodePlaces* places_;
    std::uint64_t number_ = 0;
    bool empty_ = true;
};

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// Whole performance records, put together from what the stream tells piece by piece. A record that
// is torn is not told.
#pragma once

#include "decoder/trace/records/perf_stream.h"

#include <string>

namespace pes::trace {

struct PerfHeader {
    perf_record::CountType type{};
    std::uint32_t mask = 0;
    std::array<CounterDefinition, perf_record::kMostCounters> definitions{}; ///< by counter
};

struct PerfRecord {
    std::uint16_t source = 0;
    perf_record::RecordKind kind{};
    std::uint64_t address = 0;
    std::uint64_t call_site = 0;
    TraceTime time;                     ///< of its first write
    const PerfHeader* header = nullptr; ///< which counters, and what their values mean
    /// By counter: what it counted, or with Delta what it counted since the previous record.
    std::array<std::uint64_t, perf_record::kMostCounters> values{};
};

class PerfRecordSink {
  public:
    PerfRecordSink() = default;
    PerfRecordSink(const PerfRecordSink&) = delete;
    PerfRecordSink& operator=(const PerfRecordSink&) = delete;
    virtual ~PerfRecordSink() = default;

    virtual void header(std::uint16_t source, const PerfHeader& header, TraceTime time) = 0;
    virtual void record(const PerfRecord& record) = 0;
    virtual void lost(std::uint16_t source, const PerfLoss& loss) = 0;
};

/// Function by function, the kind as a word: "enter", "exit", "manual", "interrupt".
const char* to_string(perf_record::RecordKind kind);
const char* to_string(perf_record::CountType type);

/// "timestamp", "cycles", "event 0:3", "raw 0x21": what a counter counts.
std::string counter_name(const CounterDefinition& definition);

/// Tells several listeners.
class PerfRecords : public PerfSink {
  public:
    void listen(PerfRecordSink& sink) { sinks_.push_back(&sink); }

    void count_type(std::uint16_t number, perf_record::CountType type, TraceTime time) override;
    void mask(std::uint16_t number, std::uint32_t mask, TraceTime time) override;
    void definition(std::uint16_t number, const CounterDefinition& definition,
                    TraceTime time) override;
    void address(std::uint16_t number, const PerfAddress& address) override;
    void value(std::uint16_t number, const PerfValue& value) override;
    void record_end(std::uint16_t number) override;
    void torn(std::uint16_t) override {}
    void lost(std::uint16_t number, const PerfLoss& loss) override;

  private:
    struct Source {
        PerfHeader header;
        std::uint32_t undefined = 0; ///< counters whose definition is still to come
        PerfRecord record;
    };

    Source& source(std::uint16_t number) {
        return number < sources_.size() ? sources_[number] : grow(number);
    }
    Source& grow(std::uint16_t number);
    void tell_header(std::uint16_t number, const Source& from, TraceTime time);

    std::vector<PerfRecordSink*> sinks_;
    std::vector<Source> sources_;
};

/// One stream of pieces for several listeners.
class PerfFanOut : public PerfSink {
  public:
    void listen(PerfSink& sink) { sinks_.push_back(&sink); }

    void count_type(std::uint16_t source, perf_record::CountType type, TraceTime time) override;
    void mask(std::uint16_t source, std::uint32_t mask, TraceTime time) override;
    void definition(std::uint16_t source, const CounterDefinition& definition,
                    TraceTime time) override;
    void address(std::uint16_t source, const PerfAddress& address) override;
    void value(std::uint16_t source, const PerfValue& value) override;
    void record_end(std::uint16_t source) override;
    void torn(std::uint16_t source) override;
    void lost(std::uint16_t source, const PerfLoss& loss) override;

  private:
    std::vector<PerfSink*> sinks_;
};

} // namespace pes::trace

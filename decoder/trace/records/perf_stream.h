// SPDX-License-Identifier: Apache-2.0
// The performance records in a trace: stimulus writes -> headers, definitions, records, for each
// source on its own. The coding is that of hw/interface/trace/perf_record.h.
//
// A record ends where its last value ends, and a value of 32 bits ends only where something else
// begins. So a value is told one write late, and the end of a record when something that may stand
// behind a record does.
//
// After a loss (an Error message, damage, a write that does not fit) nothing is believed until a
// header, or until a whole record of the known shape lies between two record kinds. The latter
// cannot save DeltaXor, whose references are gone.
#pragma once

#include "hw/interface/trace/perf_record.h"
#include "hw/interface/trace/stimulus.h"

#include <array>
#include <optional>
#include <vector>

namespace pes::trace {

using TraceTime = std::optional<std::uint64_t>; ///< ticks; empty if the stream does not tell

struct PerfWrite {
    std::uint16_t source = 0;
    unsigned bytes = 4; ///< 4, 2 or 1
    std::uint32_t value = 0;
    TraceTime time;
    std::uint64_t offset = 0; ///< of its message in the file
};

struct CounterDefinition {
    unsigned counter = 0;
    perf_record::EventType type{};
    std::uint64_t event = 0; ///< code, or of a raw event the value of its selector
    perf_record::CounterInfo info;
};

struct PerfAddress {
    perf_record::RecordKind kind{};
    std::uint64_t address = 0;
    std::uint64_t call_site = 0; ///< only if has_call_site(kind)
    TraceTime started;           ///< of the write of the kind
    TraceTime time;              ///< of the last write of the addresses
};

struct PerfValue {
    unsigned counter = 0;
    std::uint64_t value = 0; ///< with DeltaXor: the counter, carried on over its wraps
    std::uint64_t running =
        0;                  ///< with DeltaXor: the XOR of all so far; a second wrap is lost in it
    TraceTime time;         ///< of its last write
    TraceTime settled_time; ///< of the write that showed its end
    enum class End : std::uint8_t { Seen, TraceEnded } end = End::Seen;
};

struct PerfLoss {
    enum class Reason : std::uint8_t {
        MessagesLost,     ///< Error message or damage in the trace
        NoHeader,         ///< the trace begins, or goes on, without one
        UnexpectedWrite,  ///< of another size than the coding has there
        UnknownKind,      ///< record kind above 3
        UnknownCountType, ///< above 2
        UnknownEventType, ///< above 2
        HeaderInside,     ///< a header where the record was to go on
        TraceEnded,       ///< inside of a header or record
    };

    Reason reason{};
    std::uint64_t offset = 0; ///< where it was noticed
    std::uint64_t writes = 0; ///< that had to be dropped, up to where records go on
};

const char* describe(PerfLoss::Reason reason);

/// Told what is found, in the order of the stream.
class PerfSink {
  public:
    PerfSink() = default;
    PerfSink(const PerfSink&) = delete;
    PerfSink& operator=(const PerfSink&) = delete;
    virtual ~PerfSink() = default;

    virtual void count_type(std::uint16_t source, perf_record::CountType type, TraceTime time) = 0;
    virtual void mask(std::uint16_t source, std::uint32_t mask, TraceTime time) = 0;
    virtual void definition(std::uint16_t source, const CounterDefinition& definition,
                            TraceTime time) = 0;
    virtual void address(std::uint16_t source, const PerfAddress& address) = 0;
    virtual void value(std::uint16_t source, const PerfValue& value) = 0;
    /// All values of the last address have been told, and a record or header follows.
    virtual void record_end(std::uint16_t source) = 0;
    /// What was begun, a header or a record, does not go on.
    virtual void torn(std::uint16_t source) = 0;
    /// Records go on, or the trace has ended; what has been dropped since torn().
    virtual void lost(std::uint16_t source, const PerfLoss& loss) = 0;
};

/// Of one source.
class PerfStream {
  public:
    PerfStream(std::uint16_t source, PerfSink& sink) : source_(source), sink_(&sink) {}

    void add(const PerfWrite& write);
    /// Messages of this source, or of an unknown one, are missing here.
    void messages_lost(std::uint64_t offset);
    void finish(std::uint64_t end_of_file);

  private:
    enum class State : std::uint8_t {
        Searching, ///< for a header
        Proving,   ///< that a whole record lies between two record kinds
        CountType,
        Mask,
        EventType,
        EventCode,
        EventHigh,
        Info,
        Kind,
        Address,
        AddressHigh,
        Value,
        ValueEnd, ///< a low word is there; its high half-word may follow
    };

    void step(const PerfWrite& write);
    bool step_header(const PerfWrite& write);
    bool step_record(const PerfWrite& write);
    void search(const PerfWrite& write);
    void prove(const PerfWrite& write);
    bool header_inside(const PerfWrite& write);
    void resolve_doubt(const PerfWrite& write);

    void begin_header();
    bool take_mask(const PerfWrite& write);
    bool take_info(const PerfWrite& write);
    bool take_kind(const PerfWrite& write);
    bool take_address(const PerfWrite& write);
    bool take_value_end(const PerfWrite& write);
    void address_complete(std::uint64_t coded, TraceTime time);
    void value_complete(std::uint64_t coded, TraceTime time, TraceTime settled, PerfValue::End end);
    void next_value();
    void tell_end();

    void lose(PerfLoss::Reason reason, std::uint64_t offset);
    bool refuse(PerfLoss::Reason reason, std::uint64_t offset);
    void drop_proof();
    void replay_proof();
    void resynchronised();

    /// Kind, two addresses and 32 values of two writes each.
    static constexpr std::size_t kMostWrites = 1 + 2 * 2 + 2 * perf_record::kMostCounters;

    std::uint16_t source_;
    PerfSink* sink_;
    State state_ = State::Searching;
    bool header_known_ = false; ///< a whole header has been read, and nothing says it is outdated
    bool after_marker_ = false; ///< the last write could have been the marker of a header
    perf_record::CountType type_{};
    std::uint32_t mask_ = 0;
    std::uint32_t remaining_ = 0; ///< counters of the mask that are still to come
    CounterDefinition definition_;
    std::array<std::uint8_t, perf_record::kMostCounters> widths_{};

    PerfAddress record_;
    bool call_site_next_ = false;
    bool ended_ = false;    ///< all values are there; what follows has to agree
    std::uint32_t low_ = 0; ///< of what goes on in a second write
    TraceTime low_time_;
    std::uint64_t reference_ = 0; ///< DeltaXor: the previous address
    std::array<std::uint64_t, perf_record::kMostCounters> running_{};
    std::array<std::uint64_t, perf_record::kMostCounters> wraps_{};

    std::optional<PerfWrite> doubt_; ///< the count type of a header, or the kind of a record
    std::optional<PerfLoss> loss_;
    std::array<PerfWrite, kMostWrites> proof_;
    std::size_t proof_size_ = 0;
};

/// All sources of a trace.
class PerfStreams {
  public:
    PerfStreams(unsigned stimulus, PerfSink& sink) : stimulus_(stimulus), sink_(&sink) {}

    unsigned stimulus() const { return stimulus_; }
    void add(const PerfWrite& write) { stream(write.source).add(write); }
    void messages_lost(std::uint16_t source, std::uint64_t offset) {
        stream(source).messages_lost(offset);
    }
    void messages_lost(std::uint64_t offset); ///< whose they were is not known
    void finish(std::uint64_t end_of_file);

  private:
    PerfStream& stream(std::uint16_t source) {
        return source < streams_.size() ? streams_[source] : grow(source);
    }
    PerfStream& grow(std::uint16_t source);

    unsigned stimulus_;
    PerfSink* sink_;
    std::vector<PerfStream> streams_; ///< by source
};

} // namespace pes::trace

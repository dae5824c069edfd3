// SPDX-License-Identifier: Apache-2.0
// Performance records for tests, as software writes them: a list of stimulus writes.
#pragma once

#include "decoder/trace/records/perf_records.h"
#include "hw/interface/trace/stimulus.h"
#include "tests/unit/decoder/trace/trace_bytes.h"

#include <functional>

namespace pes::trace::test {

class PerfWrites {
  public:
    explicit PerfWrites(std::uint16_t source = 0) : source_(source) {}

    // What perf_record's functions write to.
    void word(std::uint32_t value) { add(4, value); }
    void half(std::uint16_t value) { add(2, value); }
    void byte(std::uint8_t value) { add(1, value); }

    /// A header whose counters are all of type General with their number as the code.
    PerfWrites& header(perf_record::CountType type, std::uint32_t mask, unsigned width = 64) {
        perf_record::write_header(*this, type, mask);
        for (unsigned counter = 0; counter < perf_record::kMostCounters; ++counter) {
            if ((mask >> counter & 1) != 0) {
                perf_record::write_definition(*this, perf_record::EventType::General, counter,
                                              {0xC00 + counter, width});
            }
        }
        return *this;
    }

    PerfWrites& record(perf_record::RecordKind kind, std::vector<std::uint64_t> addresses,
                       const std::vector<std::uint64_t>& values) {
        perf_record::write_kind(*this, kind);
        for (const std::uint64_t address : addresses) {
            perf_record::write_address(*this, address);
        }
        for (const std::uint64_t value : values) {
            perf_record::write_value(*this, value);
        }
        return *this;
    }

    PerfWrites& manual(std::uint64_t address, const std::vector<std::uint64_t>& values) {
        return record(perf_record::RecordKind::Manual, {address}, values);
    }

    PerfWrites& add(unsigned bytes, std::uint32_t value) {
        writes_.push_back({source_, bytes, value, next_time_, 0x100 + writes_.size()});
        next_time_ += kTimeStep;
        return *this;
    }

    /// Takes out `count` writes from `first` on: lost on the way.
    PerfWrites& drop(std::size_t first, std::size_t count) {
        writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(first),
                      writes_.begin() + static_cast<std::ptrdiff_t>(first + count));
        return *this;
    }

    std::size_t size() const { return writes_.size(); }
    const std::vector<PerfWrite>& list() const { return writes_; }

    /// As a trace; begins with an absolute time.
    std::string trace(unsigned source_bits = 0, unsigned stimulus = 6) const {
        TraceWriter writer(source_bits);
        writer.at(kFirstTime - 1, time_event(source_));
        for (const PerfWrite& write : writes_) {
            TraceMessage message = to_message({stimulus, write.bytes, write.value});
            message.source = source_;
            writer.at(*write.time, message);
        }
        return writer.bytes();
    }

    static constexpr std::uint64_t kFirstTime = 1000;
    static constexpr std::uint64_t kTimeStep = 10;

  private:
    std::uint16_t source_;
    std::uint64_t next_time_ = kFirstTime;
    std::vector<PerfWrite> writes_;
};

/// Everything that a stream tells, as whole records.
struct RecordList {
    std::vector<PerfHeader> headers;
    std::vector<PerfRecord> records;
    std::vector<std::uint32_t> masks; ///< of the records
    std::vector<PerfLoss> losses;
};

class RecordCollector : public PerfRecordSink {
  public:
    void header(std::uint16_t, const PerfHeader& header, TraceTime) override {
        list.headers.push_back(header);
    }
    void record(const PerfRecord& record) override {
        list.records.push_back(record);
        list.records.back().header = nullptr; // of the source, and replaced by its next
        list.masks.push_back(record.header->mask);
    }
    void lost(std::uint16_t, const PerfLoss& loss) override { list.losses.push_back(loss); }

    RecordList list;
};

/// What the decoder makes of the writes; `before` is called with the index of each.
inline RecordList decode_writes(const std::vector<PerfWrite>& writes,
                                const std::function<void(PerfStreams&, std::size_t)>& before = {}) {
    RecordCollector collector;
    PerfRecords records;
    records.listen(collector);
    PerfStreams streams(6, records);
    for (std::size_t index = 0; index < writes.size(); ++index) {
        if (before) {
            before(streams, index);
        }
        streams.add(writes[index]);
    }
    streams.finish(0xFFFF);
    return collector.list;
}

} // namespace pes::trace::test

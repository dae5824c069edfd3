// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace/stack/decoded_stack.h"

#include <bit>
#include <deque>
#include <sstream>

namespace pes::trace::test {

namespace {

class FlowCollector final : public FlowSink {
  public:
    FlowCollector(const ProgramImage& image, DecodedStack& to) : image_(image), to_(to) {}

    void started(const FlowStart& start) override {
        to_.sources[start.source].pieces.push_back({start, {}});
        next_[start.source] = start.address;
    }
    void ran(const InstructionRun& run) override {
        if (next_[run.source] != run.begin || image_.find(run.begin) == nullptr ||
            run.instructions == 0) {
            ++to_.impossible_runs;
            return;
        }
        std::vector<DecodedStep>& steps = to_.sources[run.source].pieces.back().steps;
        Address pc = run.begin;
        for (std::uint32_t i = 0; i < run.instructions; ++i) {
            steps.push_back({pc, run.time});
            pc += image_.find(pc)->run(pc).length;
        }
        next_[run.source] = run.next;
    }
    void trapped(const FlowTrap& trap) override {
        to_.impossible_runs += next_[trap.source] == trap.from ? 0 : 1;
        to_.sources[trap.source].pieces.back().steps.push_back({~trap.from, trap.time});
        next_[trap.source] = trap.to;
    }
    void gap(const FlowGap& gap) override {
        to_.sources[gap.source].gaps.push_back(gap);
        next_[gap.source].reset();
    }
    void stopped(const FlowStop& stop) override { ++to_.sources[stop.source].stops; }

  private:
    const ProgramImage& image_;
    DecodedStack& to_;
    std::map<std::uint16_t, std::optional<Address>> next_;
};

/// The records of one stimulus. When it is told of one, all writes of it have been read.
class RecordCollector final : public PerfRecordSink {
  public:
    RecordCollector(unsigned stimulus, DecodedStack& to) : to_(to), streams_(stimulus, records_) {
        records_.listen(*this);
    }
    RecordCollector(const RecordCollector&) = delete;
    RecordCollector& operator=(const RecordCollector&) = delete;
    ~RecordCollector() override = default;

    void header(std::uint16_t, const PerfHeader&, TraceTime) override {}
    void lost(std::uint16_t, const PerfLoss&) override {}
    void record(const PerfRecord& record) override {
        DecodedRecord& found = to_.records[streams_.stimulus()].emplace_back(
            DecodedRecord{record.source, record.address, {}, record.time});
        for (std::uint32_t mask = record.header->mask; mask != 0; mask &= mask - 1) {
            found.values.push_back(
                record.values.at(static_cast<std::size_t>(std::countr_zero(mask))));
        }
    }

    void add(const TraceItem& item, const MessageContext& context) {
        if (item.kind != TraceItem::Kind::Message) {
            streams_.messages_lost(item.offset);
        } else if (item.message.code == MessageCode::Error) {
            streams_.messages_lost(item.message.source, item.offset);
        } else if (item.message.code == MessageCode::DataAcquisition) {
            const StimulusWrite write = to_stimulus_write(item.message);
            if (write.stimulus == streams_.stimulus()) {
                streams_.add(
                    {item.message.source, write.bytes, write.value, context.time, item.offset});
            }
        }
    }
    void finish(std::uint64_t end) { streams_.finish(end); }

  private:
    DecodedStack& to_;
    PerfRecords records_;
    PerfStreams streams_;
};

bool is_time_message(const TraceMessage& message) {
    return message.code == MessageCode::InCircuitTraceSync &&
           message.value(Field::EventSource) == 0 && !message.has(Field::EventData1);
}

class MessageCollector {
  public:
    explicit MessageCollector(DecodedStack& to) : to_(to) {}

    void add(const TraceItem& item, const MessageContext& context) {
        to_.quality.add(item, context);
        if (item.kind != TraceItem::Kind::Message) {
            return;
        }
        const TraceMessage& message = item.message;
        DecodedSource& source = to_.sources[message.source];
        ++source.messages;
        bool& introduced = introduced_[message.source];
        if (message.code == MessageCode::DataAcquisition) {
            source.writes.push_back({to_stimulus_write(message), context.time, introduced,
                                     source.error_codes.size(), source.absolute_times.size()});
        } else if (message.code == MessageCode::Error) {
            source.error_codes.push_back(message.value(Field::ErrorCode));
        }
        introduced = is_time_message(message);
        if (layout_of(message.code).timestamp == TimestampKind::Absolute && message.timestamp) {
            source.absolute_times.push_back(*message.timestamp);
            if (!introduced && !source.first_place) {
                source.first_place = *message.timestamp;
            }
        }
    }

  private:
    DecodedStack& to_;
    std::map<std::uint16_t, bool> introduced_;
};

} // namespace

DecodedStack decode_stack(const std::string& bytes, const ProgramImage& image,
                          const DecoderOptions& options) {
    DecodedStack result;
    FlowCollector instructions(image, result);
    MessageCollector messages(result);
    std::deque<RecordCollector> records;
    for (const unsigned stimulus : options.record_stimuli) {
        records.emplace_back(stimulus, result);
    }
    Flow flow(image);
    flow.add_sink(instructions);
    std::istringstream input(bytes);
    TraceReader reader(input, options.source_bits, options.start);
    ContextTracker contexts(options.timestamps);
    TraceItem item;
    while (reader.next(item)) {
        const MessageContext context = contexts.next(item);
        messages.add(item, context);
        flow.add(item, context);
        for (RecordCollector& collector : records) {
            collector.add(item, context);
        }
    }
    for (RecordCollector& collector : records) {
        collector.finish(bytes.size());
    }
    result.unplaced_messages = flow.unplaced_messages();
    return result;
}

} // namespace pes::trace::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/trace_fuzz.h"

#include "decoder/trace/calls/record_calls.h"
#include "decoder/trace/etrace/packet_quality.h"
#include "decoder/trace/etrace/packet_text.h"
#include "decoder/trace/flow/flow.h"
#include "decoder/trace/messages/trace_events.h"
#include "decoder/trace/messages/trace_quality.h"
#include "decoder/trace/osd/osd_log.h"
#include "decoder/trace/osd/osd_story.h"
#include "decoder/trace/output/folded_stacks.h"
#include "decoder/trace/output/message_text.h"

#include <cstdlib>
#include <streambuf>

namespace pes::fuzz {
namespace {

using namespace trace;

class MemoryStream : public std::streambuf {
  public:
    explicit MemoryStream(std::span<const std::uint8_t> bytes) : copy_(bytes.begin(), bytes.end()) {
        setg(copy_.data(), copy_.data(), copy_.data() + copy_.size());
    }

  private:
    std::string copy_;
};

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// Every call is left once, and the listeners see a stack that grows and shrinks by one.
class CallChecker : public CallListener {
  public:
    void entered(std::uint16_t source, const std::vector<Frame>& frames) override {
        require(frames.size() == ++depths_[source]);
    }
    void left(std::uint16_t source, const std::vector<Frame>& frames, FrameEnd, FlowTime) override {
        require(frames.size() == depths_[source]--);
    }
    void finish() const {
        for (const auto& [source, depth] : depths_) {
            require(depth == 0);
        }
    }

  private:
    std::map<std::uint16_t, std::size_t> depths_;
};

constexpr Address kCodeBegin = 0x80000000;

/// A program of no sense, but with instructions of every kind.
ProgramImage noise_program() {
    std::vector<std::uint8_t> code(4096);
    std::uint32_t state = 1;
    for (std::uint8_t& byte : code) {
        state = state * 1664525 + 1013904223;
        byte = static_cast<std::uint8_t>(state >> 24);
    }
    ProgramImage image;
    image.add(kCodeBegin, code);
    return image;
}

struct Reading {
    unsigned source_bits = 0;
    TimestampFormat timestamps;
    unsigned stimulus = 6;
};

Reading reading_of(std::uint8_t choice) {
    constexpr unsigned kWidths[] = {0, 1, 2, 12};
    constexpr unsigned kCounters[] = {40, 64, 8, 1};
    return {
        .source_bits = kWidths[choice & 3],
        .timestamps = {static_cast<TimestampDialect>(choice >> 2 & 1), kCounters[choice >> 3 & 3]},
        .stimulus = (choice & 0x20) != 0 ? 0U : 6U};
}

void decode_messages(std::span<const std::uint8_t> bytes, const Reading& reading) {
    MemoryStream memory(bytes);
    std::istream input(&memory);
    TraceReader reader(input, reading.source_bits);
    ContextTracker contexts(reading.timestamps);
    TraceQuality quality;
    CallChecker checker;
    RecordCalls calls(checker);
    PerfRecords records;
    FoldedStacks stacks(nullptr, {});
    records.listen(stacks);
    records.listen(calls);
    PerfStreams streams(reading.stimulus, records);
    static const ProgramImage program = noise_program();
    Flow flow(program);
    CallChecker flow_checker;
    CallTracker flow_calls(flow_checker);
    flow.add_sink(flow_calls);
    std::uint64_t accounted = 0;
    std::string text;
    TraceItem item;
    while (reader.next(item)) {
        accounted += item.size;
        const MessageContext context = contexts.next(item);
        quality.add(item, context);
        flow.add(item, context);
        text.clear();
        if (item.kind != TraceItem::Kind::Message) {
            streams.messages_lost(item.offset);
            text = describe(item);
            continue;
        }
        append_message(text, 1, item.message, context, SourceColumn::Shown, {});
        event_of(item, context);
        ownership_of(item, context);
        if (item.message.code == MessageCode::DataAcquisition) {
            const StimulusWrite write = to_stimulus_write(item.message);
            streams.add({item.message.source, write.bytes, write.value, context.time, item.offset});
        }
    }
    streams.finish(reader.bytes());
    calls.finish();
    checker.finish();
    std::ostream nowhere(nullptr);
    stacks.write(nowhere);
    summary_text("fuzz", quality);
    require(accounted + reader.idle_bytes() == bytes.size());
}

/// Branches of a packet: a few bytes may ask for a walk of minutes.
constexpr std::uint32_t kLongCount = 1U << 12;

void decode_etrace(std::span<const std::uint8_t> bytes, const Reading& reading) {
    MemoryStream memory(bytes);
    std::istream input(&memory);
    const etrace::Encoding encoding{
        .framing = {.source_bits = reading.source_bits,
                    .timestamp_bytes = (reading.timestamps.bits + 7) / 8},
        .parameters = {.iaddress_width = reading.timestamps.bits == 1 ? 32U : 64U},
        .timestamp_bits = reading.timestamps.bits};
    etrace::PacketReader reader(input, encoding);
    etrace::PacketQuality quality;
    static const ProgramImage program = noise_program();
    Flow flow(program);
    CallChecker checker;
    CallTracker calls(checker);
    flow.add_sink(calls);
    flow.set_parameters(encoding.parameters);
    std::uint64_t accounted = 0;
    std::string text;
    etrace::PacketItem item;
    while (reader.next(item)) {
        accounted += item.size;
        quality.add(item);
        if (item.frame.packet.branch_count < kLongCount) {
            flow.add(item);
        }
        text.clear();
        if (item.kind == etrace::PacketItem::Kind::Packet) {
            etrace::append_packet(text, 1, item, false, SourceColumn::Shown,
                                  {NextAddress::Column::Shown, flow.position(item.frame.source)});
        }
    }
    summary_text("fuzz", quality);
    require(accounted + reader.idle_bytes() == bytes.size());
}

void decode_packets(std::span<const std::uint8_t> bytes) {
    MemoryStream memory(bytes);
    std::istream input(&memory);
    OsdReader reader(input);
    OsdSummary summary;
    std::uint64_t told = 0;
    OsdStory story(osd::kPrintId, [&](const SoftwareEvent&) { ++told; });
    std::uint64_t items = 0;
    for (OsdItem item; reader.next(item); ++items) {
        require(osd_log_line(item).back() == '\n');
        summary.add(item);
        story.add(item);
    }
    story.finish();
    require(items == reader.counts().events + reader.counts().overflows);
    require(reader.counts().bytes == bytes.size());
    summary.text("fuzz", reader.counts());
}

} // namespace

void decode_anything(std::span<const std::uint8_t> input) {
    if (input.empty()) {
        return;
    }
    const std::uint8_t choice = input.front();
    if ((choice & 0x80) != 0) {
        decode_packets(input.subspan(1));
    } else if ((choice & 0x40) != 0) {
        decode_etrace(input.subspan(1), reading_of(choice));
    } else {
        decode_messages(input.subspan(1), reading_of(choice));
    }
}

} // namespace pes::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/decoder_speed.h"

#include "decoder/trace/messages/trace_quality.h"
#include "decoder/trace/records/perf_records.h"
#include "hw/interface/trace/message_packer.h"
#include "hw/interface/trace/stimulus.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <streambuf>

namespace pes::trace {
namespace {

constexpr std::size_t kTraceBytes = std::size_t{16} << 20;
constexpr int kRuns = 5; ///< the best counts

/// Packs stimulus writes as an encoder does: 40-bit XOR timestamps, no SRC.
class TraceMaker {
  public:
    TraceMaker() {
        bytes_.reserve(kTraceBytes + 4096);
        put(make_message(MessageCode::InCircuitTraceSync));
    }

    void word(std::uint32_t value) { put(to_message({6, 4, value})); }
    void half(std::uint16_t value) { put(to_message({6, 2, value})); }
    void byte(std::uint8_t value) { put(to_message({6, 1, value})); }

    std::string take() { return std::move(bytes_); }
    std::size_t size() const { return bytes_.size(); }

  private:
    void put(TraceMessage message) {
        message.timestamp = clock_.compress(time_, layout_of(message.code).timestamp);
        time_ += 20; // cycles between two stores to the encoder
        const PackedMessage packed = pack_message(message, 0);
        bytes_.append(packed.bytes.begin(), packed.bytes.begin() + packed.size);
    }

    std::string bytes_;
    std::uint64_t time_ = 1000;
    TimestampCompressor clock_{TimestampFormat{}};
};

/// Function entry and exit with four counters, as differences.
std::string make_trace() {
    using namespace perf_record;
    TraceMaker maker;
    std::mt19937 random(1);
    write_header(maker, CountType::Delta, 0x1D);
    for (const unsigned counter : {0U, 2U, 3U, 4U}) {
        write_definition(maker, EventType::General, counter, {0xC00 + counter, 64});
    }
    while (maker.size() < kTraceBytes) {
        write_kind(maker, random() % 2 == 0 ? RecordKind::FunctionEnter : RecordKind::FunctionExit);
        write_address(maker, 0x80000000 + 2 * (random() % 0x8000));
        write_address(maker, 0x80000000 + 2 * (random() % 0x8000));
        for (int counter = 0; counter < 4; ++counter) {
            write_value(maker, random() % 10000);
        }
    }
    return maker.take();
}

/// The bytes as they lie in memory: the file system is not what is measured.
class MemoryStream : public std::streambuf {
  public:
    explicit MemoryStream(std::string& bytes) {
        setg(bytes.data(), bytes.data(), bytes.data() + bytes.size());
    }
};

class RecordCounter : public PerfRecordSink {
  public:
    void header(std::uint16_t, const PerfHeader&, TraceTime) override {}
    void record(const PerfRecord& record) override { sum_ += record.address + record.values[0]; }
    void lost(std::uint16_t, const PerfLoss&) override { std::abort(); }
    std::uint64_t sum() const { return sum_; }

  private:
    std::uint64_t sum_ = 0;
};

std::uint64_t scan_bytes(std::string& trace) {
    std::uint64_t messages = 0;
    for (const char byte : trace) {
        messages += (static_cast<std::uint8_t>(byte) & 3) == 3 ? 1 : 0;
        asm volatile("" : "+r"(messages)); // byte by byte, as slices have to be read
    }
    return messages;
}

enum class Depth : std::uint8_t { Messages, Contexts, Records };

std::uint64_t decode(std::string& trace, Depth depth) {
    MemoryStream bytes(trace);
    std::istream input(&bytes);
    TraceReader reader(input, 0);
    ContextTracker contexts({});
    TraceQuality quality;
    RecordCounter counter;
    PerfRecords records;
    records.listen(counter);
    PerfStreams streams(6, records);
    TraceItem item;
    std::uint64_t sum = 0;
    while (reader.next(item)) {
        ++sum;
        if (depth == Depth::Messages) {
            continue;
        }
        const MessageContext context = contexts.next(item);
        quality.add(item, context);
        if (depth == Depth::Records && item.message.code == MessageCode::DataAcquisition) {
            const StimulusWrite write = to_stimulus_write(item.message);
            streams.add({item.message.source, write.bytes, write.value, context.time, item.offset});
        }
    }
    streams.finish(reader.bytes());
    return sum + counter.sum() + quality.messages;
}

template <typename Work>
double megabytes_a_second(std::size_t bytes, Work&& work) {
    double best = 0;
    for (int run = 0; run < kRuns; ++run) {
        const double start = bench::processor_seconds();
        volatile std::uint64_t result = work();
        static_cast<void>(result);
        best =
            std::max(best, static_cast<double>(bytes) / (bench::processor_seconds() - start) / 1e6);
    }
    return best;
}

} // namespace
} // namespace pes::trace

namespace pes::bench {

RecordsDecoderSpeed measure_records_decoder() {
    using namespace pes::trace;
    std::string trace = make_trace();
    const auto speed = [&trace](Depth depth) {
        return megabytes_a_second(trace.size(), [&] { return decode(trace, depth); });
    };
    return {.bytes = megabytes_a_second(trace.size(), [&] { return scan_bytes(trace); }),
            .messages = speed(Depth::Messages),
            .contexts = speed(Depth::Contexts),
            .records = speed(Depth::Records)};
}

} // namespace pes::bench

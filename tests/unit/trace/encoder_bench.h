// SPDX-License-Identifier: Apache-2.0
// An encoder with stand-ins for its surroundings, and the register accesses of a driver.
#pragma once

#include "hw/interface/maps/trace.h"
#include "hw/interface/trace/message_parser.h"
#include "hw/trace/encoder/encoder.h"
#include "tests/unit/trace/encoder_surroundings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace pes::trace::test {

/// What surrounds the encoder besides its sink.
struct Around {
    bool hart = true;
    bool tracer = true;
    const TimestampUnit* master = nullptr;
};

class Bench {
  public:
    explicit Bench(const EncoderConfig& config = {}, const Around& around = {})
        : hart(sink), encoder(config, sink, around.master) {
        if (around.hart) {
            encoder.connect(&hart);
        }
        if (around.tracer) {
            encoder.connect(&tracer);
        }
    }

    AccessStatus try_write(Address offset, unsigned size, std::uint32_t value, Cycle at) {
        return encoder.registers().write(offset, size, value, at);
    }
    void write(Address offset, std::uint32_t value, Cycle at = 0) {
        EXPECT_EQ(try_write(offset, 4, value, at), AccessStatus::Ok) << std::hex << offset;
    }
    std::uint32_t read(Address offset, Cycle at = 0) {
        std::uint64_t value = 0;
        EXPECT_EQ(encoder.registers().read(offset, 4, value, at), AccessStatus::Ok)
            << std::hex << offset;
        return static_cast<std::uint32_t>(value);
    }
    /// As firmware's macros do: read, change, write.
    void modify(Address offset, std::uint32_t clear, std::uint32_t set, Cycle at = 0) {
        write(offset, (read(offset, at) & ~clear) | set, at);
    }
    void store32(unsigned stimulus, std::uint32_t value, Cycle at) {
        write(trace_map::kItcStimulus + Address{4} * stimulus, value, at);
    }
    void store16(unsigned stimulus, std::uint32_t value, Cycle at) {
        EXPECT_EQ(try_write(trace_map::kItcStimulus + Address{4} * stimulus + 2, 2, value, at),
                  AccessStatus::Ok);
    }
    void store8(unsigned stimulus, std::uint32_t value, Cycle at) {
        EXPECT_EQ(try_write(trace_map::kItcStimulus + Address{4} * stimulus + 3, 1, value, at),
                  AccessStatus::Ok);
    }

    /// teControl with Active, Enable, Tracing and `more`.
    void run(std::uint32_t more, Cycle at = 0) {
        namespace control = trace_map::control;
        write(trace_map::kControl, control::kActive | control::kEnable | control::kTracing | more,
              at);
    }
    /// An instrumentation trace of all stimuli; `timestamps` are tsControl's fields.
    void run_instrumentation(std::uint32_t mode, std::uint32_t timestamps = 0, Cycle at = 0) {
        namespace control = trace_map::control;
        write(trace_map::kTimestampControl, timestamps, at);
        write(trace_map::kControl, control::kActive, at);
        write(trace_map::kItcTraceEnable, ~0U, at);
        run(mode << control::kInstrumentationShift, at);
    }

    std::vector<Bytes> pull(Cycle at = kNever - 1) { return sink.pull(at); }
    /// The same as values.
    std::vector<TraceMessage> messages(unsigned source_bits = 0) {
        return parse(pull(), source_bits);
    }
    static std::vector<TraceMessage> parse(const std::vector<Bytes>& list, unsigned source_bits) {
        std::vector<TraceMessage> parsed;
        for (const Bytes& bytes : list) {
            TraceMessage message;
            const ParseResult result = parse_message(bytes, source_bits, message);
            EXPECT_EQ(result.status, ParseStatus::Message);
            EXPECT_EQ(result.size, bytes.size());
            parsed.push_back(message);
        }
        return parsed;
    }

    FakeSink sink;
    FakeHart hart;
    FakeTracer tracer;
    Encoder encoder;
};

inline std::vector<MessageCode> codes(const std::vector<TraceMessage>& messages) {
    std::vector<MessageCode> list;
    list.reserve(messages.size());
    for (const TraceMessage& message : messages) {
        list.push_back(message.code);
    }
    return list;
}

/// tsControl: counting, with timestamps in every message.
inline constexpr std::uint32_t kTimestampsOn =
    trace_map::timestamp::kActive | trace_map::timestamp::kCount | trace_map::timestamp::kEnable |
    3U << trace_map::timestamp::kBranchShift | trace_map::timestamp::kInstrumentation |
    trace_map::timestamp::kOwnership;

} // namespace pes::trace::test

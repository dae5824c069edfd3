// SPDX-License-Identifier: Apache-2.0
// An encoder with stand-ins for its surroundings, and the calls of a driver.
#pragma once

#include "hw/interface/maps/trace.h"
#include "hw/interface/trace/message_parser.h"
#include "hw/trace/encoder/encoder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pes::trace::test {

using Bytes = std::vector<std::uint8_t>;

/// Takes nothing on its own: tests pull.
class FakeSink final : public SinkUnit, public MessageListener {
  public:
    void connect(MessageSource& source, SinkOwner& owner) override {
        source_ = &source;
        owner_ = &owner;
        source.set_listener(this);
    }
    std::vector<Register> registers() override {
        const auto address = [](std::string name, Address offset) {
            return Register{.name = std::move(name), .offset = offset, .write_mask = ~3U};
        };
        return {address("teSinkBase", trace_map::kSinkBase),
                address("teSinkBaseHigh", trace_map::kSinkBaseHigh),
                address("teSinkLimit", trace_map::kSinkLimit),
                address("teSinkWP", trace_map::kSinkWritePointer),
                address("teSinkRP", trace_map::kSinkReadPointer)};
    }
    std::uint32_t present() const override { return present_sinks; }
    std::uint32_t word_bytes() const override { return 8; }
    std::uint32_t select(std::uint32_t code, Cycle) override {
        const bool there = code == 0 || ((present_sinks >> code) & 1U) != 0;
        selected = there ? code : selected;
        return selected;
    }
    void on_wrap(OnWrap action) override { wrap_action = action; }
    void open() override { ++opened; }
    bool empty() const override { return is_empty; }
    bool error() const override { return has_error; }
    void clear_error() override { has_error = false; }
    void reset(Cycle) override {
        selected = 0;
        ++resets;
    }

    void message_ready(std::size_t bytes, Cycle at) override { ready.emplace_back(bytes, at); }
    void flush(Cycle at) override { flushes.push_back(at); }

    void wrap(Cycle at) { owner_->stop_on_wrap(at); }
    /// All messages that are ready at `at`.
    std::vector<Bytes> pull(Cycle at) {
        std::vector<Bytes> list;
        PackedMessage message;
        while (source_->pull(message, at)) {
            list.emplace_back(message.view().begin(), message.view().end());
        }
        return list;
    }

    std::uint32_t present_sinks = 1U << trace_map::sink::kSram | 1U << trace_map::sink::kMemory |
                                  1U << trace_map::sink::kFunnel;
    std::uint32_t selected = 0;
    OnWrap wrap_action = OnWrap::GoOn;
    bool is_empty = true;
    bool has_error = false;
    unsigned resets = 0;
    unsigned opened = 0;
    std::vector<std::pair<std::size_t, Cycle>> ready;
    std::vector<Cycle> flushes;

  private:
    MessageSource* source_ = nullptr;
    SinkOwner* owner_ = nullptr;
};

/// Writes down what it is told.
class FakeTracer final : public InstructionTracer {
  public:
    void configure(const InstructionTraceSettings& wanted) override { settings = wanted; }
    void start(SyncReason reason, Cycle at) override { note("start", reason, at); }
    void stop(CorrelationEvent reason, Cycle at) override {
        note("stop", reason, at);
        if (port != nullptr) {
            last_result = port->send(make_message(MessageCode::ProgramTraceCorrelation)
                                         .set(Field::EventCode, reason)
                                         .set(Field::DataFormat, 0)
                                         .set(Field::InstructionCount, 9),
                                     at);
        }
    }
    void synchronise(SyncReason reason, Cycle at) override { note("synchronise", reason, at); }
    void trigger(unsigned input, Cycle at) override { note("trigger", input, at); }
    std::vector<std::string> take() { return std::exchange(calls, {}); }

    InstructionTraceSettings settings;
    std::vector<std::string> calls;
    MessagePort* port = nullptr; ///< if set, stop() sends a message
    std::optional<SendResult> last_result;

  private:
    template <typename Code>
    void note(const std::string& what, Code code, Cycle at) {
        calls.push_back(what + " " + std::to_string(static_cast<unsigned>(code)) + " @" +
                        std::to_string(at));
    }
};

/// A hart whose sink takes one message `pull_delay` cycles after the hart was held.
class FakeHart final : public TracedHart {
  public:
    explicit FakeHart(FakeSink& sink) : sink_(sink) {}

    void catch_up(Cycle at) override {
        catch_ups.push_back(at);
        if (sink_takes_on_catch_up) {
            keep(sink_.pull(at));
        }
    }
    Cycle wait_for_pull(Cycle at) override {
        waits.push_back(at);
        if (wrap_while_waiting) {
            sink_.wrap(at);
            return at;
        }
        if (!sink_pulls) {
            return kNever;
        }
        keep(sink_.pull(at + pull_delay));
        return at + pull_delay;
    }
    void stop_waiting(Cycle at) override { stops.push_back(at); }
    Address pc() const override { return pc_now; }

    Address pc_now = 0;
    Cycle pull_delay = 50;
    bool sink_takes_on_catch_up = false;
    bool sink_pulls = true;
    bool wrap_while_waiting = false;
    std::vector<Cycle> catch_ups, waits, stops;
    std::vector<Bytes> taken;

  private:
    void keep(const std::vector<Bytes>& list) {
        taken.insert(taken.end(), list.begin(), list.end());
    }

    FakeSink& sink_;
};

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
